import { expect } from 'vitest';
import {
  acceptOffer,
  type BuiltCase,
  caseRow,
  DECLINED,
  eventsOf,
  messagesTo,
  OFFER,
  onDesk,
  QUESTION,
  stepsOf,
  TAKEN_BACK,
} from '#testing/case-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';

/** For the tests of the desk: a call for every step before a payment, and the records that a case leaves. */

/** The call of each step, with a valid body. */
export const stepCalls = {
  withdraw: ({ client, tag }) => client.caller.post(`/applications/${tag}/withdraw`),
  answerRequest: ({ client, tag }) => client.caller.post(`/applications/${tag}/answer`, { answer: 'It is signed.' }),
  startReview: ({ officer, tag }) => onDesk(officer, tag, 'start_review'),
  requestInformation: ({ officer, tag }) => onDesk(officer, tag, 'request_information', { question: QUESTION }),
  recallRequest: ({ officer, tag }) => onDesk(officer, tag, 'recall_request'),
  approve: ({ officer, tag }) => onDesk(officer, tag, 'approve'),
  // The offer must differ from the last one: a cent less.
  counterOffer: async ({ officer, tag }) => {
    const { body } = await officer.caller.get(`/desk/cases/${tag}`);
    const amountAppliedFor = Math.round((body.amountAppliedFor ?? 900_000) * 100 - 1) / 100;
    return onDesk(officer, tag, 'counter_offer', { ...OFFER, amountAppliedFor });
  },
  recallOffer: ({ officer, tag }) => onDesk(officer, tag, 'recall_offer'),
  acceptOffer,
  declineOffer: ({ client, tag }) => client.caller.post(`/applications/${tag}/decline_offer`),
  sendBack: ({ officer, tag }) => onDesk(officer, tag, 'send_back', { note: 'Look at the stamp again.' }),
  decline: ({ officer, tag }) => onDesk(officer, tag, 'decline', DECLINED),
  cancelApproval: ({ officer, tag }) => onDesk(officer, tag, 'cancel_approval', TAKEN_BACK),
} as const satisfies Record<string, (built: BuiltCase) => Promise<Answer>>;

export type StepCall = keyof typeof stepCalls;
export const stepCallNames = Object.keys(stepCalls) as StepCall[]; // the keys of a constant are its type's

/** Every record that a step may write about an application. */
export async function traceOf(app: TestApp, built: BuiltCase) {
  const requests = app.platform.db
    .selectFrom('information_requests')
    .leftJoin('information_request_documents', 'request_id', 'id')
    .selectAll()
    .where('invoice_id', '=', built.id)
    .orderBy('id');
  return {
    row: await caseRow(app, built),
    steps: await stepsOf(app, built),
    // Tests prepare a payout as another officer before they try it; that moves no money.
    events: (await eventsOf(app, built)).filter(({ action }) => action !== 'payout.prepared'),
    messages: await messagesTo(app, built.client),
    requests: await requests.execute(),
    offers: await app.platform.db
      .selectFrom('counter_offers')
      .leftJoin('counter_offer_acceptances', 'offer_id', 'id')
      .selectAll()
      .where('invoice_id', '=', built.id)
      .orderBy('id')
      .execute(),
  };
}

/** Runs a call, and expects it to fail with that code and to change nothing. */
export async function expectRefused(
  app: TestApp,
  built: BuiltCase,
  call: () => Promise<Answer>,
  [status, code]: readonly [number, string],
): Promise<void> {
  const before = await traceOf(app, built);
  const answer = await call();
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(await traceOf(app, built)).toEqual(before);
}

/** The last message to the client, without its usual opening. */
export async function lastNews(app: TestApp, built: BuiltCase): Promise<string> {
  const last = (await messagesTo(app, built.client)).at(-1)?.body ?? '';
  return last.replace(`Kasente, invoice ${built.invoiceNumber}: `, '');
}
