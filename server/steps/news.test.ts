import { randomUUID } from 'node:crypto';
import type { Updateable } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tables } from '#server/db/tables/tables.ts';
import { stepCalls } from '#server/desk/desk.harness.ts';
import { reversePayout } from '#server/payments/payments.harness.ts';
import { buildBusiness, buildPerson, buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import {
  acknowledgeFlags,
  type BuiltCase,
  buildCaseClient,
  buildOfficer,
  buildReviewedCase,
  messagesTo,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { ensurePayoutAccount, payOut as payOutByTwo } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/**
 * The recipients of an application's news. For submission, approval and payout: everybody active in the client's
 * business. For other news: the submitter while they act for the client, or else everyone who does.
 */

const app = appOfFile();
let officer: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
});

let built: BuiltCase;
beforeEach(async () => {
  built = await buildReviewedCase(app, { client: await buildCaseClient(app), officer });
});

/** Adds a person to the client's business. */
function buildColleague(given: Parameters<typeof buildPerson>[1] = {}) {
  return buildPerson(app, { perms: ['BIDA'], businessId: built.client.person.businessId, ...given });
}

/** Updates the submitter's row. */
function changeSubmitter(columns: Updateable<Tables['persons']>) {
  return app.platform.db.updateTable('persons').set(columns).where('id', '=', built.client.person.id).execute();
}

/** The number of messages that each person gets because of the act. */
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
  it('is for its submitter alone, while they act for its client', async () => {
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

  it('tells of an approval everybody who is active in the business, and nobody else', async () => {
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

  it('tells of a submission who applied, to everybody but them', async () => {
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

  it('tells of a payout and its reversal everybody, of a repayment the submitter', async () => {
    const colleague = await buildColleague();
    const people = [built.client.person, colleague];
    await succeed(stepCalls.approve(built));
    const payer = await buildOfficer(app);
    await ensurePayoutAccount(app, built.client, payer);
    const paid = { method: 'bank', reference: randomUUID(), date: '2026-11-20' };
    const other = await buildOfficer(app);
    const post =
      (path: string, body: unknown, by = payer) =>
      () =>
        succeed(by.caller.post(path, body));
    const path = `/applications/${built.tag}`;
    const preparer = await buildOfficer(app);
    const twoPay = (by: Someone, releaser: Someone) => payOutByTwo({ preparer: by, releaser }, built.tag);
    let entry = '';
    const payOut = async (by = payer) => {
      entry = (await succeed(twoPay(preparer, by))).body.data.tag;
    };
    expect(await newsOf(people, () => payOut())).toEqual([1, 1]);
    const undo = async () => succeed(reversePayout([payer, await buildOfficer(app)], built, entry));
    expect(await newsOf(people, undo)).toEqual([1, 1]);
    // The officer who paid it the first time may not pay it again.
    await acknowledgeFlags(other, built.tag);
    await payOut(other);
    const receipt = { ...paid, payer: 'buyer', amount: 900_100 };
    expect(await newsOf(people, post(`${path}/receipts`, receipt, other))).toEqual([1, 0]);
    expect(await newsOf(people, () => succeed(twoPay(preparer, payer)))).toEqual([1, 1]);
  });

  it('is for nobody where nobody acts for the client', async () => {
    await changeSubmitter({ business_id: null, permissions: ['KSTAF'] });
    expect(await newsOf([built.client.person], () => succeed(stepCalls.approve(built)))).toEqual([0]);
  });

  it('reaches its submitter when a colleague takes a step', async () => {
    const { businessId } = built.client.person;
    const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'], businessId });
    await succeed(stepCalls.requestInformation(built));
    const answer = () => succeed(caller.post(`/applications/${built.tag}/answer`, { answer: 'It is signed.' }));
    expect(await newsOf([built.client.person, person], answer)).toEqual([1, 0]);
  });
});
