import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Closed,
  type DifferenceKind,
  differencesOf,
  type Movement,
  type Sides,
  sumOfDay,
} from './reconciliation.ts';

const DAY = '2026-11-20';
const BEFORE = '2026-11-19';
const MORNING = new Date('2026-11-20T06:00:00Z');
const closedWith = ({ lines, entries }: Sides): Closed => ({
  at: new Date('2026-11-21T06:00:00Z'),
  byStatement: sumOfDay(lines, DAY),
  byJournal: sumOfDay(entries, DAY),
});
const NIGHT = new Date('2026-11-21T20:00:00Z');

const movement = (reference: string, amount: number, change: Partial<Movement> = {}): Movement => ({
  ...{ reference, amount, date: DAY, recordedAt: MORNING },
  ...change,
});

/** Sides that agree: each line has its entry, some of which come in two parts or with a reversal. */
const agreeing = fc
  .uniqueArray(
    fc.record({
      reference: fc.stringMatching(/^[A-Z0-9]{6}$/),
      amount: fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((amount) => Math.abs(amount) > 2),
      form: fc.constantFrom('one', 'parts', 'reversed', 'spaced'),
    }),
    { selector: ({ reference }) => reference, minLength: 1, maxLength: 12 },
  )
  .map(
    (given): Sides => ({
      lines: given.map(({ reference, amount }) => movement(reference, amount)),
      entries: given.flatMap(({ reference, amount, form }) => {
        if (form === 'parts') return [movement(reference, 1), movement(reference, amount - 1)];
        if (form === 'reversed') return [amount, -amount, amount].map((one) => movement(reference, one));
        return [movement(form === 'spaced' ? ` ${reference.toLowerCase()} ` : reference, amount)];
      }),
    }),
  );

/** One difference of each kind, planted under a reference of its own. */
const planted = {
  missingHere: (amount) => ({ lines: [movement('planted', amount)], entries: [] }),
  missingThere: (amount) => ({ lines: [], entries: [movement('planted', amount)] }),
  amount: (amount) => ({ lines: [movement('planted', amount)], entries: [movement('planted', amount + 1)] }),
  twice: (amount) => ({
    lines: [movement('planted', amount)],
    entries: [movement('planted', amount), movement('planted', amount)],
  }),
  late: (amount) => ({
    lines: [movement('planted', amount, { date: BEFORE })],
    entries: [movement('planted', amount)],
  }),
} satisfies Record<DifferenceKind, (amount: number) => Sides>;

describe('a day', () => {
  it('without a difference has none, and its sums agree', () => {
    const property = fc.property(agreeing, (sides) => {
      expect(differencesOf(sides, DAY, null)).toEqual([]);
      expect(differencesOf(sides, DAY, closedWith(sides))).toEqual([]);
      expect(sumOfDay(sides.lines, DAY)).toBe(sumOfDay(sides.entries, DAY));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it.each(Object.entries(planted))('shows a planted difference, and nothing else: %s', (kind, plant) => {
    const property = fc.property(agreeing, fc.integer({ min: 5, max: 1_000_000 }), (sides, amount) => {
      const more = plant(amount);
      const both = { lines: [...sides.lines, ...more.lines], entries: [...more.entries, ...sides.entries] };
      expect(differencesOf(both, DAY, null)).toMatchObject([{ kind, reference: 'planted' }]);
      expect(differencesOf(both, '2026-11-18', null)).toEqual([]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('that was closed shows what is recorded on it since, on either side', () => {
    const late = { recordedAt: NIGHT };
    for (const [line, entry] of [
      [{}, late],
      [late, {}],
    ] as const) {
      const sides = { lines: [movement('planted', 500, line)], entries: [movement('planted', 500, entry)] };
      expect(differencesOf(sides, DAY, null)).toEqual([]);
      expect(differencesOf(sides, DAY, closedWith(sides))).toMatchObject([{ kind: 'late', reference: 'planted' }]);
    }
  });

  it('that was closed shows that its sums changed, whatever its movements say of their time', () => {
    const property = fc.property(agreeing, fc.integer({ min: 5, max: 1_000_000 }), (sides, amount) => {
      const more = { lines: [movement('planted', amount)], entries: [movement('planted', amount)] };
      const both = { lines: [...sides.lines, ...more.lines], entries: [...sides.entries, ...more.entries] };
      expect(differencesOf(both, DAY, closedWith(sides))).toMatchObject([{ kind: 'late', reference: 'The whole day' }]);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('has another difference when an amount of it changes', () => {
    const of = (amount: number) => differencesOf(planted.amount(amount), DAY, null)[0]?.difference;
    expect(of(500)).not.toBe(of(501));
  });
});
