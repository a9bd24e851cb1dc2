import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import {
  applicationForm,
  buildClient,
  invoiceForm,
  postApplication,
  postInvoice,
  saveInvoice,
} from '#server/invoices/invoices.harness.ts';
import { pay } from '#server/payments/payments.harness.ts';
import { buildReadyInvoice, TEST_PASSWORD } from '#testing/builders.ts';
import {
  buildApprovedCase,
  buildAssignedCase,
  buildDisbursedCase,
  buildOfficer,
  buildReviewedCase,
  buildSubmittedCase,
  DECLINED,
  onDesk,
  succeed,
} from '#testing/case-builders.ts';
import { payoutOf, prepare } from '#testing/payout-builders.ts';
import { countRoundTrips } from '#testing/round-trips.ts';
import { type Answer, appOfFile, type TestCaller } from '#testing/test-app.ts';
import { buildDrafter, upload } from '#testing/uploads.ts';
import { pdfOfSize } from '#testing/uploads-in-parts.ts';
import { queues } from './queues.ts';

/**
 * The number of times that each changing call of the main job and the desk, and a page of the list, waits for
 * PostgreSQL, including the session's lookup (docs/decisions/0039-one-road.md).
 */

const app = appOfFile();
beforeAll(async () => {
  for (const queue of queues) await app.platform.jobs.warm(queue); // as the server does at its start
});

const key = () => ({ 'idempotency-key': randomUUID() });

interface Counted {
  readonly trips: number;
  /** Prepares the data that the call needs. */
  readonly prepare: () => Promise<Prepared>;
}

interface Prepared {
  readonly caller: TestCaller;
  readonly call: () => Promise<Answer>;
}

const calls: Readonly<Record<string, Counted>> = {
  'a new invoice is saved': {
    trips: 3,
    prepare: async () => {
      const client = await buildClient(app);
      return { caller: client.caller, call: () => postInvoice(client, invoiceForm(client), key()) };
    },
  },
  'an invoice is saved again': {
    trips: 3,
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
    trips: 3,
    prepare: async () => {
      const client = await buildClient(app);
      const { tag } = await saveInvoice(client);
      return { caller: client.caller, call: () => postApplication(client, applicationForm(tag), key()) };
    },
  },
  'a client reads a page of their list': {
    trips: 2,
    prepare: async () => {
      const { caller, business } = await buildClient(app);
      return { caller, call: () => caller.post('/invoices/paged', { page: 1, businessTag: business.tag }) };
    },
  },
  'staff read a page of the list': {
    trips: 2,
    prepare: async () => {
      const { caller } = await buildOfficer(app);
      return { caller, call: () => caller.post('/invoices/paged', { page: 1 }) };
    },
  },
  // The session is confirmed before the body is read. Then come the check whether the file may be sent, the file's own
  // record, and three trips for the document.
  'a document is uploaded': {
    trips: 8,
    prepare: async () => {
      const { caller, invoice } = await buildDrafter(app);
      return { caller, call: () => upload(caller, { invoiceTag: invoice.tag, typeId: 1 }, pdfOfSize(2_000)) };
    },
  },
  'an application is submitted': {
    trips: 4,
    prepare: async () => {
      const client = await buildClient(app);
      const { tag } = await buildReadyInvoice(app, client.person);
      return { caller: client.caller, call: () => client.caller.post(`/applications/${tag}/submit`) };
    },
  },
  'a case is taken': {
    trips: 3,
    prepare: async () => {
      const { officer, tag } = await buildSubmittedCase(app);
      return { caller: officer.caller, call: () => onDesk(officer, tag, 'take') };
    },
  },
  'a review is started': {
    trips: 4,
    prepare: async () => {
      const { officer, tag } = await buildAssignedCase(app);
      return { caller: officer.caller, call: () => onDesk(officer, tag, 'start_review') };
    },
  },
  'a case is approved': {
    trips: 4,
    prepare: async () => {
      const { officer, tag } = await buildReviewedCase(app);
      return { caller: officer.caller, call: () => onDesk(officer, tag, 'approve') };
    },
  },
  'a case is declined': {
    trips: 4,
    prepare: async () => {
      const { officer, tag } = await buildReviewedCase(app);
      return { caller: officer.caller, call: () => onDesk(officer, tag, 'decline', DECLINED) };
    },
  },
  'a payout is prepared': {
    trips: 4,
    prepare: async () => {
      const built = await buildApprovedCase(app);
      const { next, account } = await payoutOf(built.officer, built.tag);
      const body = { amount: next?.amount, accountTag: account?.tag };
      const path = `/applications/${built.tag}/payout/prepare`;
      return { caller: built.officer.caller, call: () => built.officer.caller.post(path, body, key()) };
    },
  },
  // The session is confirmed before the password waits in line. Then come the kind of proof, two trips for the attempt
  // with its hash, the attempt's end, and three more.
  'a payout is released': {
    trips: 9,
    prepare: async () => {
      const built = await buildApprovedCase(app);
      await succeed(prepare(built.officer, built.tag));
      const { prepared } = await payoutOf(built.payer, built.tag);
      const seen = { payoutTag: prepared?.tag, amount: prepared?.amount, accountTag: prepared?.account.tag };
      const body = { ...seen, reference: 'R-1', date: '2026-11-20', password: TEST_PASSWORD };
      const path = `/applications/${built.tag}/payout/release`;
      return { caller: built.payer.caller, call: () => built.payer.caller.post(path, body, key()) };
    },
  },
  'a receipt is recorded': {
    trips: 4,
    prepare: async () => {
      const built = await buildDisbursedCase(app);
      return { caller: built.payer.caller, call: () => pay(built, 'receipts', {}, key()) };
    },
  },
};

it.each(Object.entries(calls))('%s', async (_, { trips, prepare }) => {
  const { caller, call } = await prepare();
  await caller.get('/users/session'); // records the session's activity now, which happens once a second at most
  const { result, roundTrips } = await countRoundTrips(call);
  expect([result.status, roundTrips]).toEqual([200, trips]);
});
