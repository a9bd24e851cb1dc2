import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { asvsRequirements } from './asvs-requirements.ts';
import { gapsOfNamed, namedIn, type Read, type Row, readerOfFiles, rowsOf } from './named-tests.ts';

/** docs/asvs.md covers every requirement of level 2 and names only existing files and tests. */

const MOST_DEVIATIONS = 3;
const page = readFileSync(join(import.meta.dirname, '../../docs/asvs.md'), 'utf8');

function gapsOf(text: string, read: Read): string[] {
  const rows = rowsOf(text);
  const numbers = rows.map((row) => row.get('Requirement') ?? '');
  return [
    ...[...asvsRequirements.keys()].filter((number) => !numbers.includes(number)).map((number) => `${number}: no row`),
    ...numbers.filter((number, at) => !asvsRequirements.has(number) || numbers.indexOf(number) !== at),
    ...rows.flatMap((row) => gapsOfRow(row, read).map((gap) => `${row.get('Requirement')}: ${gap}`)),
    ...(deviationsIn(text).length > MOST_DEVIATIONS ? [`${deviationsIn(text).length} deviations`] : []),
  ];
}

function gapsOfRow(row: Row, read: Read): string[] {
  const applies = row.get('Applies') ?? '';
  const shownBy = namedIn(row.get('Shown by') ?? '');
  return [
    ...(row.has('') || row.size !== 6 ? ['its row is not of six cells'] : []),
    ...(String(asvsRequirements.get(row.get('Requirement') ?? '')) === row.get('Level') ? [] : ['another level']),
    ...(/^(yes|no: .{5,}|deviation: .{40,})$/.test(applies) ? [] : ['neither yes, nor why not']),
    ...(applies === 'yes' && (row.get('Control')?.length ?? 0) < 5 ? ['no control'] : []),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(row.get('Date') ?? '') ? [] : ['no date']),
    ...(shownBy.length > 0 ? [] : ['nothing shows it']),
    ...shownBy.flatMap((named) => gapsOfNamed(named, read)),
  ];
}

function deviationsIn(text: string): readonly Row[] {
  return rowsOf(text).filter((row) => row.get('Applies')?.startsWith('deviation'));
}

describe('OWASP ASVS 5.0, level 2', () => {
  it('has a row for each of its 253 requirements, with existing evidence', () => {
    expect(asvsRequirements.size).toBe(253);
    expect(gapsOf(page, readerOfFiles())).toEqual([]);
    const rows = rowsOf(page);
    const not = rows.filter((row) => row.get('Applies')?.startsWith('no')).length;
    proved(
      'asvs',
      `${rows.length} rows, ${not} of them do not apply, ${deviationsIn(page).length} deviations, every test named there exists`,
    );
  });

  it.each([
    ['a row that is missing', page.replace(/^\| 6\.2\.1 .*\n/m, ''), '6.2.1: no row'],
    [
      'a test that is not there',
      page.replace('contract/money.test.ts', 'contract/gone.test.ts'),
      'there is no such file',
    ],
    ['a requirement that is no more answered', page.replace(/^(\| 8\.2\.2 \| 1 \|) yes/m, '$1 '), 'nor why not'],
    ['a level that is not the standard\u2019s', page.replace('| 3.3.1 | 1 |', '| 3.3.1 | 2 |'), 'another level'],
    ['one deviation too many', page.replace('| no: no WebRTC |', `| deviation: ${'x'.repeat(40)} |`), '4 deviations'],
  ])('finds %s', (planted, text, gap) => {
    expect(text).not.toBe(page);
    expect(gapsOf(text, readerOfFiles()).join('\n')).toContain(gap);
    canaryFound('asvs', planted);
  });
});
