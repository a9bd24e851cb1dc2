import { randomUUID } from 'node:crypto';
import { addDays } from '#contract/time/calendar.ts';
import { mtnStatement } from '#server/statements/statements.harness.ts';
import { anybodys, outOfTurn, rowless, unknown } from './matrix-answers.ts';
import type { Sample } from './matrix-rows.ts';

let days = 0;
/** A different day each time, because a day can be closed only once. */
function anyDay(): string {
  days += 1;
  return addDays('2020-01-01', days);
}

/** The calls of the matrix about incoming money, and about files for a bank, which statements settle. */
export const statementSamples = {
  importStatement: {
    who: 'staff',
    request: async () => ({
      query: '?rail=mtn&currency=UGX&fileName=a.csv&from=2026-11-20&until=2026-11-20',
      bytes: Buffer.from(mtnStatement([{ id: randomUUID(), amount: 5 }])),
    }),
    ...rowless,
  },
  statementMatching: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.statement() } }),
    ...anybodys,
  },
  readWithdrawal: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.statement() } }),
    ...anybodys,
  },
  proposeWithdrawal: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.statement() }, body: { reason: 'The wrong account' } }),
    ...anybodys,
  },
  confirmWithdrawal: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.statement() }, body: { withdrawalTag: randomUUID() } }),
    ...outOfTurn,
  },
  dropWithdrawal: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.statement() }, body: { withdrawalTag: randomUUID() } }),
    ...outOfTurn,
  },
  listReceived: { who: 'staff', ...rowless },
  findClaimants: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.received() }, query: '?searchPhrase=A' }),
    ...anybodys,
  },
  assignReceived: {
    who: 'staff',
    request: async (rows) => ({
      params: { tag: await rows.received() },
      body: { parts: [{ applicationTag: await rows.case('Disbursed'), amount: 5, payer: 'client' }] },
    }),
    ...anybodys,
  },
  proposeReturn: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.received() }, body: { amount: 5, reason: 'A mistake' } }),
    ...anybodys,
  },
  confirmReturn: {
    who: 'staff',
    request: async (rows) => ({
      params: { tag: await rows.received() },
      body: { returnTag: randomUUID(), reference: 'R-1', date: '2026-11-19' },
    }),
    ...outOfTurn,
  },
  answerRepeat: {
    who: 'staff',
    request: async () => ({ params: { tag: randomUUID() }, body: { isSame: true } }),
    ...unknown,
  },
  dropReturn: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.received() }, body: { returnTag: randomUUID() } }),
    ...outOfTurn,
  },
  reconciliation: { who: 'staff', request: async () => ({ query: '?rail=mtn&currency=UGX' }), ...rowless },
  explainDifference: {
    who: 'staff',
    request: async () => ({
      body: { rail: 'airtel', currency: 'UGX', day: '2026-11-18', difference: 'late x', reason: 'A holiday' },
    }),
    own: 409,
    foreign: 409,
    absent: 409,
  },
  closeDay: {
    who: 'staff',
    // Each caller closes a different day.
    request: async () => ({ body: { rail: 'airtel', currency: 'UGX', day: anyDay() } }),
    ...rowless,
  },
  payoutBatches: { who: 'staff', ...rowless },
  // No payout waits for a file.
  makePayoutBatch: {
    who: 'staff',
    request: async () => ({ body: { rail: 'bank', currency: 'UGX' } }),
    own: 409,
    foreign: 409,
    absent: 409,
  },
  payoutBatchFile: { who: 'staff', request: async () => ({ params: { tag: randomUUID() } }), ...unknown },
} as const satisfies Record<string, Sample>;
