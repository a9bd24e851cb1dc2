import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { compareLines, keysOfLines, type Said } from './known-lines.ts';
import type { Rail } from './layouts.ts';
import type { StatementLine } from './read-statement.ts';

const line = (id: string, change: Partial<StatementLine> = {}): StatementLine => ({
  ...{ place: 2, id, date: '2026-11-20', amount: 50_000, payerNumber: null, payerName: 'OKELLO', details: 'rent' },
  ...change,
});

/** Imports statements one after the other; returns what was kept, and what contradicted it. */
function takeIn(rail: Rail, files: readonly (readonly StatementLine[])[]) {
  const kept = new Map<string, Said>();
  const contradicting = files.flatMap((lines) => {
    const keys = new Set(keysOfLines(rail, lines));
    const compared = compareLines(rail, lines, new Map([...kept].filter(([key]) => keys.has(key))));
    for (const one of compared.fresh) kept.set(referenceKey(one.id), one);
    return compared.contradicting;
  });
  return { kept, contradicting };
}

const payment = ({ date, amount }: Said): string => `${date} ${amount}`;

describe('the lines of a statement', () => {
  const bankLine = fc.record({
    id: fc.constantFrom('SO 7', 'so7', 'B1', 'SO 7 2026-11-19 1.00'),
    date: fc.constantFrom('2026-11-19', '2026-11-20'),
    amount: fc.constantFrom(100, 200, -100),
  });
  const distinct = fc.uniqueArray(bankLine, {
    selector: ({ id, date, amount }) => `${referenceKey(id)} ${date} ${amount}`,
    minLength: 1,
  });

  it('are each kept once, whichever file comes first and whatever id a bank gives them', () => {
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

  it('are kept or contradict kept ones, even where somebody writes an id that we build', () => {
    const property = fc.property(fc.array(distinct, { minLength: 1, maxLength: 3 }), (given) => {
      const files = given.map((lines) => lines.map((one) => line(one.id, one)));
      for (const lines of files) {
        const { fresh, contradicting, keys } = compareLines('bank', lines, new Map());
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

  it('are known when an earlier release stored another writing of the payer’s number', () => {
    const stored = line('A1', { payerNumber: '00256772.000.111' });
    const { contradicting } = takeIn('mtn', [[stored], [line('A1', { payerNumber: '0772000111' })]]);
    expect(contradicting).toEqual([]);
  });

  it('are other payments with another amount or day, and contradict with other words, for a bank', () => {
    const [first, second] = [line('B1', { details: 'forged' }), line('B1', { amount: 5_000 })];
    const { kept, contradicting } = takeIn('bank', [[first], [line('B1'), second]]);
    expect([...kept.keys()]).toEqual(['b1', 'b12026-11-2050.00']);
    expect(contradicting).toEqual([{ key: 'b1', said: line('B1') }]);
  });
});
