import { randomUUID } from 'node:crypto';
import { anybodys, outOfTurn } from './matrix-answers.ts';
import { payment } from './matrix-bodies.ts';
import { byCase } from './matrix-requests.ts';
import type { Sample } from './matrix-rows.ts';

/** The calls of the matrix about reversals, and about proposals on money that a second officer confirms. */
export const proposalSamples = {
  proposeWriteOff: {
    who: 'staff',
    request: byCase('Disbursed', { amount: 900_000, reason: 'The buyer is gone' }),
    ...anybodys,
  },
  proposeReceipt: {
    who: 'staff',
    request: byCase('Disbursed', {
      ...payment,
      payer: 'buyer',
      amount: 5,
      date: '2026-11-19',
      reason: 'On the statement',
    }),
    own: 422,
    foreign: 422,
    absent: 404,
  },
  proposeReversal: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.entry() }, body: { reason: 'A mistake' } }),
    ...anybodys,
  },
  confirmProposal: { who: 'staff', request: byCase('Disbursed', { proposalTag: randomUUID() }), ...outOfTurn },
  dropProposal: { who: 'staff', request: byCase('Disbursed', { proposalTag: randomUUID() }), ...outOfTurn },
  reverseEntry: {
    who: 'staff',
    request: async (rows) => ({ params: { tag: await rows.entry() }, body: { reason: 'A mistake' } }),
    ...outOfTurn,
  },
} satisfies Readonly<Record<string, Sample>>;
