import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineDetails } from './known-lines.ts';
import {
  type Closed,
  type Contradiction,
  contradictedOf,
  type DifferenceKind,
  differencesOf,
  elsewhereOf,
  type Movement,
  type Sides,
  sidesByDay,
  sumOfDay,
  type TransferRecord,
} from './reconciliation.ts';

type Pair = Omit<Sides, 'transfers'>;

const DAY = '2026-11-20';
const BEFORE = '2026-11-19';
const MORNING = new Date('2026-11-20T06:00:00Z');
const CLOSING = new Date('2026-11-21T06:00:00Z');
const atClosing = (side: readonly Movement[]) => side.filter(({ recordedAt }) => recordedAt <= CLOSING);
const closedWith = ({ lines, entries }: Pair): Closed => ({
  at: CLOSING,
  byStatement: sumOfDay(atClosing(lines), DAY),
  byJournal: sumOfDay(atClosing(entries), DAY),
});
const NIGHT = new Date('2026-11-21T20:00:00Z');

const movement = (reference: string, amount: number, change: Partial<Movement> = {}): Movement => ({
  reference,
  amount,
  date: DAY,
  recordedAt: MORNING,
  recordedBy: [1],
  ...change,
});

/** A transfer that both sides record as paid, with the same number. */
const transfer = (number: string, amount: number, change: Partial<TransferRecord> = {}): TransferRecord => ({
  reference: `our ${number}`,
  date: DAY,
  amount,
  here: 'paid',
  numberHere: number,
  knownAt: MORNING,
  isByHand: false,
  recordedBy: [1],
  there: 'paid',
  numberThere: number,
  amountThere: null,
  ...change,
});

/**
 * Transfers without a difference: paid, refused or unknown to the provider, and ended by hand while the provider gives
 * no answer.
 */
const agreeingTransfers = fc
  .uniqueArray(
    fc.record({
      number: fc.stringMatching(/^[A-Z0-9]{6}$/),
      amount: fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((amount) => Math.abs(amount) > 2),
      form: fc.constantFrom('paid', 'withAmount', 'notPaid', 'byHand', 'notPaidByHand', 'spaced'),
    }),
    { selector: ({ number }) => number, maxLength: 12 },
  )
  .map((given) =>
    given.map(({ number, amount, form }): TransferRecord => {
      const none = { numberHere: null, numberThere: null } as const;
      const forms = {
        paid: {},
        withAmount: { amountThere: Math.abs(amount) },
        notPaid: { ...none, here: 'notPaid', there: 'notPaid' },
        byHand: { isByHand: true, there: null, numberThere: null },
        notPaidByHand: { ...none, here: 'notPaid', isByHand: true, there: null },
        spaced: { numberThere: ` ${number.toLowerCase()}` },
      } as const satisfies Record<typeof form, Partial<TransferRecord>>;
      return transfer(number, amount, forms[form]);
    }),
  );

/**
 * A statement and a journal without a difference: each line has its entry; some entries are split in two or reversed.
 */
const agreeing = fc
  .uniqueArray(
    fc.record({
      reference: fc.stringMatching(/^[A-Z0-9]{6}$/),
      amount: fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((amount) => Math.abs(amount) > 2),
      form: fc.constantFrom('one', 'parts', 'reversed', 'cancelled', 'spaced'),
    }),
    { selector: ({ reference }) => reference, minLength: 1, maxLength: 12 },
  )
  .map(
    (given): Pair => ({
      lines: given.map(({ reference, amount }) => movement(reference, amount)),
      entries: given.flatMap(({ reference, amount, form }) => {
        if (form === 'parts') return [movement(reference, 1), movement(reference, amount - 1)];
        if (form === 'reversed') return [amount, -amount, amount].map((one) => movement(reference, one));
        const later = (one: number) => movement(reference, one, { date: BEFORE });
        if (form === 'cancelled') return [movement(reference, amount), later(-amount), later(amount)];
        return [movement(form === 'spaced' ? ` ${reference.toLowerCase()} ` : reference, amount)];
      }),
    }),
  );

/** One difference of each kind, each with its own reference. */
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
} satisfies Record<Exclude<DifferenceKind, 'unsaid' | 'contradicted' | 'elsewhere'>, (amount: number) => Pair>;

/** Differences between a provider and our transfers, exactly one of each kind. */
const plantedTransfers: Readonly<Record<string, readonly [DifferenceKind, (amount: number) => TransferRecord[]]>> = {
  'paid there, refused here': [
    'missingHere',
    (amount) => [transfer('planted', amount, { here: 'notPaid', numberHere: null })],
  ],
  'paid there, ended by hand as not paid': [
    'missingHere',
    (amount) => [transfer('planted', amount, { here: 'notPaid', numberHere: null, isByHand: true })],
  ],
  'paid there, open here': [
    'missingHere',
    (amount) => [transfer('planted', amount, { here: 'open', numberHere: null, knownAt: null })],
  ],
  'paid here, refused or unknown there': [
    'missingThere',
    (amount) => [transfer('planted', amount, { there: 'notPaid', numberThere: null })],
  ],
  'ended by hand as paid, refused there': [
    'missingThere',
    (amount) => [transfer('planted', amount, { there: 'notPaid', numberThere: null, isByHand: true })],
  ],
  'another amount': ['amount', (amount) => [transfer('planted', amount, { amountThere: Math.abs(amount) + 1 })]],
  'two transfers with one number': [
    'twice',
    (amount) => [
      transfer('planted', amount),
      transfer('planted', amount + 7, { date: BEFORE, here: 'open', numberHere: null, knownAt: null }),
    ],
  ],
  'no word of the provider': ['unsaid', (amount) => [transfer('planted', amount, { there: null, numberThere: null })]],
  'open on both sides': [
    'unsaid',
    (amount) => [
      transfer('planted', amount, {
        here: 'open',
        numberHere: null,
        knownAt: null,
        there: 'notPaid',
        numberThere: null,
      }),
    ],
  ],
};

describe('a day', () => {
  it('has no difference if both sides agree, and its sums are equal', () => {
    const property = fc.property(agreeing, agreeingTransfers, (sides, transfers) => {
      expect(differencesOf({ ...sides, transfers }, DAY, null)).toEqual([]);
      expect(differencesOf({ ...sides, transfers }, DAY, closedWith(sides))).toEqual([]);
      expect(sumOfDay(sides.lines, DAY)).toBe(sumOfDay(sides.entries, DAY));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it.each(Object.entries(planted))('shows a planted difference, and nothing else: %s', (kind, plant) => {
    const amounts = fc.integer({ min: 5, max: 1_000_000 });
    const property = fc.property(agreeing, agreeingTransfers, amounts, (sides, transfers, amount) => {
      const more = plant(amount);
      const both = { lines: [...sides.lines, ...more.lines], entries: [...more.entries, ...sides.entries], transfers };
      expect(differencesOf(both, DAY, null)).toMatchObject([{ comparison: 'statement', kind, reference: 'planted' }]);
      for (const day of [DAY, BEFORE])
        expect(differencesOf(sidesByDay(both)(day), day, null)).toEqual(differencesOf(both, day, null));
      expect(differencesOf(both, '2026-11-18', null)).toEqual([]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it.each(Object.entries(plantedTransfers))('shows a planted transfer, and nothing else: %s', (_, [kind, plant]) => {
    const amounts = fc.integer({ min: 5, max: 1_000_000 });
    const property = fc.property(
      agreeing,
      agreeingTransfers,
      amounts,
      fc.boolean(),
      (sides, transfers, amount, isOut) => {
        const planted = plant(isOut ? -amount : amount);
        const all = { ...sides, transfers: [...transfers, ...planted] };
        expect(differencesOf(all, DAY, null)).toMatchObject([{ comparison: 'provider', kind }]);
        for (const day of [DAY, BEFORE])
          expect(differencesOf(sidesByDay(all)(day), day, null)).toEqual(differencesOf(all, day, null));
        expect(differencesOf(all, '2026-11-18', null)).toEqual([]);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('shows a transfer whose outcome became known only after the day was closed', () => {
    const sides = { lines: [], entries: [], transfers: [transfer('planted', 500, { knownAt: NIGHT })] };
    expect(differencesOf(sides, DAY, null)).toEqual([]);
    const late = { comparison: 'provider', kind: 'late', reference: 'planted' };
    expect(differencesOf(sides, DAY, closedWith(sides))).toMatchObject([late]);
  });

  it('shows what either side recorded on it after it was closed', () => {
    const late = { recordedAt: NIGHT };
    for (const [line, entry] of [
      [{}, late],
      [late, {}],
    ] as const) {
      const sides = {
        lines: [movement('planted', 500, line)],
        entries: [movement('planted', 500, entry)],
        transfers: [],
      };
      expect(differencesOf(sides, DAY, null)).toEqual([]);
      expect(differencesOf(sides, DAY, closedWith(sides))).toMatchObject([{ kind: 'late', reference: 'planted' }]);
    }
  });

  it('shows that its sums changed after it was closed, whatever time the movements have', () => {
    const amounts = fc.integer({ min: 5, max: 1_000_000 });
    const property = fc.property(agreeing, amounts, fc.boolean(), (sides, amount, hasLate) => {
      const late = hasLate ? [movement('late', amount + 1, { recordedAt: NIGHT })] : [];
      const more = [movement('planted', amount), ...late];
      const both = { lines: [...sides.lines, ...more], entries: [...sides.entries, ...more], transfers: [] };
      expect(differencesOf(both, DAY, closedWith(sides))).toMatchObject([
        ...late.map(({ reference }) => ({ kind: 'late', reference })),
        { kind: 'late', reference: 'The whole day' },
      ]);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('names everyone who recorded our side', () => {
    const by = (person: number) => movement('planted', 500, { recordedBy: [person] });
    const sides = { lines: [by(3)], entries: [by(1), by(2), by(1)], transfers: [] };
    expect(differencesOf(sides, DAY, null)).toMatchObject([{ kind: 'amount', recordedBy: [3, 1, 2] }]);
  });

  it('names the officers who ended a transfer as not paid that the provider paid', () => {
    const notPaid = { here: 'notPaid', numberHere: null, isByHand: true, recordedBy: [7, 8] } as const;
    const sides = { lines: [], entries: [], transfers: [transfer('planted', -500, notPaid)] };
    expect(differencesOf(sides, DAY, null)).toMatchObject([{ kind: 'missingHere', recordedBy: [7, 8] }]);
  });

  const words = { date: DAY, amount: 500, payerNumber: null, payerName: 'OKELLO', details: 'for A' };
  const file = (fileName: string) => ({
    ...({ tag: fileName, account: 'all', fileName, importedAt: NIGHT, by: 'Akello Grace' } as const),
  });
  /** The lines of a.csv that b.csv, or another statement, lacks or contradicts. */
  const against = (references: readonly string[], name = 'b.csv', other: LineDetails | null = null): Contradiction => ({
    date: DAY,
    imports: [file('a.csv'), file(name)],
    digest: `${references.join(' ')} ${JSON.stringify(other)}`,
    isLacking: other === null,
    lineCount: references.length,
    amount: 500 * references.length,
    lines: references.map((reference) => ({ reference, ours: words, other })),
    lineIds: [],
    recordedBy: [7],
  });
  const idOf = (...given: Contradiction[]) => contradictedOf(given, DAY)[0]?.difference;

  it('names a pair of statements once, however many lines one of them lacks', () => {
    const [found, ...more] = contradictedOf([against(['X', 'Y', 'Z']), against(['V'], 'b.csv')], DAY);
    expect(found).toMatchObject({ reference: '3 lines', there: 1_500, here: null, lineCount: 3, recordedBy: [7] });
    expect(found?.lines.map(({ reference }) => reference)).toEqual(['X', 'Y', 'Z']);
    expect(found?.imports.map(({ fileName, says }) => [fileName, says])).toEqual([
      ['a.csv', null],
      ['b.csv', null],
    ]);
    expect(more).toMatchObject([{ reference: 'V', there: 500, lines: [], imports: [{ says: words }, { says: null }] }]);
    expect(contradictedOf([against(['X'])], BEFORE)).toEqual([]);
  });

  it('groups statements that lack the same lines; if one lacks another line as well, it is another difference', () => {
    const pairs = [against(['X']), against(['X'], 'c.csv')];
    const [found, ...more] = contradictedOf(pairs, DAY);
    expect(more).toEqual([]);
    expect(found?.imports.map(({ fileName }) => fileName)).toEqual(['a.csv', 'b.csv', 'c.csv']);
    expect(idOf(...pairs.slice(1))).not.toBe(found?.difference);
  });

  it('keeps the difference unchanged if a statement repeats a contradicted line in other words', () => {
    const other = { ...words, amount: 400 };
    const otherwise = [against(['X'], 'b.csv', other), against(['X'], 'c.csv', { ...other })] as const;
    expect(contradictedOf(otherwise, DAY)).toMatchObject([{ there: 500, here: 400, imports: [{}, {}, {}] }]);
    expect(idOf(...otherwise)).toBe(idOf(otherwise[0]));
    expect(contradictedOf([...otherwise, against(['X'])], DAY)).toHaveLength(2);
  });

  it('names the application on which a line is counted if the line names only another', () => {
    const application = (tag: string) => ({ tag, invoiceNumber: `INV ${tag}` });
    const counted = (on: string, names: readonly string[], change = {}) => ({
      ...movement('X', 500, { recordedBy: [7], ...change }),
      counted: 200,
      on: application(on),
      names: names.map(application),
    });
    expect(elsewhereOf([counted('a', []), counted('a', ['a']), counted('a', ['b', 'a'])], DAY)).toEqual([]);
    const wrong = [counted('a', ['b']), counted('c', ['b'], { recordedBy: [8] }), counted('b', ['b'])];
    expect(elsewhereOf(wrong, BEFORE)).toEqual([]);
    const [found, ...more] = elsewhereOf(wrong, DAY);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ kind: 'elsewhere', there: 500, here: 400, recordedBy: [7, 8] });
    expect(found?.applications.map(({ tag, isNamed }) => [tag, isNamed])).toEqual([
      ['b', true],
      ['a', false],
      ['c', false],
    ]);
    expect(elsewhereOf(wrong.slice(1), DAY)[0]?.difference).not.toBe(found?.difference);
  });

  it('has another difference if one of its amounts changes', () => {
    const of = (amount: number) =>
      differencesOf({ ...planted.amount(amount), transfers: [] }, DAY, null)[0]?.difference;
    expect(of(500)).not.toBe(of(501));
  });
});
