import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import {
  balancesOf,
  entriesOf,
  fieldRefusal,
  paid,
  pay,
  reverse,
  reversePayout,
} from '#server/payments/payments.harness.ts';
import {
  checkedRailOfTest,
  followDue,
  followToTheEnd,
  releaseToRail,
  transfersOf,
} from '#server/transfers/transfers.harness.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildOfficer,
  caseRow,
  eventsOf,
  messagesTo,
  type PayableCase,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { railsOf, scriptedKind } from '#testing/scripted-rail.ts';
import type { Answer } from '#testing/test-app.ts';
import { ask, payNowOf } from './requests.harness.ts';

/** Pay now: a phone is asked for what its owner owes, and a confirmed payment is recorded once. */

const { app, provider } = checkedRailOfTest();
let built: PayableCase;
beforeEach(async () => {
  built = await releaseToRail(app);
  await followToTheEnd(app);
});

const requestOf = async () => (await payNowOf(built)).requests[0];
const refusalOf = ({ status, body }: Answer): unknown[] => [status, body.code, ...Object.values(body.fields ?? {})];
const codeOf = (answer: Answer): unknown[] => refusalOf(answer).slice(0, 2);

describe('the payable amount', () => {
  it('is all that is owed, from the own phone, the payout accounts of that network, or a number that is typed', async () => {
    const { client, tag } = built;
    await app.platform.db
      .updateTable('persons')
      .set({ phone: '0772000111', username: `${randomUUID()}@kasente.test`, username_kind: 'email' })
      .where('id', '=', client.person.id)
      .execute();
    const [account] = await app.platform.db.selectFrom('payout_accounts').selectAll().execute();
    const shown = await payNowOf(built);
    expect(shown).toMatchObject({ invoiceNumber: built.invoiceNumber, currency: 'UGX', most: 900_000, requests: [] });
    // The other way to pay.
    const { payTo, repaymentReference } = (await client.caller.get(`/applications/${tag}/repayment`)).body;
    expect(shown).toMatchObject({ payTo, repaymentReference });
    expect(shown.providers).toEqual([{ provider: 'mtn', least: 1, usualMost: null }]);
    expect(shown.wallets).toEqual([
      { id: 'own', provider: 'mtn', label: 'Your phone, MTN ••• 111' },
      { id: account?.tag, provider: 'mtn', label: `MTN ••• ${account?.number.slice(-3)}, Sarah Nabirye` },
    ]);
    for (const [wallet, number] of [
      ['own', '0772000111'],
      [account?.tag, account?.number],
    ] as const) {
      provider.sending = ['paid'];
      await succeed(ask(built, { wallet, number: undefined, amount: 1_000 }));
      await followToTheEnd(app);
      expect((await transfersOf(app, built)).at(-1)).toMatchObject({ direction: 'in', number, state: 'succeeded' });
    }
    const staff = (await built.officer.caller.get(`/applications/${tag}/pay_now`)).body;
    expect([staff.providers, staff.wallets, staff.requests.length]).toEqual([[], [], 2]);
  });

  it('is a whole amount, of what is owed or less, to a network that is open', async () => {
    const fields = async (change: object) => refusalOf(await ask(built, change));
    expect(await fields({ amount: 900_001 })).toEqual([400, 'BAD_REQUEST', 'You owe UGX 900,000. Enter that or less']);
    expect(await fields({ amount: 1_000.5 })).toEqual([400, 'BAD_REQUEST', 'Enter a whole amount, without decimals']);
    expect(await fields({ amount: 0 })).toEqual([400, 'BAD_REQUEST', 'Enter the amount']);
    expect(await fields({ number: '0312345678' })).toEqual([
      400,
      'BAD_REQUEST',
      'Enter an MTN or Airtel number: 10 digits that begin with 07',
    ]);
    expect(await fields({ number: undefined })).toEqual([400, 'BAD_REQUEST', 'Enter the phone number']);
    expect(codeOf(await ask(built, { number: '0752345678' }))).toEqual([422, 'NUMBER_NOT_ASKED']);
    expect(codeOf(await ask(built, { wallet: randomUUID(), number: undefined }))).toEqual([422, 'UNKNOWN_REFERENCE']);
    const other = await buildCaseClient(app);
    expect(refusalOf(await ask({ client: other, tag: built.tag }))).toEqual([404, 'NOT_FOUND']);
    expect(refusalOf(await ask({ ...built, client: { ...built.client, caller: built.officer.caller } }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(provider.calls.filter((call) => call.startsWith('send'))).toHaveLength(1); // the payout
  });

  it('is nothing before the payout, and once all is paid back', async () => {
    const approved = await buildApprovedCase(app);
    expect(refusalOf(await ask(approved))).toEqual([409, 'NOTHING_TO_PAY']);
    expect(await payNowOf(approved)).toMatchObject({ most: 0, providers: [], wallets: [] });
    await paid(built, 'receipts', { amount: 900_000 });
    expect(refusalOf(await ask(built))).toEqual([409, 'NOTHING_TO_PAY']);
  });

  it('is rounded down to a whole shilling, which settles', async () => {
    await paid(built, 'receipts', { amount: 500_000.5 });
    expect((await payNowOf(built)).most).toBe(399_999);
    provider.sending = ['paid'];
    await succeed(ask(built, { amount: 399_999 }));
    await followToTheEnd(app);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0 });
  });

  it('may be asked for ten times an hour by one person', async () => {
    for (let once = 0; once < 10; once += 1) {
      provider.sending = ['rejected'];
      await succeed(ask(built));
      await followDue(app);
    }
    expect(codeOf(await ask(built))).toEqual([429, 'TOO_MANY_REQUESTS']);
    app.clock.advance(HOUR_SECONDS);
    await succeed(ask(built));
    await followToTheEnd(app);
  });
});

describe('a request', () => {
  it('is written and sent by the job, and its success is received by Kasente with the provider’s number', async () => {
    const { tag } = (await succeed(ask(built, { amount: 900_000 }))).body.data;
    expect(provider.calls.filter((call) => call.startsWith('send'))).toHaveLength(1);
    expect(await requestOf()).toMatchObject({
      tag,
      state: 'released',
      amount: 900_000,
      from: '••• 678',
      knownAt: null,
    });
    provider.sending = ['paid'];
    await followToTheEnd(app);
    const [, transfer] = await transfersOf(app, built);
    const entry = (await entriesOf(built.officer, built.tag)).at(-1);
    expect(entry).toMatchObject({
      kind: 'receipt',
      amount: 900_000,
      method: 'mtn',
      payer: 'client',
      recordedBy: null,
      reference: transfer?.provider_reference,
    });
    expect(transfer).toMatchObject({ state: 'succeeded', entry_tag: entry?.tag });
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0 });
    expect(await balancesOf(app, built)).toMatchObject({ cashMtn: 90_000_000 - 80_100_000 });
    expect((await messagesTo(app, built.client)).at(-1)?.body).toContain('Fully paid back');
    const actions = (await eventsOf(app, built)).map(({ action }) => action);
    expect(actions.slice(-3)).toEqual(['request.ordered', 'application.settle', 'request.paid']);
    expect(await requestOf()).toMatchObject({ state: 'succeeded', said: null, askedBy: null });
  });

  it('is one, however often it is pressed: twice, in two windows, fifty times at once', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [first, repeated] = [await ask(built, {}, key), await ask(built, {}, key)];
    expect(repeated.body).toEqual(first.body);
    expect(refusalOf(await ask(built))).toEqual([409, 'REQUEST_OPEN']);
    provider.sending = ['rejected'];
    await followDue(app);
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(built)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'REQUEST_OPEN']));
    expect(await transfersOf(app, built)).toHaveLength(3);
    await followToTheEnd(app);
  });

  it('says why if it is refused, to officers in the provider’s words, and leaves what is owed', async () => {
    provider.sending = ['insufficientFloat'];
    await succeed(ask(built));
    await followDue(app);
    expect(await requestOf()).toMatchObject({ state: 'failed', refusal: 'insufficientFloat', said: null });
    const { requests } = (await built.officer.caller.get(`/applications/${built.tag}/pay_now`)).body;
    expect(requests[0]).toMatchObject({ said: 'insufficientFloat' });
    expect(requests[0].askedBy).not.toBeNull();
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 90_000_000 });
  });

  it('ends after five minutes only when the provider says so; what is paid after that counts', async () => {
    provider.fate = 'waiting';
    await succeed(ask(built));
    await followDue(app);
    const until = (await requestOf())?.until;
    expect(until).toBe(new Date(app.clock.now().getTime() + 5 * MINUTE_SECONDS * 1000).toISOString());
    app.clock.advance(6 * MINUTE_SECONDS);
    await followDue(app);
    expect(await requestOf()).toMatchObject({ state: 'sent', knownAt: null });
    expect(refusalOf(await ask(built))).toEqual([409, 'REQUEST_OPEN']);
    provider.fate = 'paid';
    await followToTheEnd(app);
    expect((await entriesOf(built.officer, built.tag)).at(-1)).toMatchObject({ kind: 'receipt', amount: 1_000 });
    provider.fate = 'expired';
    await succeed(ask(built));
    await followToTheEnd(app);
    expect(await requestOf()).toMatchObject({ state: 'failed', refusal: 'expired' });
  });

  it('is not sent late if it never reached its provider, and is over after a while', async () => {
    provider.sending = ['dropped', 'dropped'];
    await succeed(ask(built));
    await followDue(app);
    provider.asking = Array(4).fill('lost');
    app.clock.advance(6 * MINUTE_SECONDS);
    const sends = () => provider.calls.filter((call) => call.startsWith('send')).length;
    const before = sends();
    await followToTheEnd(app);
    expect(sends()).toBe(before);
    expect(await requestOf()).toMatchObject({ state: 'failed', refusal: 'expired' });
    expect(await caseRow(app, built)).toMatchObject({ outstanding: 90_000_000 });
  });

  it('is told to administrators if nothing is known of it, not to the client who asked', async () => {
    provider.asking = Array(100).fill('lost');
    provider.sending = ['lost'];
    await succeed(ask(built));
    const admin = await buildOfficer(app, { perms: ['KADMIN'] });
    await followDue(app);
    app.clock.advance(31 * MINUTE_SECONDS);
    await sweepTransfers(app.platform);
    expect((await messagesTo(app, admin)).at(-1)?.subject).toBe('We do not know whether a client paid UGX 1,000');
    expect(JSON.stringify(await messagesTo(app, built.client))).not.toContain('We do not know');
    provider.asking = [];
    await followToTheEnd(app);
  });

  it('keeps its application paid out while it is open', async () => {
    await succeed(ask(built));
    const [disbursement] = await entriesOf(built.officer, built.tag);
    const refused = await reversePayout([await buildOfficer(app), built.officer], built, disbursement?.tag);
    expect(refusalOf(refused)).toEqual([409, 'REQUEST_OPEN']);
    await followToTheEnd(app);
  });

  it('is extra of the client above what is still owed, also once the application is settled', async () => {
    await succeed(ask(built, { amount: 900_000 }));
    await paid(built, 'receipts', { amount: 900_000 });
    expect(await statusOf(app, built)).toBe('Settled');
    await followToTheEnd(app);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', surplus_owed: 90_000_000 });
    expect((await messagesTo(app, built.client)).at(-1)?.body).toContain(
      "We received UGX 900,000 extra. We'll send it to you.",
    );
  });
});

describe('an officer who types the same payment', () => {
  const typed = (reference: string) =>
    pay(built, 'receipts', { amount: 1_000, method: 'mtn', payer: 'client', reference, date: '2026-11-20' });

  it('is told that it is counted, after it was received', async () => {
    await succeed(ask(built));
    await followToTheEnd(app);
    const [, transfer] = await transfersOf(app, built);
    const refused = await typed(` ${transfer?.provider_reference?.toLowerCase()}`);
    const msg = 'The client paid this with Pay now. We have counted it already';
    expect([refused.status, refused.body]).toMatchObject([409, fieldRefusal('PAYMENT_RECORDED', 'reference', msg)]);
  });

  it('has it counted once, before the provider has told us', async () => {
    provider.numberOf = () => 'MP-TYPED';
    await succeed(ask(built));
    await succeed(typed('MP-TYPED'));
    await followToTheEnd(app);
    expect(await caseRow(app, built)).toMatchObject({ outstanding: 89_900_000 });
    expect((await transfersOf(app, built))[1]).toMatchObject({ state: 'succeeded', provider_reference: 'MP-TYPED' });
  });

  it.each([
    ['on another application', 1_000],
    ['with another amount', 500_000],
  ])('%s is told to reverse it, and then the payment counts', async (where, amount) => {
    const wrong = where === 'on another application' ? await releaseToRail(app) : built;
    await followToTheEnd(app);
    const typedOn = wrong === built ? 40_000_000 : 90_000_000;
    provider.numberOf = () => 'MP-TYPED';
    provider.sending = ['paid'];
    await succeed(ask(built));
    const entry = await paid(wrong, 'receipts', { amount, method: 'mtn', payer: 'client', reference: 'mp-typed' });
    await followDue(app);
    const [, transfer] = await transfersOf(app, built);
    expect(transfer).toMatchObject({ state: 'unknown', entry_tag: null });
    const { invoice_number: number } = await caseRow(app, wrong);
    const said = 'Another receipt has this number. Reverse that one, and we count this payment';
    expect(transfer?.said).toContain(`${said}. It is on ${number}, UGX ${amount.toLocaleString('en')}`);
    expect(await caseRow(app, built)).toMatchObject({ outstanding: typedOn });
    await succeed(reverse(wrong.officer, entry));
    await followToTheEnd(app);
    expect(await caseRow(app, built)).toMatchObject({ outstanding: 89_900_000 });
    expect((await transfersOf(app, built))[1]).toMatchObject({ state: 'succeeded', provider_reference: 'MP-TYPED' });
  });
});

it('Pay now is not offered where no rail asks that network’s phones', async () => {
  const without = railsOf({ ...scriptedKind(provider), provider: 'bank' });
  Object.assign(app.platform.rails, without);
  expect(await payNowOf(built)).toMatchObject({ providers: [], wallets: [] });
  expect(codeOf(await ask(built))).toEqual([422, 'NUMBER_NOT_ASKED']);
});
