import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { balancesOf, reversePayout } from '#server/payments/payments.harness.ts';
import { buildReadyInvoice } from '#testing/builders.ts';
import {
  buildApprovedCase,
  buildDisbursedCase,
  buildOfficer,
  caseRow,
  eventsOf,
  messagesTo,
  type PayableCase,
  type Someone,
  statusOf,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount, payOut, payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { type Answer, appOfFile, codeOf, createTestApp } from '#testing/test-app.ts';

/** Payouts that one officer prepares and another releases. The case's officer is its only approver. */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });

let built: PayableCase;
let officer: Someone;
let payer: Someone;
beforeEach(async () => {
  built = await buildApprovedCase(app);
  ({ officer, payer } = built);
});

const cancel = (by: Someone, payoutTag: string): Promise<Answer> =>
  by.caller.post(`/applications/${built.tag}/payout/cancel`, { payoutTag, reason: 'The amount is disputed' });

async function preparedTag(): Promise<string> {
  return (await succeed(prepare(officer, built.tag))).body.data.tag;
}

describe('a payout', () => {
  it('is prepared by the only approver and released by another officer, and everybody hears where it went', async () => {
    const tag = await preparedTag();
    expect(await statusOf(app, built)).toBe('Approved');
    await succeed(release(payer, built.tag));
    expect(await statusOf(app, built)).toBe('Disbursed');
    const { number } = await app.platform.db
      .selectFrom('payout_accounts')
      .select('number')
      .where('business_id', '=', built.client.person.businessId)
      .executeTakeFirstOrThrow();
    const label = `MTN ••• ${number.slice(-3)}, Sarah Nabirye`;
    expect((await stepsOf(app, built)).at(-1)).toMatchObject({ step: 'disburse', note: `UGX 801,000 to ${label}` });
    expect((await messagesTo(app, built.client)).at(-1)?.body).toContain(
      `We paid you UGX 801,000 to ${label}. Pay back`,
    );
    const actions = (await eventsOf(app, built)).map(({ action }) => action).slice(-3);
    expect(actions).toEqual(['payout.prepared', 'application.disburse', 'payout.released']);
    const [stored] = await app.platform.db.selectFrom('payouts').selectAll().where('tag', '=', tag).execute();
    expect(stored).toMatchObject({ amount: 80_100_000, prepared_by: officer.person.id, released_by: payer.person.id });
  });

  it('is not released by its preparer, nor by the only officer who approved', async () => {
    await succeed(prepare(payer, built.tag));
    expect(codeOf(await release(payer, built.tag))).toBe('OWN_PAYOUT');
    expect(codeOf(await release(officer, built.tag))).toBe('ONLY_APPROVER');
    expect(await statusOf(app, built)).toBe('Approved');
    await succeed(release(await buildOfficer(app), built.tag));
    expect(await statusOf(app, built)).toBe('Disbursed');
  });

  it('is prepared once at a time, cancelled with a reason, and prepared again', async () => {
    const tag = await preparedTag();
    expect(codeOf(await prepare(payer, built.tag))).toBe('PAYOUT_PREPARED');
    expect((await cancel(payer, tag)).status).toBe(200);
    expect([codeOf(await cancel(payer, tag)), codeOf(await release(payer, built.tag))]).toEqual([
      'PAYOUT_CLOSED',
      'PAYOUT_CLOSED',
    ]);
    await preparedTag();
    await succeed(release(payer, built.tag));
  });

  it('is refused where amount or account are not what the officer saw', async () => {
    expect(codeOf(await prepare(officer, built.tag, { amount: 801_000.01 }))).toBe('PAYOUT_CHANGED');
    await preparedTag();
    const other = { accountTag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b12' };
    expect(codeOf(await release(payer, built.tag, { amount: 800_000 }))).toBe('PAYOUT_CHANGED');
    expect(codeOf(await release(payer, built.tag, other))).toBe('PAYOUT_CHANGED');
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('says at the field what is wrong with reference, date and password', async () => {
    await preparedTag();
    for (const [change, field] of [
      [{ reference: 'x' }, 'reference'],
      [{ date: '2026-11-21' }, 'date'],
      [{ date: '2026-11-19' }, 'date'],
      [{ password: 'Not-my-password-1' }, 'password'],
      [{ password: undefined }, 'password'],
    ] as const) {
      const { status, body } = await release(payer, built.tag, change);
      expect([status >= 400, Object.keys(body.fields ?? {})]).toEqual([true, [field]]);
    }
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('is not dated before it was prepared: its due date would be too early', async () => {
    const later = await createTestApp();
    onTestFinished(() => later.close());
    const approved = await buildApprovedCase(later);
    later.clock.advance(2 * DAY_SECONDS);
    const [one, two] = [await buildOfficer(later), await buildOfficer(later)];
    await succeed(prepare(one, approved.tag));
    const { status, body } = await release(two, approved.tag, { date: '2026-11-21' });
    expect([status, body.code, Object.keys(body.fields)]).toEqual([422, 'DATE_TOO_EARLY', ['date']]);
    await succeed(release(two, approved.tag, { date: '2026-11-22' }));
  });

  it('waits 24 hours for a new officer who would release or prepare it', async () => {
    const fresh = await buildOfficer(app);
    const since = { officer_since: app.clock.now() };
    await app.platform.db.updateTable('persons').set(since).where('id', '=', fresh.person.id).execute();
    expect(codeOf(await prepare(fresh, built.tag))).toBe('NEW_OFFICER');
    await preparedTag();
    expect(codeOf(await release(fresh, built.tag))).toBe('NEW_OFFICER');
  });

  it('is of whole shillings: what is below one stays with us', async () => {
    await app.platform.db
      .updateTable('invoices')
      .set({ net_proceeds: '801000.99', discount_fee: '98999.01' })
      .where('id', '=', built.id)
      .execute();
    expect((await payoutOf(officer, built.tag)).next).toEqual({ kind: 'disbursement', amount: 801_000 });
    await succeed(payOut({ preparer: officer, releaser: payer }, built.tag));
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect(await balancesOf(app, built)).toMatchObject({ cashMtn: -80_100_000, clientFractions: -99 });
  });

  it('joins what is below a shilling with the next payment, and rounds what is left when it closes', async () => {
    await app.platform.db
      .updateTable('invoices')
      .set({ net_proceeds: '801000.99', discount_fee: '98999.01' })
      .where('id', '=', built.id)
      .execute();
    await succeed(payOut({ preparer: officer, releaser: payer }, built.tag));
    const more = { method: 'bank', reference: 'MORE', date: '2026-11-20', payer: 'buyer', amount: 900_000.31 };
    await succeed(officer.caller.post(`/applications/${built.tag}/receipts`, more));
    // 0.99 and 0.31 add up to a shilling, which can be sent.
    expect((await payoutOf(officer, built.tag)).next).toEqual({ kind: 'surplus', amount: 1 });
    await succeed(payOut({ preparer: officer, releaser: await buildOfficer(app) }, built.tag));
    const { rounding, clientFractions, clientPayable } = await balancesOf(app, built);
    expect({ rounding, clientFractions, clientPayable }).toEqual({ rounding: -30 });
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', surplus_owed: 0 });
  });

  it('has the server’s amount of extra money, and needs two officers too', async () => {
    const paid = await buildDisbursedCase(app);
    const receipt = { method: 'bank', reference: 'ALL', date: '2026-11-20', payer: 'buyer', amount: 901_500.75 };
    await succeed(paid.officer.caller.post(`/applications/${paid.tag}/receipts`, receipt));
    expect((await payoutOf(paid.officer, paid.tag)).next).toEqual({ kind: 'surplus', amount: 1_500 });
    expect(codeOf(await payOut({ preparer: paid.payer, releaser: paid.officer }, paid.tag))).toBe('OWN_RECEIPT');
    await succeed(release(await buildOfficer(app), paid.tag));
    expect(await caseRow(app, paid)).toMatchObject({ surplus_owed: 0 });
    expect(codeOf(await prepare(paid.payer, paid.tag))).toBe('PAYOUT_NOTHING');
  });
});

describe('the account of a payout', () => {
  async function setAccount(columns: object): Promise<void> {
    const accounts = app.platform.db.updateTable('payout_accounts').set(columns);
    await accounts.where('business_id', '=', built.client.person.businessId).execute();
  }

  it('is asked for: nothing is prepared without one', async () => {
    await app.platform.db
      .deleteFrom('payout_accounts')
      .where('business_id', '=', built.client.person.businessId)
      .execute();
    expect(await payoutOf(built.client, built.tag)).toMatchObject({ account: null, mayChoose: true });
    expect(codeOf(await prepare(officer, built.tag))).toBe('PAYOUT_ACCOUNT_MISSING');
  });

  it.each([
    ['new', () => ({ verified_at: new Date(app.clock.now().getTime() - 1000) }), 'PAYOUT_ACCOUNT_NEW'],
    ['frozen', () => ({ frozen_at: app.clock.now(), frozen_by: officer.person.id }), 'PAYOUT_ACCOUNT_FROZEN'],
    ['replaced', () => ({ replaced_at: app.clock.now() }), 'PAYOUT_ACCOUNT_REPLACED'],
    ['unverified', () => ({ verified_at: null, verified_by: null }), 'PAYOUT_ACCOUNT_UNVERIFIED'],
  ])('is refused at the release if it was %s since', async (_, columns, refusal) => {
    await preparedTag();
    await setAccount(columns());
    const answer = await release(payer, built.tag);
    expect([answer.status, answer.body.code]).toEqual([409, refusal]);
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('is refused at the preparation while it is new, with the time from which it works', async () => {
    const accountTag = await buildPayoutAccount(app, built.client, officer, { verifiedAt: app.clock.now() });
    await succeed(built.client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag }));
    const { body } = await prepare(officer, built.tag);
    expect(body).toMatchObject({ code: 'PAYOUT_ACCOUNT_NEW', msg: expect.stringContaining('You can pay to it from') });
  });

  it('is chosen on a draft too, is named by its key facts, and goes with it', async () => {
    const { client } = built;
    const second = await buildPayoutAccount(app, client, officer, { number: '0782345431' });
    const draft = await buildReadyInvoice(app, client.person);
    const keyFacts = async () => (await client.caller.get(`/applications/${draft.tag}/key_facts`)).body;
    expect((await keyFacts()).paidTo).toBeUndefined();
    await succeed(client.caller.post(`/applications/${draft.tag}/payout_account`, { accountTag: second }));
    expect((await keyFacts()).paidTo).toContain('••• 431');
    await succeed(client.caller.post(`/applications/${draft.tag}/submit`));
    expect((await payoutOf(client, draft.tag)).account).toMatchObject({ tag: second });
    const given = await buildReadyInvoice(app, client.person);
    await succeed(client.caller.post(`/applications/${given.tag}/payout_account`, { accountTag: second }));
    await succeed(client.caller.call({ method: 'DELETE', url: `/invoices/${given.tag}` }));
  });

  it('is the client’s to choose until a payout is prepared, and of their own business alone', async () => {
    const second = await buildPayoutAccount(app, built.client, officer);
    const other = await buildApprovedCase(app);
    const theirs = (await payoutOf(other.client, other.tag)).account?.tag;
    const choose = (accountTag: string | undefined) =>
      built.client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag });
    // With two usable accounts, neither is the default.
    expect((await payoutOf(built.client, built.tag)).account).toBeNull();
    expect(await choose(theirs)).toMatchObject({ status: 422, body: { fields: { accountTag: expect.anything() } } });
    await succeed(choose(second));
    expect((await payoutOf(built.client, built.tag)).account).toMatchObject({ tag: second, state: 'usable' });
    await preparedTag();
    expect(codeOf(await choose(second))).toBe('PAYOUT_UNDER_WAY');
    const seen = await payoutOf(built.client, built.tag);
    expect(seen).toMatchObject({ mayChoose: false, options: [], prepared: { preparedBy: null, payee: null } });
  });
});

describe('a release with a second factor', () => {
  it('asks for a code that serves once, and counts wrong ones', async () => {
    const begun = await succeed(payer.caller.post('/users/second_factor/begin', { password: 'Kasente-demo-1' }));
    const totp = new TOTP({ secret: Secret.fromBase32(begun.body.secret) });
    const code = () => totp.generate({ timestamp: app.clock.now().getTime() });
    await succeed(payer.caller.post('/users/second_factor/confirm', { code: code() }));
    await preparedTag();
    const used = await release(payer, built.tag, { code: code(), password: undefined });
    expect([used.status, used.body.code, Object.keys(used.body.fields)]).toEqual([
      422,
      'SECOND_FACTOR_WRONG',
      ['code'],
    ]);
    expect(codeOf(await release(payer, built.tag))).toBe('SECOND_FACTOR_WRONG');
    const wrong = String((Number(code()) + 1) % 1_000_000).padStart(6, '0');
    const key = { 'idempotency-key': 'a wrong code' };
    for (const _ of [1, 2])
      expect(codeOf(await release(payer, built.tag, { code: wrong, reference: 'once' }, key))).toBe(
        'SECOND_FACTOR_WRONG',
      );
    const failed = (await eventsOf(app, payer.person)).filter(
      ({ action }) => action === 'account.second-factor-failed',
    );
    expect(failed).toHaveLength(1);
    expect(await statusOf(app, built)).toBe('Approved');
    app.clock.advance(60);
    const right = code();
    await succeed(release(payer, built.tag, { code: right }));
    const again = await buildApprovedCase(app);
    await succeed(prepare(again.officer, again.tag));
    expect(codeOf(await release(payer, again.tag, { code: right }))).toBe('SECOND_FACTOR_WRONG');
  });
});

describe('at once', () => {
  const CROWD = 10;

  it('exactly one of many releases wins', async () => {
    await preparedTag();
    const officers = await Promise.all(Array.from({ length: CROWD }, () => buildOfficer(app)));
    const answers = await Promise.all(officers.map((by) => release(by, built.tag)));
    const codes = answers.map(codeOf);
    expect(codes.filter((code) => code === '200')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['200', 'PAYOUT_CLOSED']));
    expect((await stepsOf(app, built)).filter(({ step }) => step === 'disburse')).toHaveLength(1);
  });

  it('a release and a cancel, or a freeze, come one after the other', async () => {
    const tag = await preparedTag();
    const [released, cancelled] = await Promise.all([release(payer, built.tag), cancel(officer, tag)]);
    expect([codeOf(released), codeOf(cancelled)].sort()).toEqual(['200', 'PAYOUT_CLOSED']);
    expect(await statusOf(app, built)).toBe(released.status === 200 ? 'Disbursed' : 'Approved');
    const next = await buildApprovedCase(app);
    await succeed(prepare(next.officer, next.tag));
    const account = (await payoutOf(next.client, next.tag)).account?.tag;
    const [paid] = await Promise.all([
      release(next.payer, next.tag),
      succeed(next.client.caller.post(`/payout_accounts/${account}/freeze`)),
    ]);
    expect(['200', 'PAYOUT_ACCOUNT_FROZEN']).toContain(codeOf(paid));
    expect(await statusOf(app, next)).toBe(paid.status === 200 ? 'Disbursed' : 'Approved');
  });

  it('a reversal and the next preparation leave one open payout at most', async () => {
    await preparedTag();
    const entry = (await succeed(release(payer, built.tag))).body.data.tag;
    const reversal = reversePayout([officer, payer], built, entry);
    const [reversed, ...prepared] = await Promise.all([
      reversal,
      prepare(officer, built.tag),
      prepare(payer, built.tag),
    ]);
    expect(reversed.status).toBe(200);
    expect(prepared.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

it('payouts are refused to a client, and to an officer of the business', async () => {
  const insider = await buildOfficer(app, { businessId: built.client.person.businessId });
  expect(codeOf(await prepare(insider, built.tag))).toBe('OWN_BUSINESS');
  expect((await prepare(built.client, built.tag)).status).toBe(403);
  await preparedTag();
  expect(codeOf(await release(insider, built.tag))).toBe('OWN_BUSINESS');
  expect((await release(built.client, built.tag)).status).toBe(403);
});
