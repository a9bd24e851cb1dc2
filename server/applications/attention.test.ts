import { afterEach, beforeEach, expect, it } from 'vitest';
import { attentionReply } from '#contract/applications/progress.ts';
import { buildSignedIn } from '#server/testing/builders.ts';
import {
  buildApprovedCase,
  buildAskedCase,
  buildCaseClient,
  buildDisbursedCase,
  buildSettledCase,
  buildSubmittedCase,
  buildWithdrawnCase,
  type CaseClient,
  succeed,
} from '#server/testing/case-builders.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

/** The one line of a client's dashboard. Tests begin on Friday 20 November 2026, 12:00 in Kampala. */

const DAY_SECONDS = 24 * 60 * 60;

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ SESSION_IDLE_MINUTES: '720' });
});
afterEach(() => app.close());

async function attention({ caller }: CaseClient) {
  return attentionReply.parse((await succeed(caller.get('/applications/attention'))).body).application;
}

it('is nothing where nothing is under way, and nobody else’s', async () => {
  const client = await buildCaseClient(app);
  await buildSettledCase(app, { client });
  await buildWithdrawnCase(app, { client });
  await buildAskedCase(app);
  expect(await attention(client)).toBeNull();
});

it('is what was asked for, then what is decided, then what is approved, then what is due', async () => {
  const client = await buildCaseClient(app);
  const disbursed = await buildDisbursedCase(app, { client });
  expect(await attention(client)).toEqual({
    tag: disbursed.tag,
    invoiceNumber: disbursed.invoiceNumber,
    status: 'Disbursed',
    currency: 'UGX',
    amountReceived: 801_000,
    decideBy: null,
    missed: false,
    outstanding: 900_000,
    dueOn: '2026-12-20',
    dueSoon: false,
    overdue: false,
  });
  const approved = await buildApprovedCase(app, { client });
  expect(await attention(client)).toMatchObject({ tag: approved.tag, status: 'Approved', decideBy: null });
  const submitted = await buildSubmittedCase(app, { client });
  await buildSubmittedCase(app, { client });
  expect(await attention(client)).toMatchObject({
    tag: submitted.tag,
    decideBy: '2026-11-20T13:00:00.000Z',
    missed: false,
    outstanding: null,
  });
  const asked = await buildAskedCase(app, { client });
  expect(await attention(client)).toMatchObject({ tag: asked.tag, status: 'Info Requested', decideBy: null });
});

it('is late from its moment on, and overdue from the day after it was due', async () => {
  const client = await buildCaseClient(app);
  const disbursed = await buildDisbursedCase(app, { client });
  const submitted = await buildSubmittedCase(app, { client });
  app.clock.advance(4 * 60 * 60 + 1);
  expect(await attention(client)).toMatchObject({ tag: submitted.tag, missed: true });
  const again = async () => {
    // Nobody's session lasts so long.
    const { businessId } = client.person;
    return attention({
      ...client,
      ...(await buildSignedIn(app, { perms: ['BIDA'], businessId })),
      person: client.person,
    });
  };
  app.clock.advance(22 * DAY_SECONDS);
  expect(await again()).toMatchObject({ tag: submitted.tag });
  app.clock.advance(DAY_SECONDS);
  expect(await again()).toMatchObject({ tag: disbursed.tag, dueSoon: true, overdue: false });
  app.clock.advance(8 * DAY_SECONDS);
  expect(await again()).toMatchObject({ tag: disbursed.tag, overdue: true });
});
