import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gapsOfNamed, namedIn, type Read, type Row, readerOfFiles, rowsOf } from './named-tests.ts';

/**
 * Checks that the files, tests and literal texts that docs/specification-coverage.md names for each statement of the
 * specification exist.
 */

const root = join(import.meta.dirname, '../..');

/** Texts in single quotes, except those with a placeholder. */
function literalsIn(statement: string): string[] {
  return [...statement.matchAll(/(?<!\w)'([^']+)'(?!\w)/g)]
    .map((match) => match[1] ?? '')
    .filter((literal) => !literal.includes('{'));
}

function gapsOfRow(row: Row, read: Read): string[] {
  const statement = row.get('Statement') ?? '';
  const shownBy = row.get('Shown by');
  const named = [...row.values()].flatMap(namedIn);
  const said = named.map(({ path }) => read(path)?.replaceAll(/\s+/g, ' ') ?? '').join('\n');
  const unsaid = named.length === 0 ? [] : literalsIn(statement).filter((literal) => !said.includes(literal));
  const unshown = row.has('Statement') && shownBy !== undefined && !namedIn(shownBy).some(({ title }) => title);
  return [
    ...(row.has('') ? [`${statement}: the row has more cells than the table has columns`] : []),
    ...named.flatMap((one) => gapsOfNamed(one, read)),
    ...unsaid.map((literal) => `${statement}: no file of its row says '${literal}'`),
    ...(unshown ? [`${statement}: no test shows it`] : []),
  ];
}

/** The page's references to missing files, tests and texts. */
function findGaps(page: string, read: Read): string[] {
  return rowsOf(page).flatMap((row) => gapsOfRow(row, read));
}

describe('the coverage of the specification', () => {
  const page = readFileSync(join(root, 'docs/specification-coverage.md'), 'utf8');
  const shown = rowsOf(page).filter((row) => row.has('Statement') && row.has('Shown by'));

  it('names only existing files, tests and texts', () => {
    expect(findGaps(page, readerOfFiles())).toEqual([]);
  });

  it('has at least 150 rows, for every section, each statement once', () => {
    const statements = shown.map((row) => `${row.get('§')} ${row.get('Statement')}`);
    expect(shown.length).toBeGreaterThanOrEqual(150);
    expect([...new Set(shown.map((row) => row.get('§')))]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(statements.filter((statement, at) => statements.indexOf(statement) !== at)).toEqual([]);
  });
});

describe('a gap', () => {
  const files = new Map([
    ['web/page.tsx', '<Title>Sign\n  Up</Title>'],
    ['web/page.test.ts', "it('signs up', () => {});\nit.each([1])('of %i', (one) => {});\nrender('no title', 1);"],
  ]);
  const gapsOf = (statement: string, doneBy: string, shownBy: string) =>
    findGaps(
      `| § | Statement | Done by | Shown by |\n|---|---|---|---|\n| 2 | ${statement} | ${doneBy} | ${shownBy} |`,
      (path) => files.get(path),
    );

  it.each([
    ["Title 'Sign Up'", '`web/page.tsx`', '`web/page.test.ts › signs`', []],
    ["Title '{title} \\| Kasente'", '`web/page.tsx`', '`web/page.test.ts › of %i`', []],
    ['Title', '`web/gone.tsx`', '`web/page.test.ts › signs up`', ['web/gone.tsx: there is no such file']],
    ['Title', '`web/page.tsx`', '`web/page.test.ts › logs in`', ["web/page.test.ts: there is no test 'logs in'"]],
    ['Title', '`web/page.tsx`', '`web/page.test.ts › no title`', ["web/page.test.ts: there is no test 'no title'"]],
    ["'Log in'", '`web/page.tsx`', '`web/page.test.ts › signs`', ["'Log in': no file of its row says 'Log in'"]],
    [
      'Title | Kasente',
      '`web/page.tsx`',
      '`web/page.test.ts › signs`',
      ['Title: the row has more cells than the table has columns', 'Title: no test shows it'],
    ],
    ['Title', '`web/page.tsx`', '', ['Title: no test shows it']],
    ['Title', '`web/page.tsx`', '`web/page.test.ts`', ['Title: no test shows it']],
  ])('%s, %s, %s', (statement, doneBy, shownBy, gaps) => {
    expect(gapsOf(statement, doneBy, shownBy)).toEqual(gaps);
  });
});
