import { beforeEach, expect, it } from 'vitest';
import { attentionReply, MOST_MATTERS } from '#contract/applications/attention.ts';
import { failures } from '#contract/errors.ts';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { sumsOf } from '#server/payments/payments.harness.ts';
import { buildInvoice, buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAskedCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  buildReviewedCase,
  buildSettledCase,
  buildSubmittedCase,
  buildWithdrawnCase,
  type CaseClient,
  onDesk,
  QUESTION,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount, prepare, release } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';

/** The first part of a client's home. Each test begins on Friday 20 November 2026, 12:00 in Kampala. */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
beforeEach(() => resetClock(app.clock));
let client: CaseClient;
let officer: Someone;
beforeEach(async () => {
  client = await buildCaseClient(app);
  officer = await buildOfficer(app);
});

async function attention({ caller }: Pick<CaseClient, 'caller'> = client) {
  return attentionReply.parse((await succeed(caller.get('/applications/attention'))).body);
}

function set({ id }: Pick<BuiltCase, 'id'>, columns: Record<string, unknown>) {
  return app.platform.db.updateTable('invoices').set(columns).where('id', '=', id).execute();
}

/** A settled application whose buyer paid more than was due, by this amount. */
async function buildSurplus(amount: number): Promise<BuiltCase> {
  const built = await buildSettledCase(app, { client, officer });
  const more = { method: 'bank', reference: `MORE ${built.id}`, date: '2026-11-20', payer: 'buyer', amount };
  await succeed(officer.caller.post(`/applications/${built.tag}/receipts`, more));
  return built;
}

/** Nothing but our steps is missing, and it is working time. */
const SOON = {
  needsAccount: false,
  outlook: {
    step: 'prepare',
    reason: null,
    from: '2026-11-20T09:00:00.000Z',
    account: expect.stringMatching(/^MTN ••• \d{3}$/),
  },
};

const about = ({ tag, invoiceNumber }: BuiltCase) => ({ tag, invoiceNumber, currency: 'UGX' });

it('the home shows nothing where nothing is open, and nobody else’s', async () => {
  const given = { client, officer };
  await buildSettledCase(app, given);
  await buildWithdrawnCase(app, given);
  const other = await buildAskedCase(app, { officer });
  expect(await attention()).toMatchObject({
    matters: [],
    more: { toDo: 0, onItsWay: 0 },
    balances: [{ currency: 'UGX', owed: 0, due: null, limit: 50_000_000, available: 50_000_000 }],
  });
  expect((await attention(other.client)).matters).toEqual([
    { kind: 'asked', ...about(other), question: QUESTION, documents: [] },
  ]);
});

it('the home shows each kind with its sum and date, the most urgent first', async () => {
  const given = { client, officer };
  // Created in the reverse of their expected order.
  const { tag, invoiceNumber } = await buildReadyInvoice(app, client.person);
  const reviewed = await buildReviewedCase(app, given);
  await buildSubmittedCase(app, given);
  const owed = await buildSurplus(1500);
  const approved = await buildApprovedCase(app, given);
  const asked = await buildAskedCase(app, given);
  const overdue = await buildDisbursedCase(app, given);
  const due = await buildDisbursedCase(app, given);
  await set(overdue, { due_on: '2026-11-09', outstanding: '415500.00' });
  await set(due, { due_on: '2026-11-27' });
  expect(await attention()).toEqual({
    balances: [
      {
        currency: 'UGX',
        owed: 1_315_500,
        due: { amount: 415_500, dueOn: '2026-11-09', daysLate: 11, advances: 1, tag: overdue.tag },
        limit: 50_000_000,
        available: 45_084_500,
      },
    ],
    matters: [
      { kind: 'overdue', ...about(overdue), amount: 415_500, daysLate: 11 },
      { kind: 'due', ...about(due), amount: 900_000, dueOn: '2026-11-27' },
      { kind: 'asked', ...about(asked), question: QUESTION, documents: [] },
      {
        kind: 'approved',
        ...about(approved),
        amount: 801_000,
        needsAccount: false,
        outlook: { ...SOON.outlook, step: 'clear', reason: 'CLIENT_OVERDUE', from: null },
      },
      { kind: 'surplus', ...about(owed), amount: 1500, ...SOON },
      {
        kind: 'deciding',
        ...about(reviewed),
        applications: 2,
        decideBy: '2026-11-20T13:00:00.000Z',
        targetMinutes: 240,
      },
      { kind: 'draft', tag, invoiceNumber, currency: 'UGX', amount: 801_000 },
    ],
    more: { toDo: 0, onItsWay: 0 },
    needsPayoutAccount: false,
    blocked: `Pay back UGX 415,500 for invoice ${overdue.invoiceNumber}. It was due 9 Nov 2026`,
  });
});

it('the home quotes what the officer asked, cut after some lines, with the documents that are missing', async () => {
  const built = await buildReviewedCase(app, { client, officer });
  const types = await app.platform.db.selectFrom('document_types').select(['id', 'name']).orderBy('position').execute();
  const question = 'Send it again. '.repeat(20).trim();
  const typeIds = types.slice(0, 2).map(({ id }) => id);
  await succeed(onDesk(officer, built.tag, 'request_information', { question, typeIds }));
  const documents = types.slice(0, 2).map(({ name }) => name);
  expect((await attention()).matters).toEqual([
    { kind: 'asked', ...about(built), question: question.slice(0, 200), documents },
  ]);
});

it('an advance due later than within a week is owed, and not yet to do', async () => {
  const built = await buildDisbursedCase(app, { client, officer });
  expect(await attention()).toMatchObject({
    balances: [{ owed: 900_000, due: { amount: 900_000, dueOn: '2026-12-21', daysLate: -31 } }],
    matters: [],
    blocked: null,
  });
  await set(built, { due_on: '2026-11-27' });
  expect((await attention()).matters).toMatchObject([{ kind: 'due' }]);
});

it('what was written off is still owed, and keeps the client from applying', async () => {
  const built = await buildDisbursedCase(app, { client, officer });
  const [path, other] = [`/applications/${built.tag}/write_off`, await buildOfficer(app)];
  await succeed(officer.caller.post(`${path}/propose`, { amount: 900_000, reason: 'The buyer is bankrupt' }));
  const { proposal } = await sumsOf(other, built.tag);
  await succeed(other.caller.post(`${path}/confirm`, { proposalTag: proposal?.tag }));
  expect(await attention()).toMatchObject({
    balances: [{ owed: 900_000 }],
    blocked: `Pay back UGX 900,000 for invoice ${built.invoiceNumber}. We wrote it off, and you still owe it`,
  });
});

it('a client of an inactive business is told so', async () => {
  await app.platform.db
    .updateTable('businesses')
    .set({ active: false })
    .where('id', '=', client.person.businessId)
    .execute();
  expect((await attention()).blocked).toBe(failures.BUSINESS_INACTIVE.msg);
});

it('a business without a payout account is asked for one', async () => {
  expect(await attention()).toMatchObject({ needsPayoutAccount: true, matters: [] });
  const tag = await buildPayoutAccount(app, client, officer, { verifiedAt: null });
  expect(await attention()).toMatchObject({ needsPayoutAccount: false });
  await succeed(client.caller.post(`/payout_accounts/${tag}/freeze`));
  expect(await attention()).toMatchObject({ needsPayoutAccount: true });
});

it('the home shows several of a kind by their dates, bounded, and says how many more there are', async () => {
  const built: BuiltCase[] = [];
  for (let each = 0; each < MOST_MATTERS.toDo + 1; each += 1) {
    built.push(await buildDisbursedCase(app, { client, officer }));
  }
  // The newest one is due first.
  for (const [index, each] of built.entries()) await set(each, { due_on: `2026-11-${27 - index}` });
  for (let each = 0; each < MOST_MATTERS.onItsWay + 1; each += 1) await buildApprovedCase(app, { client, officer });
  const { tag } = await buildReadyInvoice(app, client.person);
  const { matters, more } = await attention();
  expect(more).toEqual({ toDo: 1, onItsWay: 1 });
  expect(matters.map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: MOST_MATTERS.toDo }, () => 'due'),
    ...Array.from({ length: MOST_MATTERS.onItsWay }, () => 'approved'),
    'draft',
  ]);
  const dueFirst = built.map((each) => each.tag).reverse();
  expect(matters.slice(0, MOST_MATTERS.toDo).map((matter) => matter.tag)).toEqual(dueFirst.slice(0, MOST_MATTERS.toDo));
  expect(matters.at(-1)?.tag).toBe(tag);
});

it('the home asks where the money goes, as the screen of the application does', async () => {
  const built = await buildApprovedCase(app, { client, officer });
  const accounts = app.platform.db.updateTable('payout_accounts').where('business_id', '=', client.person.businessId);
  const asks = async () => {
    const { account } = (await client.caller.get(`/applications/${built.tag}/payout`)).body;
    const { matters } = await attention();
    const needsAccount = account === null || ['frozen', 'replaced'].includes(account.state);
    expect(matters).toMatchObject([{ kind: 'approved', needsAccount }]);
    return needsAccount;
  };
  expect(await asks()).toBe(false);
  await accounts.set({ verified_at: app.clock.now() }).execute();
  expect(await asks()).toBe(false);
  const second = await buildPayoutAccount(app, client, officer, { verifiedAt: null });
  expect(await asks()).toBe(true);
  await succeed(client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag: second }));
  expect(await asks()).toBe(false);
  await succeed(client.caller.post(`/payout_accounts/${second}/freeze`));
  expect(await asks()).toBe(true);
  await app.platform.db.deleteFrom('payout_choices').execute();
  expect(await asks()).toBe(false);
  await buildPayoutAccount(app, client, officer);
  expect(await asks()).toBe(false);
  await buildPayoutAccount(app, client, officer);
  expect(await asks()).toBe(true);
  await accounts.set({ replaced_at: app.clock.now() }).execute();
  expect(await asks()).toBe(true);
});

it('the home keeps currencies apart, each matter with its own', async () => {
  const [shillings, dollars] = [
    await buildDisbursedCase(app, { client, officer }),
    await buildDisbursedCase(app, { client, officer }),
  ];
  const { id } = await app.platform.db
    .selectFrom('currencies')
    .where('code', '=', 'USD')
    .select('id')
    .executeTakeFirstOrThrow();
  await set(shillings, { due_on: '2026-11-23' });
  await set(dollars, { currency_id: id, outstanding: '700.50', due_on: '2026-11-20' });
  expect(await attention()).toMatchObject({
    balances: [
      { currency: 'USD', owed: 700.5, due: { amount: 700.5, daysLate: 0, tag: dollars.tag } },
      { currency: 'UGX', owed: 900_000, due: { amount: 900_000, daysLate: -3, tag: shillings.tag } },
    ],
    matters: [
      { kind: 'due', tag: dollars.tag, currency: 'USD', amount: 700.5 },
      { kind: 'due', tag: shillings.tag, currency: 'UGX', amount: 900_000 },
    ],
  });
});

it('the home counts the days of an overdue advance from midnight in Kampala', async () => {
  const built = await buildDisbursedCase(app, { client, officer });
  await set(built, { due_on: '2026-11-20' });
  const first = async () => (await attention()).matters[0];
  app.clock.advance(12 * HOUR_SECONDS - 1);
  const { businessId } = client.person;
  // A session that began at noon ends at midnight.
  const later = await buildSignedIn(app, { perms: ['BIDA'], businessId });
  client = { ...later, person: { ...later.person, businessId } };
  expect(await first()).toMatchObject({ kind: 'due' });
  app.clock.advance(1);
  expect(await first()).toMatchObject({ kind: 'overdue', daysLate: 1 });
});

it('the home shows the deadline of undecided applications until it has passed', async () => {
  const built = await buildSubmittedCase(app, { client, officer });
  const first = async () => (await attention()).matters[0];
  app.clock.advance(4 * HOUR_SECONDS);
  expect(await first()).toMatchObject({ kind: 'deciding', decideBy: '2026-11-20T13:00:00.000Z' });
  app.clock.advance(1);
  expect(await first()).toEqual({
    kind: 'deciding',
    ...about(built),
    applications: 1,
    decideBy: null,
    targetMinutes: 240,
  });
});

it('the home shows extra money until it is sent', async () => {
  const built = await buildSurplus(1500);
  // The officer who recorded the repayments may not pay the surplus; another officer must.
  const payer = await buildOfficer(app);
  await succeed(prepare(officer, built.tag));
  expect((await attention()).matters).toEqual([
    {
      kind: 'surplus',
      ...about(built),
      amount: 1500,
      needsAccount: false,
      outlook: { ...SOON.outlook, step: 'release' },
    },
  ]);
  await succeed(release(payer, built.tag));
  expect((await attention()).matters).toEqual([]);
});

it('the home names the newest draft with money in it, else the newest', async () => {
  await buildInvoice(app, client.person);
  const bare = await buildInvoice(app, client.person);
  expect((await attention()).matters).toMatchObject([{ kind: 'draft', tag: bare.tag, amount: null }]);
  const priced = await buildReadyInvoice(app, client.person);
  await buildInvoice(app, client.person);
  expect((await attention()).matters).toMatchObject([{ kind: 'draft', tag: priced.tag, amount: 801_000 }]);
});
