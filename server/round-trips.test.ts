import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  applicationForm,
  buildClient,
  invoiceForm,
  postApplication,
  postInvoice,
  saveInvoice,
} from '#server/invoices/invoices.harness.ts';
import { pay } from '#server/payments/payments.harness.ts';
import { buildReadyInvoice } from '#server/testing/builders.ts';
import {
  buildApprovedCase,
  buildAssignedCase,
  buildDisbursedCase,
  buildReviewedCase,
  buildSubmittedCase,
  DECLINED,
  onDesk,
} from '#server/testing/case-builders.ts';
import { countRoundTrips } from '#server/testing/round-trips.ts';
import { type Answer, createTestApp, type TestApp, type TestCaller } from '#server/testing/test-app.ts';

/**
 * How often each changing call of the main job and the desk waits for PostgreSQL, by somebody whose session this server knows
 * (docs/decisions/0039-one-road.md).
 */

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const key = () => ({ 'idempotency-key': randomUUID() });

interface Counted {
  readonly trips: number;
  /** Prepares what the call needs. */
  readonly prepare: () => Promise<Prepared>;
}

interface Prepared {
  readonly caller: TestCaller;
  readonly call: () => Promise<Answer>;
}

const calls: Readonly<Record<string, Counted>> = {
  'a new invoice is saved': {
    trips: 2,
    prepare: async () => {
      const client = await buildClient(app);
      return { caller: client.caller, call: () => postInvoice(client, invoiceForm(client), key()) };
    },
  },
  'an invoice is saved again': {
    trips: 2,
    prepare: async () => {
      const client = await buildClient(app);
      const { tag } = await saveInvoice(client);
      return {
        caller: client.caller,
        call: () => postInvoice(client, invoiceForm(client, { tag, version: 1, amount: 7 }), key()),
      };
    },
  },
  'an application is saved': {
    trips: 2,
    prepare: async () => {
      const client = await buildClient(app);
      const { tag } = await saveInvoice(client);
      return { caller: client.caller, call: () => postApplication(client, applicationForm(tag), key()) };
    },
  },
  'an application is submitted': {
    trips: 10,
    prepare: async () => {
      const client = await buildClient(app);
      const { tag } = await buildReadyInvoice(app, client.person);
      return { caller: client.caller, call: () => client.caller.post(`/applications/${tag}/submit`) };
    },
  },
  'a case is taken': {
    trips: 2,
    prepare: async () => {
      const { officer, tag } = await buildSubmittedCase(app);
      return { caller: officer.caller, call: () => onDesk(officer, tag, 'take') };
    },
  },
  'a review is started': {
    trips: 5,
    prepare: async () => {
      const { officer, tag } = await buildAssignedCase(app);
      return { caller: officer.caller, call: () => onDesk(officer, tag, 'start_review') };
    },
  },
  'a case is approved': {
    trips: 6,
    prepare: async () => {
      const { officer, tag } = await buildReviewedCase(app);
      return { caller: officer.caller, call: () => onDesk(officer, tag, 'approve') };
    },
  },
  'a case is declined': {
    trips: 5,
    prepare: async () => {
      const { officer, tag } = await buildReviewedCase(app);
      return { caller: officer.caller, call: () => onDesk(officer, tag, 'decline', DECLINED) };
    },
  },
  'a payout is recorded': {
    trips: 7,
    prepare: async () => {
      const built = await buildApprovedCase(app);
      return { caller: built.payer.caller, call: () => pay(built, 'disbursement', {}, key()) };
    },
  },
  'a receipt is recorded': {
    trips: 8,
    prepare: async () => {
      const built = await buildDisbursedCase(app);
      return { caller: built.payer.caller, call: () => pay(built, 'receipts', {}, key()) };
    },
  },
};

it.each(Object.entries(calls))('%s', async (_, { trips, prepare }) => {
  const { caller, call } = await prepare();
  await caller.get('/users/session'); // so that the server knows the session
  const { result, roundTrips } = await countRoundTrips(call);
  expect([result.status, roundTrips]).toEqual([200, trips]);
});
