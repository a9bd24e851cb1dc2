import { expect, it } from 'vitest';
import type { Flag } from '#contract/desk/schema.ts';
import { type JudgedCase, type RedFact, redFactsOf } from './red-facts.ts';

const clean: JudgedCase = {
  flags: [],
  history: {
    applications: 3,
    approved: 2,
    declined: 1,
    settledOnTime: 2,
    settledLate: 0,
    overdue: 0,
    withThisBuyer: 1,
  },
  exposure: {
    currencyId: 1,
    currency: 'UGX',
    limit: 20_000_000,
    outstanding: 5_000_000,
    submitted: 15_000_000,
    available: 0,
    growth: null,
  },
  clock: { state: 'running', decideBy: null, minutesLeft: 30, missed: false, targetMinutes: 240 },
};

const texts = (facts: readonly RedFact[]) => facts.map(({ text }) => text);

it('a clean case has nothing red: a limit used to the full, a decline, an SLA that ends now', () => {
  expect(redFactsOf(clean, 0)).toEqual([]);
  expect(redFactsOf(clean, null)).toEqual([]);
});

it('every open flag is red, with the other invoice', () => {
  const other = {
    tag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b11',
    invoiceNumber: 'NT-7',
    date: '2026-11-02',
    client: 'Nakasero Traders Ltd',
    buyer: 'Umeme',
    currency: 'UGX',
    amount: 1_000_000,
    amountAppliedFor: 900_000,
    status: 'Submitted',
  } as const;
  const acknowledged = {
    by: { tag: other.tag, name: 'Odongo Peter' },
    at: '2026-11-20T09:00:00.000Z',
    reason: 'Another delivery',
  };
  const flags: Flag[] = [
    { kind: 'coverage', files: [], other: null, fact: 'UGX 1 should arrive', acknowledged: null },
    { kind: 'sameNumberAndAmount', files: [], other, fact: null, acknowledged: null },
    { kind: 'sameFile', files: ['scan.pdf'], other, fact: null, acknowledged: null },
    { kind: 'nearNumber', files: [], other, fact: null, acknowledged },
  ];
  expect(texts(redFactsOf({ ...clean, flags }, 30))).toEqual([
    'What the buyer will pay does not cover the advance: UGX 1 should arrive',
    'Possible duplicate of NT-7, Nakasero Traders Ltd: same buyer, number and amount, from another client',
    'Possible duplicate of NT-7, Nakasero Traders Ltd: the same file was uploaded for another invoice',
  ]);
});

it('overdue and late applications of the client are counted in red', () => {
  expect(texts(redFactsOf({ ...clean, history: { ...clean.history, overdue: 1, settledLate: 2 } }, 30))).toEqual([
    '1 advance overdue now',
    '2 advances paid back late',
  ]);
});

it('an exceeded limit is red with the excess, also where there is no limit', () => {
  const exposure = { ...clean.exposure, submitted: 15_000_001.5 };
  expect(texts(redFactsOf({ ...clean, exposure }, 30))).toEqual(["UGX 1.5 above the client's limit"]);
  expect(texts(redFactsOf({ ...clean, exposure: { ...clean.exposure, limit: 0 } }, 30))).toEqual([
    "UGX 20,000,000 above the client's limit",
  ]);
});

it('an SLA that has passed is red, whatever its length', () => {
  expect(texts(redFactsOf(clean, -1))).toEqual(['Past our 4-hour promise']);
  expect(texts(redFactsOf({ ...clean, clock: { ...clean.clock, targetMinutes: 90 } }, -1))).toEqual([
    'Past our 90-minute promise',
  ]);
});
