import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Everything that code cites can be opened in this repository. */

const root = join(import.meta.dirname, '../..');

const rooms = ['contract', 'server', 'web', 'e2e', 'proof', 'bench', 'gallery', 'scripts', 'simulators', 'deploy'];

/** Pages that are not here: the specification's own sections, what was decided about it, how it is meant, a tracker's numbers. */
const ELSEWHERE =
  /specification(?:'s|’s)?,? (?:sections?\b|\(section)|\bdecisions(?:, '|\))|\b(?:experience|voice|money|house)\.md|\bissue (?:'|#?\d)/i;

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const pages = filesOf('docs');

/** The pages that a text cites, as `docs/…` or as `docs/decisions/0013`, and that are not there. */
function missingPages(text: string): string[] {
  const cited = [...text.matchAll(/(?<![\w/])docs\/[\w./-]*\w/g)].map(([path]) => path);
  return cited.filter(
    (path) => !pages.some((page) => page === path || page.startsWith(/\/\d{4}$/.test(path) ? `${path}-` : `${path}/`)),
  );
}

/** The comments of a source that cite what cannot be opened here. */
function citesElsewhere(text: string): string[] {
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g)];
  return comments.map(([comment]) => comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ')).filter((one) => ELSEWHERE.test(one));
}

const isCode = (path: string) =>
  /\.(ts|tsx|mjs|css)$/.test(path) && !/^scripts\/checks\/(?:citations|house-rules\/code-words)\.test/.test(path);

it('every page of docs/ that code cites is there', () => {
  const code = rooms.flatMap(filesOf).filter((path) => isCode(path) || path.startsWith('deploy/'));
  const missing = code.flatMap((path) =>
    missingPages(readFileSync(join(root, path), 'utf8')).map((page) => `${path}: ${page}`),
  );
  expect(missing).toEqual([]);
  expect(missingPages('docs/security.md docs/decisions/0013 docs/gone.md docs/decisions/9999')).toEqual([
    'docs/gone.md',
    'docs/decisions/9999',
  ]);
});

it('no comment cites what stands outside the repository', () => {
  const migration = /^server\/migrations\/\d{4}-/; // landed: never edited
  const code = rooms.flatMap(filesOf).filter((path) => isCode(path) && !migration.test(path));
  const found = code.flatMap((path) =>
    citesElsewhere(readFileSync(join(root, path), 'utf8')).map((comment) => `${path}: ${comment}`),
  );
  expect(found).toEqual([]);
  const planted =
    "/** Ten rows (specification, section\n * 9). */\n// as decided (decisions, 'The wire')\n// in issue 17\n/* Thumbs (experience.md) */\n";
  expect(citesElsewhere(planted)).toHaveLength(4);
});

/** The files that a page names in backquotes, by their end, and that are not there. */
function missingFiles(page: string, files: readonly string[]): string[] {
  const named = [...page.matchAll(/`([\w./-]+\.(?:tsx?|mjs|css|json|ya?ml|sh))`/g)].map(([, path = '']) => path);
  return named.filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)));
}

it('every file that a page of docs/ names is there', () => {
  const files = [...readdirSync(root), ...[...rooms, 'docs'].flatMap(filesOf)];
  const missing = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => missingFiles(readFileSync(join(root, page), 'utf8'), files).map((path) => `${page}: ${path}`));
  expect(missing).toEqual([]);
  expect(missingFiles('`server/app.ts`, `app.ts` and `hot-lanes.ts`', files)).toEqual(['hot-lanes.ts']);
});
