import { beforeEach, expect, it } from 'vitest';
import { attentionReply, MOST_MATTERS } from '#contract/applications/attention.ts';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
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
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount, prepare, release } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';

/** The first part of a client's dashboard. Each test begins on Friday 20 November 2026, 12:00 in Kampala. */

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

const REFERENCE = expect.stringMatching(/^[ACDEFGHJKMNPRTVWXY34679]{8}$/);

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

it('the dashboard shows nothing where nothing is open, and nobody else’s', async () => {
  const given = { client, officer };
  await buildSettledCase(app, given);
  await buildWithdrawnCase(app, given);
  const other = await buildAskedCase(app, { officer });
  expect(await attention()).toMatchObject({ matters: [], more: 0 });
  expect((await attention(other.client)).matters).toEqual([{ kind: 'asked', ...about(other) }]);
});

it('the dashboard shows each kind with its sum and date, the most urgent first', async () => {
  const given = { client, officer };
  // Created in the reverse of their expected order.
  const { tag, invoiceNumber } = await buildReadyInvoice(app, client.person);
  const reviewed = await buildReviewedCase(app, given);
  const owed = await buildSurplus(1500);
  const paidOut = await buildDisbursedCase(app, given);
  const approved = await buildApprovedCase(app, given);
  const asked = await buildAskedCase(app, given);
  const overdue = await buildDisbursedCase(app, given);
  await set(overdue, { due_on: '2026-11-09', outstanding: '415500.00' });
  expect(await attention()).toEqual({
    matters: [
      {
        kind: 'overdue',
        ...about(overdue),
        amount: 415_500,
        dueOn: '2026-11-09',
        repaymentReference: REFERENCE,
        mayPayNow: false,
        days: 11,
      },
      { kind: 'asked', ...about(asked) },
      {
        kind: 'approved',
        ...about(approved),
        amount: 801_000,
        needsAccount: false,
        outlook: { ...SOON.outlook, step: 'clear', reason: 'CLIENT_OVERDUE', from: null },
      },
      {
        kind: 'paidOut',
        ...about(paidOut),
        amount: 900_000,
        dueOn: '2026-12-21',
        repaymentReference: REFERENCE,
        mayPayNow: false,
      },
      { kind: 'surplus', ...about(owed), amount: 1500, ...SOON },
      { kind: 'deciding', ...about(reviewed), decideBy: '2026-11-20T13:00:00.000Z', targetMinutes: 240 },
      { kind: 'draft', tag, invoiceNumber, currency: 'UGX', amount: 801_000 },
    ],
    more: 0,
    payTo: {
      UGX: ['MTN MoMo merchant 123456', 'Stanbic Bank 9030001234567, Kasente Ltd'],
      USD: ['Stanbic Bank 9030007654321, Kasente Ltd'],
    },
  });
});

it('the dashboard shows several of a kind by their dates, bounded, and says how many more there are', async () => {
  const built: BuiltCase[] = [];
  for (let each = 0; each < MOST_MATTERS.cards + 1; each += 1) {
    built.push(await buildDisbursedCase(app, { client, officer }));
  }
  // The newest one is due first.
  for (const [index, each] of built.entries()) await set(each, { due_on: `2026-12-${29 - index}` });
  for (let each = 0; each < MOST_MATTERS.lines + 1; each += 1) await buildSubmittedCase(app, { client, officer });
  await buildReadyInvoice(app, client.person);
  const { matters, more } = await attention();
  expect(more).toBe(2);
  expect(matters.map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: MOST_MATTERS.cards }, () => 'paidOut'),
    ...Array.from({ length: MOST_MATTERS.lines }, () => 'deciding'),
    'draft',
  ]);
  const dueFirst = built.map(({ tag }) => tag).reverse();
  expect(matters.slice(0, MOST_MATTERS.cards).map(({ tag }) => tag)).toEqual(dueFirst.slice(0, MOST_MATTERS.cards));
});

it('the dashboard asks where the money goes, as the screen of the application does', async () => {
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

it('the dashboard keeps currencies apart, each matter with its own', async () => {
  const [shillings, dollars] = [
    await buildDisbursedCase(app, { client, officer }),
    await buildDisbursedCase(app, { client, officer }),
  ];
  const { id } = await app.platform.db
    .selectFrom('currencies')
    .where('code', '=', 'USD')
    .select('id')
    .executeTakeFirstOrThrow();
  await set(dollars, { currency_id: id, outstanding: '700.50' });
  expect((await attention()).matters).toMatchObject([
    { kind: 'paidOut', tag: shillings.tag, currency: 'UGX', amount: 900_000 },
    { kind: 'paidOut', tag: dollars.tag, currency: 'USD', amount: 700.5 },
  ]);
});

it('the dashboard counts the days of an overdue advance from midnight in Kampala', async () => {
  const built = await buildDisbursedCase(app, { client, officer });
  await set(built, { due_on: '2026-11-20' });
  const first = async () => (await attention()).matters[0];
  app.clock.advance(12 * HOUR_SECONDS - 1);
  const { businessId } = client.person;
  // A session that began at noon ends at midnight.
  const later = await buildSignedIn(app, { perms: ['BIDA'], businessId });
  client = { ...later, person: { ...later.person, businessId } };
  expect(await first()).toMatchObject({ kind: 'paidOut' });
  app.clock.advance(1);
  expect(await first()).toMatchObject({ kind: 'overdue', days: 1 });
});

it('the dashboard shows the deadline of undecided applications until it has passed', async () => {
  const built = await buildSubmittedCase(app, { client, officer });
  const first = async () => (await attention()).matters[0];
  app.clock.advance(4 * HOUR_SECONDS);
  expect(await first()).toMatchObject({ kind: 'deciding', decideBy: '2026-11-20T13:00:00.000Z' });
  app.clock.advance(1);
  expect(await first()).toEqual({ kind: 'deciding', ...about(built), decideBy: null, targetMinutes: 240 });
});

it('the dashboard shows extra money until it is sent', async () => {
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

it('the dashboard names the newest draft with money in it, else the newest', async () => {
  await buildInvoice(app, client.person);
  const bare = await buildInvoice(app, client.person);
  expect((await attention()).matters).toMatchObject([{ kind: 'draft', tag: bare.tag, amount: null }]);
  const priced = await buildReadyInvoice(app, client.person);
  await buildInvoice(app, client.person);
  expect((await attention()).matters).toMatchObject([{ kind: 'draft', tag: priced.tag, amount: 801_000 }]);
});
