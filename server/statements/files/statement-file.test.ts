import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minorToNumeric } from '#contract/money.ts';
import type { Expected, Statement } from '#contract/statements/read-statement.ts';
import { MAXIMUM_LINES } from '#contract/statements/table.ts';
import { readStatementFile } from './statement-file.ts';

const mtn: Expected = { rail: 'mtn', currency: 'UGX', from: '2026-11-18', until: '2026-11-20' };
const airtel: Expected = { ...mtn, rail: 'airtel' };
const bank: Expected = { ...mtn, rail: 'bank' };
const HEADER = 'Id,Date,Status,From,From name,Message,Amount,Currency';
const LINE = '884120,2026-11-19 08:15,Successful,256772000111,NABIRYE SARAH,ACDE-FGH3,"1,250,000.00",UGX';
const file = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');
const BANK_HEADER = 'Date,Bank reference,Payer,Details,Debit,Credit,Currency';
const bankFile = (...lines: string[]) => [BANK_HEADER, ...lines, ''].join('\r\n');

const whole = async (file: string | Buffer, expected: Expected): Promise<Statement> => {
  const read = await readStatementFile(Buffer.from(file), expected);
  if ('why' in read) throw new Error(`line ${read.line}: ${read.why}`);
  return read;
};

describe('a statement', () => {
  it('is read with its payers from MTN, without lines that did not succeed', async () => {
    const failed = LINE.replace('884120', '884121').replace('Successful', 'Failed');
    const out = '884122,2026-11-19,Successful,,KASENTE,Payout,-801000,UGX';
    expect(await whole(file(LINE, failed, out), mtn)).toEqual({
      left: 1,
      lines: [
        {
          place: 2,
          id: '884120',
          date: '2026-11-19',
          amount: 125_000_000,
          details: 'ACDE-FGH3',
          payerNumber: '0772000111',
          payerName: 'NABIRYE SARAH',
        },
        {
          place: 4,
          id: '884122',
          date: '2026-11-19',
          amount: -80_100_000,
          details: 'Payout',
          payerNumber: null,
          payerName: 'KASENTE',
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
  ])('reads the payer’s number %s as %s', async (written, number) => {
    const text = file(`884121,2026-11-19,Successful,${written},OKELLO,rent,5000,UGX`);
    expect((await whole(text, mtn)).lines).toMatchObject([{ payerNumber: number }]);
  });

  it.each(['1.250.000', '1 250 000', '1\u00a0250\u00a0000.00', 'UGX 1,250,000/='])(
    'reads the amount %j',
    async (amount) => {
      const text = file(LINE.replace('1,250,000.00', amount));
      expect((await whole(text, mtn)).lines).toMatchObject([{ amount: 125_000_000 }]);
    },
  );

  it('may have two columns of amounts, and columns that nobody needs, from Airtel', async () => {
    const text = [
      'Transaction ID,Date,Status,Sender number,Sender name,Reference,Debit,Credit,Currency,Agent',
      'AM1,2026-11-19,TS,0752000111,OKELLO,thanks,,5000,UGX,x',
      '',
    ].join('\n');
    expect((await whole(text, airtel)).lines).toMatchObject([
      { id: 'AM1', amount: 500_000, payerNumber: '0752000111' },
    ]);
  });

  it('gives a line without a bank’s id one of our own: the same in every file of that day', async () => {
    const same = '19/11/2026,,MULAGO,School fees,,100,UGX';
    const [first, second] = (await whole(bankFile(same, same, 'TOTAL,2,,,,200,'), bank)).lines;
    const [again] = (await whole(bankFile(same, 'TOTAL,1,,,,100,'), bank)).lines;
    expect(first?.id).toBe(again?.id);
    expect(second?.id).not.toBe(first?.id);
  });

  it('has an operator’s line once, even if the file repeats it', async () => {
    expect((await whole(file(LINE, LINE), mtn)).lines).toHaveLength(1);
  });

  it('keeps each of several equal lines of a bank: the same ones in every file of that day', async () => {
    const [same, other] = ['19/11/2026,SO 7,MULAGO,Standing order,,100,UGX', '18/11/2026,SO 6,MULAGO,Order,,100,UGX'];
    const ids = async (...lines: string[]) => {
      const text = bankFile(...lines, `TOTAL,${lines.length},,,,${lines.length * 100},`);
      return (await whole(text, bank)).lines.map(({ id }) => id);
    };
    expect(await ids(same, same, same)).toEqual(['SO 7', 'SO 7 (2)', 'SO 7 (3)']);
    expect(await ids(other, same, same)).toEqual(['SO 6', 'SO 7', 'SO 7 (2)']);
    expect(await ids(same, same.replace('SO 7', 'so7 (2)'), same)).toEqual(['SO 7', 'so7 (2)', 'SO 7 (3)']);
  });

  it.each(['@Moses', '-Kampala', '=pay rent', '+256 is my number'])(
    'has whatever people write: %s',
    async (written) => {
      const line = LINE.replace('ACDE-FGH3', written).replace('NABIRYE SARAH', written);
      expect((await whole(file(line), mtn)).lines).toMatchObject([{ details: written, payerName: written }]);
    },
  );

  it.each([
    ['nothing', '', mtn, 1, /empty/],
    ['a column that is missing', 'Id,Date\n', mtn, 1, /column is missing/],
    ['a column twice', file().replace('From name', 'From'), mtn, 1, /there twice|missing/],
    ['a line that is cut off', `${file(LINE)}884121,2026-11-19,Succ`, mtn, 3, /last line has no end/],
    ['a last line without its end', file(LINE).slice(0, -1), mtn, 2, /last line has no end/],
    ['a wrong number of cells', file(LINE, '884121,2026-11-19'), mtn, 3, /It has 2 cells/],
    ['a quotation mark that is open', file(LINE.replace('"1,250', '1,250')), mtn, 2, /It has 10 cells/],
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
  ] as const)('is refused with %s, and names the place', async (_, text, expected, line, why) => {
    const read = await readStatementFile(Buffer.from(text), expected);
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
    const property = fc.asyncProperty(rows, fc.nat(), async (given, cut) => {
      const sum = (isIn: boolean) =>
        minorToNumeric(given.reduce((total, one) => total + (one.isIn === isIn ? one.amount : 0), 0));
      const text = bankFile(
        ...given.map(({ id, amount, isIn, details }) => {
          const [debit, credit] = isIn ? ['', minorToNumeric(amount)] : [minorToNumeric(amount), ''];
          return `19/11/2026,${id},MULAGO,"${details.replaceAll('"', '""')}",${debit},${credit},UGX`;
        }),
        `TOTAL,${given.length},,,${sum(false)},${sum(true)},`,
      );
      expect((await whole(text, bank)).lines.map(({ id, amount }) => [id, amount])).toEqual(
        given.map(({ id, amount, isIn }) => [id, isIn ? amount : -amount]),
      );
      const read = await readStatementFile(Buffer.from(text.slice(0, cut % text.length)), bank);
      if (!('why' in read)) expect(read).toEqual(await whole(text, bank));
    });
    return fc.assert(property, { numRuns: 500 });
  });
});

const PLAIN = '884120,2026-11-19,Successful,256772000111,NABIRYE SARAH,pipes,1000,UGX';
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const bankLine = (details: string) => `19/11/2026,FT1,MULAGO,${details},,1000,UGX`;
const TOTAL = 'TOTAL,1,,,0,1000,';
/** The lines without their line numbers. */
const linesOf = async (text: string | Buffer, expected: Expected) =>
  (await whole(text, expected)).lines.map((line) => ({ ...line, place: 0 }));

describe('a statement as programs write it', () => {
  const cells = PLAIN.split(',');
  const preamble = 'Account statement\nAccount,256772999888\nPeriod,19/11/2026,to,20/11/2026,Currency,UGX\n\n';
  it.each([
    ['line ends CR', file(PLAIN).replaceAll('\n', '\r')],
    ['line ends CRLF', file(PLAIN).replaceAll('\n', '\r\n')],
    ['mixed line ends', `${HEADER}\r\n${PLAIN}\n\r\n`],
    ['a mark of UTF-8', `\u{feff}${file(PLAIN)}`],
    ['UTF-16LE with its mark', utf16(`\u{feff}${file(PLAIN)}`)],
    ['UTF-16LE without its mark', utf16(file(PLAIN))],
    ['UTF-16BE with its mark', utf16(`\u{feff}${file(PLAIN)}`).swap16()],
    ['UTF-16BE without its mark', utf16(file(PLAIN)).swap16()],
    ['spaces before and behind quotation marks', `${HEADER}\n ${cells.map((cell) => `"${cell}" `).join(', ')}\n`],
    ['no-break spaces around cells', `${HEADER}\n${cells.map((cell) => `\u{a0}${cell}\u{a0}`).join(',')}\n`],
    ['semicolons', file(PLAIN).replaceAll(',', ';')],
    ['semicolons, and commas in texts', file(PLAIN).replaceAll(',', ';').replace('1000', '"1,000.00"')],
    ['tabs', file(PLAIN).replaceAll(',', '\t')],
    ['a hint of the separator', `sep=;\n${file(PLAIN).replaceAll(',', ';')}`],
    ['lines above the heading', `${preamble}${file(PLAIN)}`],
    ['lines above the heading, with blank cells', `Account statement,,,,,,,\n,,,,,,,\n${file(PLAIN)}`],
    ['a name in inches above the heading', `Statement of 12" Pipes Ltd\n${file(PLAIN)}`],
    ['blank lines and lines of blank cells', `\n${HEADER}\n\n${PLAIN}\n,,,,,,,\n   \n\n`],
    ['its heading on each page', file(PLAIN, HEADER)],
    ['spaces behind the last line', `${file(PLAIN)}  `],
    ['blank columns', `${HEADER},,\n${PLAIN},,\n`],
    ['blank cells behind each line', `${HEADER}\n${PLAIN},,\n`],
  ])('is read with %s like its plain form', async (_, text) => {
    expect(await linesOf(text, mtn)).toEqual(await linesOf(file(PLAIN), mtn));
  });

  it.each([
    ['12" pipes', '12" pipes'],
    ['pipes 12"', 'pipes 12"'],
    ['"12" pipes"', '12" pipes'],
    ['"12"" pipes"', '12" pipes'],
    ['"Mama" Sarah', '"Mama" Sarah'],
    ['" pipes', '" pipes'],
    ['"', '"'],
    ['""', ''],
    ['"rent, Nov"', 'rent, Nov'],
    ['"rent,\nNov"', 'rent, Nov'],
    ['"rent\r\n\r\nNov"', 'rent  Nov'],
  ])('has the text of %s', async (written, details) => {
    expect((await whole(file(PLAIN.replace('pipes', written)), mtn)).lines).toMatchObject([
      { id: '884120', amount: 100_000, details },
    ]);
  });

  it('has names in Windows-1252', async () => {
    const text = Buffer.from(file(PLAIN.replace('SARAH', 'Zo\xeb')), 'latin1');
    expect(await linesOf(text, mtn)).toMatchObject([{ payerName: 'NABIRYE Zo\u{eb}' }]);
  });

  it('names lines as an editor counts them', async () => {
    const lines = ['x\r\n', `${HEADER}\r\n`, '\r\n', `${PLAIN.replace('pipes', '"a\r\nb"')}\r\n`];
    const wrong = PLAIN.replace('884120', '884121').replace('1000', '0');
    expect(await whole(lines.join(''), mtn)).toMatchObject({ lines: [{ place: 4 }] });
    expect(await readStatementFile(Buffer.from(`${lines.join('')}${wrong}\r\n`), mtn)).toMatchObject({ line: 6 });
  });

  it.each([
    ['blank cells after the total', bankFile(bankLine('x'), `${TOTAL},,,`)],
    ['a total without its last cells', bankFile(bankLine('x'), 'TOTAL,1,,,0,1000')],
    ['lines of blank cells after the total', bankFile(bankLine('x'), TOTAL, ',,,,,,', ' ')],
    ['a line break in a text', bankFile(bankLine('"x\r\n"'), TOTAL)],
  ])('is read with %s from a bank', async (_, text) => {
    expect(await linesOf(text, bank)).toEqual(await linesOf(bankFile(bankLine('x'), TOTAL), bank));
  });

  const second = PLAIN.replace('884120', '884121');
  it.each([
    // If quotation marks quoted cells, each pair would be one payment with the id of the first and the amount of the
    // second.
    ['two stray marks', file(PLAIN.replace('pipes', '"pipes'), second.replace('pipes', 'pipes"')), 2, /whole lines/],
    [
      'a stray mark, and marks around a comma',
      file(PLAIN.replace('NABIRYE', '"NABIRYE'), second.replace('pipes', '"Nov, 7"')),
      2,
      /whole lines/,
    ],
    [
      'a stray mark, and marks around a comma at the start',
      file(PLAIN.replace('NABIRYE', '"NABIRYE'), second.replace('pipes', '", Nov 7"')),
      2,
      /whole lines/,
    ],
    ['a comma without marks', file(PLAIN.replace('pipes', 'rent, 500')), 2, /It has 9 cells/],
    [
      'a comma without marks before a blank last column',
      `${HEADER.replace('Message,Amount,Currency', 'Currency,Message,Amount,Note')}\n${PLAIN.replace('pipes,1000,UGX', 'UGX,rent,500,1000,')}\n`,
      2,
      /It has 10 cells/,
    ],
    ['a payment above the heading', `${PLAIN}\n${HEADER}\n${second}\n`, 1, /above the heading/],
    ['marks that open and never close', file(PLAIN.replace('pipes', '"rent, Nov'), second), 2, /not closed/],
    [
      'a second heading in another order',
      file(PLAIN, HEADER.replace('Id,Date', 'Date,Id'), second),
      3,
      /second heading/,
    ],
    ['decimal commas', file(PLAIN).replaceAll(',', ';').replace('1000', '12,50'), 2, /amount above 0/],
    ['no heading', `${PLAIN}\n`, 1, /No line has the columns Id, Date/],
    ['a heading in other words', file(PLAIN).replace('Id,Date,Status', 'No,Day,State'), 1, /column is missing/],
    ['semicolons, and a missing column', file(PLAIN).replace('Id', 'No').replaceAll(',', ';'), 1, /column is missing/],
    ['UTF-16 that was cut off', utf16(file(PLAIN)).subarray(0, -1), 1, /not text, or was cut off/],
    ['a spreadsheet', Buffer.from('PK\u{3}\u{4}\0\0\0\n', 'latin1'), 1, /not text/],
  ] as const)('is refused with %s, and names the place', async (_, text, line, why) => {
    const read = await readStatementFile(Buffer.from(text), mtn);
    expect(read).toMatchObject({ line, why: expect.stringMatching(why) });
  });

  it('keeps a forged line in a payer’s words a part of these words', async () => {
    const forged = `"hello\n${second.replace('pipes', 'x')}\n"`;
    const read = await readStatementFile(Buffer.from(file(PLAIN.replace('pipes', forged))), mtn);
    expect(read).toMatchObject({ line: 2, why: expect.stringMatching(/whole lines/) });
    const short = `"hello\n${second.slice(0, 30)}\n"`;
    expect((await whole(file(PLAIN.replace('pipes', short)), mtn)).lines).toHaveLength(1);
  });
});
