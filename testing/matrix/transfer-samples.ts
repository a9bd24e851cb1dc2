import { randomUUID } from 'node:crypto';
import { rowless, unknown } from './matrix-answers.ts';
import type { Sample } from './matrix-rows.ts';

const ending = { params: { tag: randomUUID() }, body: { endingTag: randomUUID() } };

/** The calls of the matrix about transfers; none exist here. */
export const transferSamples = {
  askTransfers: {
    who: 'staff',
    request: async () => ({ body: { rail: 'mtn', currency: 'UGX', day: '2026-11-18' } }),
    ...rowless,
  },
  askTransfer: { who: 'staff', request: async () => ({ params: { tag: randomUUID() } }), ...unknown },
  proposeEnding: {
    who: 'staff',
    request: async () => ({ params: { tag: randomUUID() }, body: { outcome: 'notPaid', reason: 'They say so' } }),
    ...unknown,
  },
  confirmEnding: { who: 'staff', request: async () => ending, ...unknown },
  dropEnding: { who: 'staff', request: async () => ending, ...unknown },
  railCallback: { who: 'public', request: async () => ({ params: { rail: 'mtn' } }), ...unknown },
} as const satisfies Record<string, Sample>;
