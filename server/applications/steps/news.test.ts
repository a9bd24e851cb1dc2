import { randomUUID } from 'node:crypto';
import type { Updateable } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tables } from '#server/db/tables/tables.ts';
import { stepCalls } from '#server/desk/desk.harness.ts';
import { buildBusiness, buildPerson, buildReadyInvoice, buildSignedIn } from '#server/testing/builders.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildOfficer,
  buildReviewedCase,
  messagesTo,
  type Someone,
  succeed,
} from '#server/testing/case-builders.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

/**
 * Whom the news of an application reaches: everybody who is active in the client's business of submission, approval and
 * payout; else whoever submitted it while they act for its client, and where nobody did, those who do.
 */

let app: TestApp;
let officer: Someone;
beforeAll(async () => {
  app = await createTestApp();
  officer = await buildOfficer(app);
});
afterAll(() => app.close());

let built: BuiltCase;
beforeEach(async () => {
  built = await buildReviewedCase(app, { client: await buildCaseClient(app), officer });
});

/** Somebody of the client's business. */
function buildColleague(given: Parameters<typeof buildPerson>[1] = {}) {
  return buildPerson(app, { perms: ['BIDA'], businessId: built.client.person.businessId, ...given });
}

/** What becomes of whoever submitted it. */
function changeSubmitter(columns: Updateable<Tables['persons']>) {
  return app.platform.db.updateTable('persons').set(columns).where('id', '=', built.client.person.id).execute();
}

/** How many messages each of them has got since. */
async function newsOf(people: readonly { username: string }[], act: () => Promise<unknown>): Promise<number[]> {
  const count = async () => {
    const sent = await Promise.all(
      people.map(({ username }) => messagesTo(app, { person: { id: 0, tag: '', username } })),
    );
    return sent.map(({ length }) => length);
  };
  const before = await count();
  await act();
  return (await count()).map((after, index) => after - (before[index] ?? 0));
}

describe('news of an application', () => {
  it('is for whoever submitted it alone, while they act for its client', async () => {
    const colleague = await buildColleague();
    const ask = () => succeed(stepCalls.requestInformation(built));
    expect(await newsOf([built.client.person, colleague], ask)).toEqual([1, 0]);
  });

  it('is for their active colleague once they are deactivated', async () => {
    const colleague = await buildColleague();
    await changeSubmitter({ status: 'Deactivated', permissions: [] });
    const ask = () => succeed(stepCalls.requestInformation(built));
    expect(await newsOf([built.client.person, colleague], ask)).toEqual([0, 1]);
    const [message] = await messagesTo(app, { person: colleague });
    expect(message?.body).toContain(`invoice ${built.invoiceNumber}: We need something from you`);
  });

  it('is for every colleague who may act, once they act for another business', async () => {
    const acting = [await buildColleague(), await buildColleague()];
    const others = [
      await buildColleague({ status: 'Deactivated', perms: [] }),
      await buildColleague({ perms: [] }),
      await buildColleague({ perms: ['BIDA', 'KSTAF'] }),
    ];
    const { id } = await buildBusiness(app);
    const stranger = await buildPerson(app, { perms: ['BIDA'], businessId: id });
    await changeSubmitter({ business_id: id });
    const people = [built.client.person, ...acting, ...others, stranger];
    const ask = () => succeed(stepCalls.requestInformation(built));
    expect(await newsOf(people, ask)).toEqual([0, 1, 1, 0, 0, 0, 0]);
  });

  it('of an approval is for everybody who is active in the business, and nobody else', async () => {
    const everybody = [
      await buildColleague(),
      await buildColleague({ perms: [] }),
      await buildColleague({ perms: ['BIDA', 'KSTAF'] }),
      await buildColleague({ username: `${randomUUID()}@example.com` }),
    ];
    const others = [await buildColleague({ status: 'Deactivated', perms: [] }), await buildPerson(app)];
    const people = [built.client.person, ...everybody, ...others];
    expect(await newsOf(people, () => succeed(stepCalls.approve(built)))).toEqual([1, 1, 1, 1, 1, 0, 0]);
    const channels = await Promise.all(everybody.map((person) => messagesTo(app, { person })));
    expect(channels.map(([message]) => message?.channel)).toEqual(['sms', 'sms', 'sms', 'email']);
  });

  it('of a submission says who applied, to everybody but them', async () => {
    const colleague = await buildColleague();
    await app.platform.db
      .updateTable('persons')
      .set({ first_name: 'Sarah', last_name: 'Nabirye' })
      .where('id', '=', built.client.person.id)
      .execute();
    const invoice = await buildReadyInvoice(app, built.client.person);
    const submit = () => succeed(built.client.caller.post(`/applications/${invoice.tag}/submit`));
    expect(await newsOf([built.client.person, colleague], submit)).toEqual([1, 1]);
    const [own, others] = [await messagesTo(app, built.client), await messagesTo(app, { person: colleague })];
    expect(own.at(-1)?.body).toContain('You applied for UGX 900,000.');
    expect(others.at(-1)?.body).toContain("Sarah Nabirye applied for UGX 900,000. You'll receive UGX 801,000.");
    expect(others.at(-1)?.body).toContain('If you did not expect this, tell us at once: +256 700 000000.');
  });

  it('of a payout and of its reversal is for everybody, of a repayment for whoever submitted it', async () => {
    const colleague = await buildColleague();
    const people = [built.client.person, colleague];
    await succeed(stepCalls.approve(built));
    const payer = await buildOfficer(app);
    const paid = { method: 'bank', reference: randomUUID(), date: '2026-11-20' };
    const other = await buildOfficer(app);
    const post =
      (path: string, body: unknown, by = payer) =>
      () =>
        succeed(by.caller.post(path, body));
    const path = `/applications/${built.tag}`;
    let entry = '';
    const payOut = async (by = payer) => {
      entry = (await post(`${path}/disbursement`, { ...paid, amount: 801_000 }, by)()).body.data.tag;
    };
    expect(await newsOf(people, () => payOut())).toEqual([1, 1]);
    expect(await newsOf(people, post(`/payments/${entry}/reverse`, { reason: 'A mistake' }))).toEqual([1, 1]);
    // Who paid it the first time does not pay it again.
    await payOut(other);
    const receipt = { ...paid, payer: 'buyer', amount: 900_100 };
    expect(await newsOf(people, post(`${path}/receipts`, receipt, other))).toEqual([1, 0]);
    const extra = { ...paid, amount: 100 };
    expect(await newsOf(people, post(`${path}/surplus`, extra))).toEqual([1, 1]);
  });

  it('is for nobody where nobody acts for the client', async () => {
    await changeSubmitter({ business_id: null, permissions: ['KSTAF'] });
    expect(await newsOf([built.client.person], () => succeed(stepCalls.approve(built)))).toEqual([0]);
  });

  it('reaches whoever submitted it when a colleague takes a step', async () => {
    const { businessId } = built.client.person;
    const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'], businessId });
    await succeed(stepCalls.requestInformation(built));
    const answer = () => succeed(caller.post(`/applications/${built.tag}/answer`, { answer: 'It is signed.' }));
    expect(await newsOf([built.client.person, person], answer)).toEqual([1, 0]);
  });
});
