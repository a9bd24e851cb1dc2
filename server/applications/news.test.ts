import type { Updateable } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stepCalls } from '#server/desk/desk.harness.ts';
import type { Tables } from '#server/platform/tables.ts';
import { buildBusiness, buildPerson, buildSignedIn } from '#server/testing/builders.ts';
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

/** Whom the news of an application reaches: whoever submitted it while they act for its client, else those who do. */

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
    expect(message?.body).toContain(`your application for invoice ${built.invoiceNumber} needs something from you`);
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
    expect(await newsOf(people, () => succeed(stepCalls.approve(built)))).toEqual([0, 1, 1, 0, 0, 0, 0]);
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
