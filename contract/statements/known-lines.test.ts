import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { compareLines, idWithout, keysOfLines, type LineDetails, refusalOfRepeat } from './known-lines.ts';
import type { Rail } from './layouts.ts';
import type { StatementLine } from './read-statement.ts';

const line = (id: string, change: Partial<StatementLine> = {}): StatementLine => ({
  place: 2,
  id,
  date: '2026-11-20',
  amount: 50_000,
  payerNumber: null,
  payerName: 'OKELLO',
  details: 'rent',
  ...change,
});

/** Imports statements one after the other. Returns the stored lines and the contradicting ones. */
function takeIn(rail: Rail, files: readonly (readonly StatementLine[])[]) {
  const kept = new Map<string, StatementLine>();
  const contradicting = files.flatMap((lines) => {
    const keys = new Set(keysOfLines(rail, lines));
    const before = [...kept].filter(([key]) => keys.has(key)).map(([key, one]) => ({ ...one, key }));
    const compared = compareLines(rail, lines, before);
    for (const one of compared.fresh) kept.set(referenceKey(one.id), one);
    return compared.contradicting;
  });
  return { kept, contradicting };
}

const payment = ({ date, amount }: LineDetails): string => `${date} ${amount}`;

describe('a statement line', () => {
  const bankLine = fc.record({
    id: fc.constantFrom('SO 7', 'so7', 'B1', 'SO 7 2026-11-19 1.00'),
    date: fc.constantFrom('2026-11-19', '2026-11-20'),
    amount: fc.constantFrom(100, 200, -100),
  });
  const distinct = fc.uniqueArray(bankLine, {
    selector: ({ id, date, amount }) => `${referenceKey(id)} ${date} ${amount}`,
    minLength: 1,
  });

  it('is stored once, whichever file is imported first and whatever id the bank gives it', () => {
    const files = fc.tuple(distinct, fc.array(fc.nat(), { maxLength: 4 })).map(([lines, cuts]) => {
      const all = lines.filter(({ id }) => !id.includes('2026')).map((given) => line(given.id, given));
      return { all, files: [...cuts.map((cut) => all.slice(cut % (all.length + 1))), all, [...all].reverse()] };
    });
    const property = fc.property(files, (given) => {
      const { kept, contradicting } = takeIn('bank', given.files);
      expect(contradicting).toEqual([]);
      expect([...kept.values()].map(payment).sort()).toEqual(given.all.map(payment).sort());
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('is stored once or contradicts a stored line, even if its id looks like one that we build', () => {
    const property = fc.property(fc.array(distinct, { minLength: 1, maxLength: 3 }), (given) => {
      const files = given.map((lines) => lines.map((one) => line(one.id, one)));
      for (const lines of files) {
        const { fresh, contradicting, keys } = compareLines('bank', lines, []);
        expect(fresh.length + contradicting.length).toBe(lines.length);
        expect(new Set(fresh.map(({ id }) => referenceKey(id))).size).toBe(fresh.length);
        expect(keys).toEqual(fresh.map(({ id }) => referenceKey(id)));
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it.each([
    ['words', { details: 'other' }],
    ['payer', { payerName: 'NABIRYE' }],
    ['number', { payerNumber: '0772000111' }],
    ['amount', { amount: 50_001 }],
    ['day', { date: '2026-11-19' }],
  ] as const)('contradict those that another statement of an operator brought: %s', (_, change) => {
    const { kept, contradicting } = takeIn('mtn', [[line('A1')], [line(' a1 ')], [line('A1', change)]]);
    expect([...kept.values()]).toEqual([line('A1')]);
    expect(contradicting).toEqual([{ key: 'a1', said: line('A1', change) }]);
  });

  it('is recognised if an earlier release stored the payer’s number in another format', () => {
    const stored = line('A1', { payerNumber: '00256772.000.111' });
    const { contradicting } = takeIn('mtn', [[stored], [line('A1', { payerNumber: '0772000111' })]]);
    expect(contradicting).toEqual([]);
  });

  it('with a bank’s id is another payment if its amount or day differs, and a contradiction if its text differs', () => {
    const [first, second] = [line('B1', { details: 'forged' }), line('B1', { amount: 5_000 })];
    const { kept, contradicting } = takeIn('bank', [[first], [line('B1'), second]]);
    expect([...kept.keys()]).toEqual(['b1', 'b1202611205000']);
    expect(contradicting).toEqual([{ key: 'b1', said: line('B1') }]);
  });
});

describe('lines that had distinct keys in earlier releases', () => {
  it('are each recognised by day and amount', () => {
    const stored = [line('A-1'), line('A1', { date: '2026-11-19' })].map((one) => ({ ...one, key: 'a1' }));
    for (const one of stored)
      expect(compareLines('bank', [one], stored)).toMatchObject({ fresh: [], contradicting: [], repeats: [] });
  });

  it('are recognised if one went out and one came in, with the id built back then', () => {
    const [came, went] = [line('B1'), line('B1', { amount: -50_000 })];
    const { fresh } = compareLines('bank', [came, went], []);
    expect(fresh.map(({ id }) => id)).toEqual(['B1', 'B1 2026-11-20 (500.00)']);
    const old = [came, { ...went, id: 'B1 2026-11-20 -500.00' }].map((one) => ({ ...one, key: referenceKey(one.id) }));
    expect(compareLines('bank', [went, came], old)).toMatchObject({ fresh: [], contradicting: [] });
  });
});

describe('a line with a reference and one without', () => {
  const built = (ordinal: number, change: Partial<StatementLine> = {}) => {
    const one = line('', change);
    return { ...one, id: `${idWithout(one)} ${ordinal}` };
  };
  const stored = (...lines: StatementLine[]) => lines.map((one) => ({ ...one, key: referenceKey(one.id) }));
  const compared = (lines: readonly StatementLine[], before: readonly StatementLine[]) =>
    compareLines('bank', lines, stored(...before)).repeats.map(({ of }) => of);

  it.each([
    ['the same words', {}],
    ['other spaces and capitals', { details: ' RENT', payerName: 'Okello\u00a0' }],
    ['no payer yet', { payerName: null }],
    ['no details yet', { details: '' }],
    ['words for a reference', { id: 'PENDING' }],
    ['only zeros for a reference', { id: '0000' }],
  ] as const)('may be one payment, whichever comes first: %s', (_, change) => {
    const [without, booked] = [{ ...built(1, change), ...change }, line('FT26331ABC')];
    expect(compared([booked], [without])).toHaveLength(1);
    expect(compared([without], [booked])).toHaveLength(1);
    expect(compared([without, booked], [])).toHaveLength(1);
  });

  it.each([
    ['another day', { date: '2026-11-19' }],
    ['another amount', { amount: 50_001 }],
    ['another payer', { payerName: 'NABIRYE' }],
    ['other details', { details: 'school fees' }],
  ] as const)('are two payments if they have %s', (_, change) => {
    expect(compared([line('FT26331ABC')], [built(1, change)])).toEqual([]);
  });

  it('are possible repeats: each booked line is paired with a pending line of its own while there is one', () => {
    const pending = [built(1), built(2)];
    const of = compared([line('FT1'), line('FT2'), line('FT3')], pending);
    expect(new Set(of).size).toBe(2);
    expect(of).toHaveLength(3);
  });

  it('are not possible repeats if money went out, or if both have a reference or neither has', () => {
    expect(compared([line('FT1', { amount: -50_000 })], [built(1, { amount: -50_000 })])).toEqual([]);
    expect(compared([line('FT1')], [line('FT2')])).toEqual([]);
    expect(compared([built(2)], [built(1)])).toEqual([]);
  });

  it('do not contradict each other', () => {
    const [pending] = stored(built(1));
    expect(compareLines('bank', [line('FT1')], stored(built(1))).keys).toContain(pending?.key);
  });
});

describe('an officer’s decision about a possible repeat', () => {
  it('is made once; only "another payment" can be corrected later, by an officer other than the importer', () => {
    const refusal = (isSame: boolean | null, answer: boolean, by = 2) =>
      refusalOfRepeat({ isSame, importedBy: 1 }, { isSame: answer, by });
    expect([refusal(null, true), refusal(null, false), refusal(true, false)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([refusal(true, true), refusal(false, true), refusal(false, false)]).toEqual(
      Array(3).fill('REPEAT_ANSWERED'),
    );
    expect([refusal(null, false, 1), refusal(true, false, 1), refusal(null, true, 1)]).toEqual([
      'OWN_REPEAT',
      'OWN_REPEAT',
      undefined,
    ]);
  });
});
