import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** All citations in code and pages exist in this repository. */

const root = join(import.meta.dirname, '../..');

const rooms = ['contract', 'server', 'web', 'e2e', 'proof', 'bench', 'scripts', 'simulators', 'testing', 'deploy'];

/** Citations from outside the repository: sections of the specification, its decisions and intents, numbers of a tracker. */
const ELSEWHERE =
  /specification(?:'s|’s)?,? (?:sections?\b|\(section)|\bdecisions(?:, '|\))|\b(?:experience|voice|money|house)\.md|\bissue (?:'|#?\d)/i;

/** Released migrations are never edited, so they may cite pages that no longer exist. */
const MIGRATION = /^server\/migrations\/\d{4}-/;

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const pages = filesOf('docs');

/** A text's citations of missing pages, as `docs/…` or `docs/decisions/0013`. */
function missingPages(text: string): string[] {
  const cited = [...text.matchAll(/(?<![\w/])docs\/[\w./-]*\w/g)].map(([path]) => path);
  return cited.filter(
    (path) => !pages.some((page) => page === path || page.startsWith(/\/\d{4}$/.test(path) ? `${path}-` : `${path}/`)),
  );
}

/** A source's comments that cite something outside the repository. */
function citesElsewhere(text: string): string[] {
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g)];
  return comments.map(([comment]) => comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ')).filter((one) => ELSEWHERE.test(one));
}

const isCode = (path: string) => /\.(ts|tsx|mjs|css)$/.test(path) && !/^scripts\/checks\/citations\.test/.test(path);

it('every page of docs/ that code cites exists', () => {
  const cited = rooms.flatMap(filesOf).filter((path) => isCode(path) || path.startsWith('deploy/'));
  const code = cited.filter((path) => !MIGRATION.test(path));
  const missing = code.flatMap((path) =>
    missingPages(readFileSync(join(root, path), 'utf8')).map((page) => `${path}: ${page}`),
  );
  expect(missing).toEqual([]);
  expect(missingPages('docs/security.md docs/decisions/0013 docs/gone.md docs/decisions/9999')).toEqual([
    'docs/gone.md',
    'docs/decisions/9999',
  ]);
});

it('no comment cites anything outside the repository', () => {
  const code = rooms.flatMap(filesOf).filter((path) => isCode(path) && !MIGRATION.test(path));
  const found = code.flatMap((path) =>
    citesElsewhere(readFileSync(join(root, path), 'utf8')).map((comment) => `${path}: ${comment}`),
  );
  expect(found).toEqual([]);
  const planted =
    "/** Ten rows (specification, section\n * 9). */\n// as decided (decisions, 'The wire')\n// in issue 17\n/* Thumbs (experience.md) */\n";
  expect(citesElsewhere(planted)).toHaveLength(4);
});

/** A page's backquoted names of missing files. */
function missingFiles(page: string, files: readonly string[]): string[] {
  const named = [...page.matchAll(/`([\w./-]+\.(?:tsx?|mjs|css|json|ya?ml|sh))`/g)].map(([, path = '']) => path);
  return named.filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)));
}

it('every file that a page of docs/ names exists', () => {
  const files = [...readdirSync(root), ...[...rooms, 'docs'].flatMap(filesOf)];
  const missing = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => missingFiles(readFileSync(join(root, page), 'utf8'), files).map((path) => `${page}: ${path}`));
  expect(missing).toEqual([]);
  expect(missingFiles('`server/app.ts`, `app.ts` and `hot-lanes.ts`', files)).toEqual(['hot-lanes.ts']);
});
