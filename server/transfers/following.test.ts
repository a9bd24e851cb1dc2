import { describe, expect, it } from 'vitest';
import { DAY_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { sweepLapsed } from '#server/desk/lapse/lapse-sweep.service.ts';
import { balancesOf } from '#server/payments/payments.harness.ts';
import {
  buildApprovedCase,
  eventsOf,
  messagesTo,
  onDesk,
  type PayableCase,
  statusOf,
  stepsOf,
  succeed,
  TAKEN_BACK,
} from '#testing/case-builders.ts';
import { payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { type Answer, codeOf } from '#testing/test-app.ts';
import {
  bySystem,
  checkedRailOfTest,
  followDue,
  followToTheEnd,
  releaseToRail,
  transfersOf,
} from './transfers.harness.ts';
import { sweepTransfers } from './transfers-sweep.service.ts';

/** A payout over a rail from its release to its end, whatever the provider answers. */

const { app, provider } = checkedRailOfTest();

const cancel = async ({ payer, tag }: PayableCase, payoutTag: string): Promise<Answer> =>
  payer.caller.post(`/applications/${tag}/payout/cancel`, { payoutTag, reason: 'The amount is disputed' });

describe('a release', () => {
  it('sends nothing itself, records no payment, and says that the payout is on its way', async () => {
    const built = await releaseToRail(app);
    expect(provider.calls).toEqual([]);
    expect([await statusOf(app, built), await balancesOf(app, built)]).toEqual(['Approved', {}]);
    const [transfer] = await transfersOf(app, built);
    expect(transfer).toMatchObject({ state: 'released', amount: 80_100_000, currency: 'UGX', sent_at: null, asks: 0 });
    const { prepared, next, transfer: shown } = await payoutOf(built.payer, built.tag);
    expect([prepared, next]).toEqual([null, null]);
    expect(shown).toMatchObject({ state: 'released', rail: 'MTN mobile money', amount: 801_000, said: null });
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({ action: 'payout.released' });
    await followToTheEnd(app);
  });

  it('is refused with a reference: the money would go twice', async () => {
    const built = await buildApprovedCase(app);
    await succeed(prepare(built.officer, built.tag));
    expect(codeOf(await release(built.payer, built.tag, { date: undefined }))).toBe('PAYOUT_SENT_BY_US');
    expect(await transfersOf(app, built)).toEqual([]);
  });

  it('orders one transfer if it is repeated, or made by fifty at once', async () => {
    const built = await buildApprovedCase(app);
    await succeed(prepare(built.officer, built.tag));
    const answers = await Promise.all(Array.from({ length: 50 }, () => release(built.payer, built.tag, bySystem)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await transfersOf(app, built)).toHaveLength(1);
    await followToTheEnd(app);
  });
});

describe('while a payout is on its way', () => {
  it('nothing changes what it rests on, and each refusal says so', async () => {
    const built = await releaseToRail(app);
    const [payout] = await app.platform.db.selectFrom('payouts').select('tag').execute();
    const { officer, client, tag } = built;
    expect(codeOf(await prepare(officer, tag))).toBe('PAYOUT_ON_ITS_WAY');
    expect(codeOf(await cancel(built, payout?.tag ?? ''))).toBe('PAYOUT_ON_ITS_WAY');
    expect(codeOf(await release(built.payer, tag, { ...bySystem, payoutTag: payout?.tag }))).toBe('PAYOUT_CLOSED');
    const cancelled = await onDesk(officer, tag, 'cancel_approval', TAKEN_BACK);
    expect(codeOf(cancelled)).toBe('PAYOUT_ON_ITS_WAY');
    expect(codeOf(await client.caller.post(`/applications/${tag}/withdraw`))).toBe('PAYOUT_UNDER_WAY');
    for (const { caller } of [officer, client])
      expect((await caller.get(`/applications/${tag}/progress`)).body.mayTake).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(withdraw|cancelApproval)$/)]),
      );
    expect(await statusOf(app, built)).toBe('Approved');
    await followToTheEnd(app);
    expect(await statusOf(app, built)).toBe('Disbursed');
  });
});

it('an approval does not lapse while its payout is on its way, however long that takes', async () => {
  provider.fate = 'waiting';
  const built = await releaseToRail(app);
  await followDue(app);
  app.clock.advance(30 * DAY_SECONDS);
  await sweepLapsed(app.platform);
  expect(await statusOf(app, built)).toBe('Approved');
  provider.fate = 'paid';
  await followDue(app);
  expect(await statusOf(app, built)).toBe('Disbursed');
});

describe('a payout that the provider pays', () => {
  it('is recorded once, as its releaser’s, with the provider’s number, on the day of the success', async () => {
    app.clock.advance(11 * 60 * MINUTE_SECONDS); // 23:00
    provider.fate = 'waiting';
    const built = await releaseToRail(app);
    await followDue(app);
    expect((await transfersOf(app, built))[0]).toMatchObject({ state: 'sent', said: 'PENDING', asks: 1 });
    app.clock.advance(2 * 60 * MINUTE_SECONDS);
    provider.fate = 'paid';
    await followDue(app);
    expect(await statusOf(app, built)).toBe('Disbursed');
    const [transfer] = await transfersOf(app, built);
    const [entry] = await app.platform.db.selectFrom('journal_entries').selectAll().execute();
    expect(entry).toMatchObject({
      kind: 'disbursement',
      amount: 80_100_000,
      occurred_on: '2026-11-21',
      method: 'mtn',
      recorded_by: built.payer.person.id,
      reference: transfer?.provider_reference,
      tag: transfer?.entry_tag,
    });
    const { transfer: shown } = await payoutOf(built.payer, built.tag);
    expect(shown).toMatchObject({
      state: 'succeeded',
      providerReference: transfer?.provider_reference,
      nextAskAt: null,
    });
    expect((await stepsOf(app, built)).at(-1)).toMatchObject({ step: 'disburse', by_person: built.payer.person.id });
    expect((await messagesTo(app, built.client)).at(-1)?.body).toMatch(/: We paid you UGX 801,000 to MTN ••• \d{3}/);
    const actions = (await eventsOf(app, built)).map(({ action }) => action);
    expect(actions.slice(-3)).toEqual(['payout.released', 'application.disburse', 'payout.paid']);
  });

  it('is asked about with growing pauses', async () => {
    provider.fate = 'waiting';
    const built = await releaseToRail(app);
    const pauses: number[] = [];
    for (let asked = 0; asked < 9; asked += 1) {
      await followDue(app);
      const [transfer] = await transfersOf(app, built);
      const pause = ((transfer?.next_ask_at?.getTime() ?? 0) - app.clock.now().getTime()) / 1000;
      pauses.push(pause);
      app.clock.advance(pause);
    }
    expect(pauses).toEqual([5, 10, 30, 60, 120, 300, 900, 3600, 3600]);
    provider.fate = 'paid';
    await followDue(app);
  });

  it('is recorded although its account was frozen once it was sent, and officers are told', async () => {
    provider.fate = 'waiting';
    const built = await releaseToRail(app);
    await followDue(app);
    provider.fate = 'paid';
    const [account] = await app.platform.db.selectFrom('payout_accounts').select('tag').execute();
    await succeed(built.client.caller.post(`/payout_accounts/${account?.tag}/freeze`));
    await followToTheEnd(app);
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect((await messagesTo(app, built.payer)).at(-1)?.body).toContain('its account was frozen');
  });

  it('waits for a person where its number is another payment’s', async () => {
    provider.numberOf = () => 'MP1';
    const [first, second] = [await releaseToRail(app), await releaseToRail(app)];
    await followDue(app);
    app.clock.advance(5);
    await followDue(app);
    expect(await statusOf(app, first)).toBe('Disbursed');
    expect(await statusOf(app, second)).toBe('Approved');
    expect((await transfersOf(app, second))[0]?.said).toContain('Another payment already has this number');
    provider.numberOf = () => 'MP2';
    await followToTheEnd(app);
    expect(await statusOf(app, second)).toBe('Disbursed');
  });
});

describe('a payout with an unknown outcome', () => {
  it.each([
    ['whose answer was lost', ['lost'], []],
    ['that never arrived', ['dropped', 'dropped'], []],
    ['whose rail threw', ['throws'], ['throws']],
    ['that hung', ['hangs'], ['lost', 'lost']],
    ['that the provider does not find for a while', ['lost'], ['notFound', 'notFound']],
    ['whose repeat is refused as if it were the first', ['lost', 'insufficientFloat'], ['notFound', 'book']],
  ] as const)('%s is asked about, sent again under its reference, and paid once', async (_, sending, asking) => {
    provider.sending = [...sending];
    provider.asking = [...asking];
    const built = await releaseToRail(app);
    await followToTheEnd(app);
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect([...provider.paid.values()]).toEqual([80_100_000]);
    expect(new Set(provider.calls.map((call) => call.split(' ')[1])).size).toBe(1);
  });

  it('never fails: after a setting’s time officers are told once, and the desk lists it with the provider’s words', async () => {
    provider.fate = 'waiting';
    provider.sending = ['lost'];
    provider.asking = Array.from({ length: 100 }, () => 'lost' as const);
    const built = await releaseToRail(app);
    await followToTheEnd(app, 29 / 60);
    await sweepTransfers(app.platform);
    const told = async () => (await messagesTo(app, built.payer)).filter(({ body }) => body.includes('do not know'));
    expect(await told()).toEqual([]);
    app.clock.advance(2 * MINUTE_SECONDS);
    await Promise.all([sweepTransfers(app.platform), sweepTransfers(app.platform)]);
    await sweepTransfers(app.platform);
    expect(await told()).toHaveLength(1);
    expect((await built.officer.caller.get('/payouts/board')).body.onItsWay.rows).toEqual([
      expect.objectContaining({ applicationTag: built.tag, state: 'unknown', said: 'No answer', isLate: true }),
    ]);
    await followToTheEnd(app, 10);
    expect((await transfersOf(app, built))[0]).toMatchObject({ state: 'unknown', known_at: null });
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('is asked about first if a restored backup says that nothing was sent', async () => {
    const built = await releaseToRail(app);
    await followDue(app);
    const unsent = { state: 'released', sent_at: null, asked_at: null, asks: 0, next_ask_at: app.clock.now() } as const;
    await app.platform.db.updateTable('transfers').set(unsent).execute();
    provider.sending = ['insufficientFloat'];
    app.clock.advance(6 * MINUTE_SECONDS);
    await followDue(app);
    expect(provider.calls.map((call) => call.split(' ')[0])).toEqual(['send', 'ask']);
    expect(await statusOf(app, built)).toBe('Disbursed');
  });

  it('is asked about again if its job was lost', async () => {
    await releaseToRail(app);
    await app.platform.pool.query(`delete from pgboss.job where name = 'transfer'`);
    app.clock.advance(6 * MINUTE_SECONDS);
    await sweepTransfers(app.platform);
    const { rows } = await app.platform.pool.query(`select id from pgboss.job where name = 'transfer'`);
    expect(rows).toHaveLength(1);
    await followToTheEnd(app);
  });
});

describe('a payout that the provider refuses', () => {
  it('says why and what would work, posts nothing, and is prepared again by two people under a new reference', async () => {
    provider.sending = ['walletClosed'];
    const built = await releaseToRail(app);
    await followDue(app);
    expect([await statusOf(app, built), await balancesOf(app, built)]).toEqual(['Approved', {}]);
    const { transfer, next } = await payoutOf(built.payer, built.tag);
    expect(transfer).toMatchObject({ state: 'failed', refusal: 'walletClosed', said: 'walletClosed' });
    expect(next).toEqual({ kind: 'disbursement', amount: 801_000 });
    expect((await messagesTo(app, built.payer)).at(-1)?.body).toContain('Ask the client for another payout account');
    const ofClient = await payoutOf(built.client, built.tag);
    expect(ofClient.transfer).toMatchObject({ refusal: 'walletClosed', said: null, releasedBy: null });
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({ action: 'payout.failed' });
    await releaseToRail(app, built);
    await followToTheEnd(app);
    expect(await statusOf(app, built)).toBe('Disbursed');
    const references = (await transfersOf(app, built)).map(({ reference }) => reference);
    expect(new Set(references).size).toBe(2);
  });
});
