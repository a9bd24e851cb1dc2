import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failures } from '#contract/errors.ts';
import { claims } from '#testing/evidence/claims.ts';

/** Commands, paths and settings in the pages exist. */

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const settings = new Set([...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
/** The checkout's folders with which a path can begin. */
const ROOMS = 'bench|contract|deploy|docs|e2e|proof|scripts|server|simulators|testing|web';

/** The checkout's paths in a text, except patterns and parts of longer paths. */
function pathsIn(text: string): string[] {
  const found = text.matchAll(new RegExp(`(?<![\\w/.@-])((?:${ROOMS})/[\\w@./-]*)([*{<…]?)`, 'g'));
  return [...found].filter(([, , more]) => more === '').map(([, path = '']) => path.replace(/[./-]+$/, ''));
}

/** A decision may be cited by its number. */
function isThere(path: string): boolean {
  const [, folder = '', number] = /^(docs\/decisions)\/(\d{4})$/.exec(path) ?? [];
  if (number === undefined) return existsSync(join(root, path));
  return readdirSync(join(root, folder)).some((name) => name.startsWith(`${number}-`));
}

/** A page's backquoted names of settings and failure codes, except Node's and libuv's own settings. */
function settingsIn(text: string): string[] {
  const found = [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
  return found.filter((name) => name === 'NODE_ENV' || !/^(?:NODE_|UV_)/.test(name));
}

/** A page's errors, one sentence each. */
function wrongs(page: string, text: string): string[] {
  const wrong: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) wrong.push(`${page}: ${what}`);
  };
  for (const [, name = ''] of text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[a-z]+(?::[a-z]+)?)\b/g))
    check(name in scripts, `npm has no script '${name}'`);
  for (const [, some = ''] of text.matchAll(/npm run prove -- ([a-z][a-z -]*[a-z])/g))
    for (const name of some.split(' '))
      check(
        Object.keys(claims).some((claim) => claim.startsWith(name)),
        `no claim is called '${name}'`,
      );
  for (const [, name = ''] of text.matchAll(/npm run bench -- ([a-z][a-z-]*)/g))
    check(new RegExp(`^  '?${name}'?: \\{`, 'm').test(read('bench/benches.ts')), `no bench is called '${name}'`);
  for (const path of pathsIn(text)) check(isThere(path), `there is no ${path}`);
  return wrong;
}

describe('the pages', () => {
  it('name existing scripts, claims, benches and files', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/operations.md', 'docs/security.md']));
    expect(pages.flatMap((page) => wrongs(page, read(page)))).toEqual([]);
  });

  it('are found if they do not', () => {
    const text =
      'Try `npm run nothing`, `npm run prove -- kills nobody`, `npm run bench -- none`, `server/no/such.test.ts`, `npm run check`, `deploy/nginx.conf`.';
    expect(wrongs('a.md', text)).toEqual([
      "a.md: npm has no script 'nothing'",
      "a.md: no claim is called 'nobody'",
      "a.md: no bench is called 'none'",
      'a.md: there is no server/no/such.test.ts',
    ]);
  });

  it('name only settings in .env.example', () => {
    const names = settingsIn(read('docs/operations.md'));
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !settings.has(name) && !(name in failures))).toEqual([]);
    expect(settingsIn('`SMTP_URL=smtps://…`, `SMS_*`, `NODE_ENV=production`, `NODE_OPTIONS`')).toEqual([
      'SMTP_URL',
      'NODE_ENV',
    ]);
  });

  it('leave no setting of the server out of .env.example', () => {
    const sources = ['server/config/config.ts', 'server/rails/mtn/settings.ts', 'server/rails/airtel/settings.ts'];
    const names = sources.flatMap((path) =>
      [...read(path).matchAll(/^ +([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name),
    );
    expect(names.length).toBeGreaterThan(70);
    expect(names.filter((name) => !settings.has(name ?? ''))).toEqual([]);
  });

  it('mention each file of deploy/', () => {
    const operations = read('docs/operations.md');
    const files = readdirSync(join(root, 'deploy'), { withFileTypes: true });
    const names = files.map((file) => (file.isDirectory() ? `deploy/${file.name}/` : `deploy/${file.name}`));
    expect(names.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
  });
});
