import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minorToNumeric } from '#contract/money.ts';
import { MAXIMUM_LINES } from './csv.ts';
import { type Expected, readStatement, type Statement } from './read-statement.ts';

const mtn: Expected = { rail: 'mtn', currency: 'UGX', from: '2026-11-18', until: '2026-11-20' };
const airtel: Expected = { ...mtn, rail: 'airtel' };
const bank: Expected = { ...mtn, rail: 'bank' };
const HEADER = 'Id,Date,Status,From,From name,Message,Amount,Currency';
const LINE = '884120,2026-11-19 08:15,Successful,256772000111,NABIRYE SARAH,ACDE-FGH3,"1,250,000.00",UGX';
const file = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');
const BANK_HEADER = 'Date,Bank reference,Payer,Details,Debit,Credit,Currency';
const bankFile = (...lines: string[]) => [BANK_HEADER, ...lines, ''].join('\r\n');

const whole = (text: string, expected: Expected): Statement => {
  const read = readStatement(text, expected);
  if ('why' in read) throw new Error(`line ${read.line}: ${read.why}`);
  return read;
};

describe('a statement', () => {
  it('is read with its payers from MTN, without lines that did not succeed', () => {
    const failed = LINE.replace('884120', '884121').replace('Successful', 'Failed');
    const out = '884122,2026-11-19,Successful,,KASENTE,Payout,-801000,UGX';
    expect(whole(`\u{feff}${file(LINE, failed, out)}`.replace('\u{feff}', ''), mtn)).toEqual({
      left: 1,
      lines: [
        {
          ...{ place: 2, id: '884120', date: '2026-11-19', amount: 125_000_000, details: 'ACDE-FGH3' },
          ...{ payerNumber: '0772000111', payerName: 'NABIRYE SARAH' },
        },
        {
          ...{ place: 4, id: '884122', date: '2026-11-19', amount: -80_100_000, details: 'Payout' },
          ...{ payerNumber: null, payerName: 'KASENTE' },
        },
      ],
    });
  });

  it.each([
    ['256772000111', '0772000111'],
    ['772000111', '0772000111'],
    ['+256 (0)772-000.111', '0772000111'],
    ['\u202a00256772000111\u202c', '0772000111'],
    ['2567****0111', '07****0111'],
    ['9030 0012-345', '90300012345'],
  ])('reads the payer’s number %s as %s', (written, number) => {
    const text = file(`884121,2026-11-19,Successful,${written},OKELLO,rent,5000,UGX`);
    expect(whole(text, mtn).lines).toMatchObject([{ payerNumber: number }]);
  });

  it('may have two columns of amounts, and columns that nobody needs, from Airtel', () => {
    const text = [
      'Transaction ID,Date,Status,Sender number,Sender name,Reference,Debit,Credit,Currency,Agent',
      'AM1,2026-11-19,TS,0752000111,OKELLO,thanks,,5000,UGX,x',
      '',
    ].join('\n');
    expect(whole(text, airtel).lines).toMatchObject([{ id: 'AM1', amount: 500_000, payerNumber: '0752000111' }]);
  });

  it('gives a line without a bank’s id one of our own: the same in every file of that day', () => {
    const same = '19/11/2026,,MULAGO,School fees,,100,UGX';
    const [first, second] = whole(bankFile(same, same, 'TOTAL,2,,,,200,'), bank).lines;
    const [again] = whole(bankFile(same, 'TOTAL,1,,,,100,'), bank).lines;
    expect(first?.id).toBe(again?.id);
    expect(second?.id).not.toBe(first?.id);
  });

  it('has an operator’s line once, even if the file repeats it', () => {
    expect(whole(file(LINE, LINE), mtn).lines).toHaveLength(1);
  });

  it('keeps each of several equal lines of a bank: the same ones in every file of that day', () => {
    const [same, other] = ['19/11/2026,SO 7,MULAGO,Standing order,,100,UGX', '18/11/2026,SO 6,MULAGO,Order,,100,UGX'];
    const ids = (...lines: string[]) =>
      whole(bankFile(...lines, `TOTAL,${lines.length},,,,${lines.length * 100},`), bank).lines.map(({ id }) => id);
    expect(ids(same, same, same)).toEqual(['SO 7', 'SO 7 (2)', 'SO 7 (3)']);
    expect(ids(other, same, same)).toEqual(['SO 6', 'SO 7', 'SO 7 (2)']);
    expect(ids(same, same.replace('SO 7', 'so7 (2)'), same)).toEqual(['SO 7', 'so7 (2)', 'SO 7 (3)']);
  });

  it.each(['1.250.000', '1 250 000', '1\u00a0250\u00a0000.00', 'UGX 1,250,000/='])('reads the amount %j', (amount) => {
    expect(readStatement(file(LINE.replace('1,250,000.00', amount)), mtn)).toMatchObject({
      lines: [{ amount: 125_000_000 }],
    });
  });

  it.each(['@Moses', '-Kampala', '=pay rent', '+256 is my number'])('has whatever people write: %s', (written) => {
    const line = LINE.replace('ACDE-FGH3', written).replace('NABIRYE SARAH', written);
    expect(whole(file(line), mtn).lines).toMatchObject([{ details: written, payerName: written }]);
  });

  it.each([
    ['nothing', '', mtn, 1, /empty/],
    ['a column that is missing', 'Id,Date\n', mtn, 1, /column is missing/],
    ['a column twice', file().replace('From name', 'From'), mtn, 1, /there twice|missing/],
    ['a line that is cut off', `${file(LINE)}884121,2026-11-19,Succ`, mtn, 3, /last line has no end/],
    ['a last line without its end', file(LINE).slice(0, -1), mtn, 2, /last line has no end/],
    ['a wrong number of cells', file(LINE, '884121,2026-11-19'), mtn, 3, /It has 2 cells/],
    ['a quotation mark that is open', file(LINE.replace('"1,250', '1,250')), mtn, 2, /not closed/],
    ['another currency', file(LINE.replace('UGX', 'USD')), mtn, 2, /for UGX/],
    ['an amount that is no number', file(LINE.replace('1,250,000.00', '1250000,-')), mtn, 2, /amount above 0/],
    ['an amount with odd thousands', file(LINE.replace('1,250,000.00', '12,50,000')), mtn, 2, /amount above 0/],
    ['an amount with a decimal comma', file(LINE.replace('1,250,000.00', '1250000,00')), mtn, 2, /amount above 0/],
    ['an amount in words', file(LINE.replace('1,250,000.00', '1.25m')), mtn, 2, /amount above 0/],
    ['an amount below 0 twice', file(LINE.replace('1,250,000.00', '--500')), mtn, 2, /amount above 0/],
    ['an amount of nothing', file(LINE.replace('1,250,000.00', '0.00')), mtn, 2, /amount above 0/],
    ['more than amounts hold', file(LINE.replace('1,250,000.00', '99999999999999')), mtn, 2, /amount above 0/],
    ['a formula for an id', file(LINE.replace('884120', '=HYPERLINK(1)')), mtn, 2, /formula/],
    ['a formula for a number', file(LINE.replace('256772000111', '+cmd|x')), mtn, 2, /formula/],
    ['a formula for an amount', file(LINE.replace('"1,250,000.00"', '=1+1')), mtn, 2, /amount/],
    ['a day that does not exist', file(LINE.replace('2026-11-19', '2026-02-30')), mtn, 2, /YYYY-MM-DD/],
    ['a day of another form', file(LINE.replace('2026-11-19', '19/11/2026')), mtn, 2, /YYYY-MM-DD/],
    ['a day before the first', file(LINE.replace('2026-11-19', '2026-11-17')), mtn, 2, /not within the days/],
    ['a day after the last', file(LINE.replace('2026-11-19', '2026-11-21')), mtn, 2, /not within the days/],
    ['no id', file(LINE.replace('884120', '')), mtn, 2, /provider’s id/],
    ['an id twice, with two amounts', file(LINE, LINE.replace('1,250', '1,251')), mtn, 3, /id of line 2/],
    ['no trailer', bankFile('19/11/2026,B1,MULAGO,x,,100,UGX'), bank, 2, /cut off/],
    ['a trailer of another count', bankFile('19/11/2026,B1,M,x,,100,UGX', 'TOTAL,2,,,,100,'), bank, 3, /cut off/],
    ['a trailer of another sum', bankFile('19/11/2026,B1,M,x,,100,UGX', 'TOTAL,1,,,,10,'), bank, 3, /cut off/],
    ['debit and credit', bankFile('19/11/2026,B1,M,x,5,100,UGX', 'TOTAL,1,,,5,100,'), bank, 2, /either/],
    ['nothing that moved', file(LINE.replace('Successful', 'Failed')), mtn, 1, /no line/],
    ['too many lines', `${HEADER}\n${`${LINE}\n`.repeat(MAXIMUM_LINES)}`, mtn, MAXIMUM_LINES + 1, /5,000/],
  ] as const)('is refused with %s, and names the place', (_, text, expected, line, why) => {
    const read = readStatement(text, expected);
    expect(read).toMatchObject({ line, why: expect.stringMatching(why) });
  });

  it('cut off anywhere is refused, or has every line that it says', () => {
    const row = fc.record({
      id: fc.stringMatching(/^[A-Z0-9]{4,12}$/),
      amount: fc.integer({ min: 1, max: 10_000_000_000 }),
      isIn: fc.boolean(),
      details: fc.stringMatching(/^[A-Za-z "]{0,20}$/),
    });
    const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 8, selector: ({ id }) => id });
    const property = fc.property(rows, fc.nat(), (given, cut) => {
      const sum = (isIn: boolean) =>
        minorToNumeric(given.reduce((total, one) => total + (one.isIn === isIn ? one.amount : 0), 0));
      const text = bankFile(
        ...given.map(({ id, amount, isIn, details }) => {
          const [debit, credit] = isIn ? ['', minorToNumeric(amount)] : [minorToNumeric(amount), ''];
          return `19/11/2026,${id},MULAGO,"${details.replaceAll('"', '""')}",${debit},${credit},UGX`;
        }),
        `TOTAL,${given.length},,,${sum(false)},${sum(true)},`,
      );
      expect(whole(text, bank).lines.map(({ id, amount }) => [id, amount])).toEqual(
        given.map(({ id, amount, isIn }) => [id, isIn ? amount : -amount]),
      );
      expect(readStatement(text.slice(0, cut % text.length), bank)).toHaveProperty('why');
    });
    fc.assert(property, { numRuns: 500 });
  });
});
