import { expect, it } from 'vitest';
import { dueDateAfter } from './usual-terms.ts';

const terms = [
  { id: 1, days: 30 },
  { id: 2, days: 45 },
];
const nothing = { buyerId: '', date: '' };
const of = (buyerId: string, date = '2026-11-01') => ({ buyerId, date });

it.each([
  ['fills an empty field once buyer and date are known', '', { before: nothing, after: of('1') }, '2026-12-01'],
  ['stays empty without a date', '', { before: nothing, after: of('1', '') }, ''],
  ['stays empty while the date is no date yet', '', { before: of('1', ''), after: of('1', '5 Ja') }, ''],
  ['stays empty for a buyer without terms', '', { before: nothing, after: of('3') }, ''],
  ['follows another buyer', '2026-12-01', { before: of('1'), after: of('2') }, '2026-12-16'],
  ['follows another date', '2026-12-01', { before: of('1'), after: of('1', '2026-11-05') }, '2026-12-05'],
  ['goes with the buyer whose terms it was', '2026-12-01', { before: of('1'), after: of('3') }, ''],
  ['keeps what the person gave', '2026-12-24', { before: of('1'), after: of('2') }, '2026-12-24'],
  ['keeps what the person types', '24 De', { before: of('1'), after: of('2') }, '24 De'],
])('a due date %s', (_, shown, change, expected) => {
  expect(dueDateAfter(shown, change, terms)).toBe(expected);
});
