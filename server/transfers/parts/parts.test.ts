import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { balancesOf, entriesOf, paid, reverse, reversePayout, sumsOf } from '#server/payments/payments.harness.ts';
import {
  bySystem,
  checkedRailOfTest,
  differencesWith,
  follow,
  followDue,
  followToTheEnd,
  releaseToRail,
  transfersOf,
} from '#server/transfers/transfers.harness.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import {
  buildApprovedCase,
  buildOfficer,
  eventsOf,
  messagesTo,
  type PayableCase,
  statusOf,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount, payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { unbooked, untrue } from '#testing/scripted-rail.ts';
import { codeOf } from '#testing/test-app.ts';

/**
 * Here a wallet takes at most UGX 300,000 at once, and a case pays out UGX 801,000.49 in three parts, one after
 * another. Whatever happens to a part, our books say what is paid and owed, and agree with the provider's.
 */

const { app, provider } = checkedRailOfTest({
  WALLET_TRANSACTION_LIMIT: 'UGX:300000',
  WALLET_DAILY_LIMIT: 'UGX:1000000',
});
let built: PayableCase;
beforeEach(async () => {
  built = await buildApprovedCase(app, { advance: 90_000_055 });
});

const [PART, LAST] = [30_000_000, 20_100_000];
/** Pays the newest part until the next one is ordered or nothing is left. */
async function payPart(): Promise<void> {
  await followDue(app);
  app.clock.advance(30);
  await followDue(app);
}
/** The cash that the provider has paid. */
const cash = async (): Promise<number> => 0 - ((await balancesOf(app, built)).cashMtn ?? 0);
const owed = async (): Promise<number> => 0 - ((await balancesOf(app, built)).clientPayable ?? 0);
const statesOf = async () => (await transfersOf(app, built)).map(({ state }) => state);
const partOf = async () => (await payoutOf(built.client, built.tag)).transfer?.part;

describe('a payout in parts', () => {
  it('is prepared and released once, says its parts before, and is whole after the last one', async () => {
    for (const who of [built.officer, built.client])
      expect(await payoutOf(who, built.tag)).toMatchObject({ parts: [300_000, 300_000, 201_000], walletTakes: null });
    await releaseToRail(app, built);
    expect(await partOf()).toEqual({ number: 1, of: 3, rest: 501_000, paid: [] });
    await payPart();
    expect([await cash(), await owed(), await statusOf(app, built)]).toEqual([PART, PART + LAST, 'Disbursed']);
    expect(await sumsOf(built.client, built.tag)).toMatchObject({ disbursed: 300_000, restOwed: 501_000 });
    expect((await messagesTo(app, built.client)).at(-1)?.body).toMatch(
      /We paid you UGX 300,000 to MTN .*\. We'll send you another UGX 501,000\. Pay back UGX 900,000\.55 by/,
    );
    expect(await partOf()).toMatchObject({ number: 2, of: 3, rest: 201_000, paid: [{ amount: 300_000 }] });
    await payPart();
    expect([await cash(), await owed()]).toEqual([2 * PART, LAST]);
    await payPart();
    expect([await cash(), await owed()]).toEqual([2 * PART + LAST, 0]);
    expect([...provider.paid.values()]).toEqual([PART, PART, LAST]);
    expect((await messagesTo(app, built.client)).at(-1)?.body).toMatch(
      /We paid you another UGX 201,000 to MTN .*\. You now have all your cash\./,
    );
    expect((await payoutOf(built.officer, built.tag)).next).toBeNull();
    expect((await entriesOf(built.client, built.tag)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['disbursement', 300_000],
      ['disbursement', 300_000],
      ['disbursement', 201_000],
    ]);
    const numbers = (await partOf())?.paid.map(({ providerReference }) => providerReference);
    expect(numbers).toEqual([...provider.paid.keys()].slice(0, 2).map(provider.numberOf));
    expect((await stepsOf(app, built)).slice(-3).map(({ step }) => step)).toEqual([
      'disburse',
      'disburseRest',
      'disburseRest',
    ]);
    const released = (await eventsOf(app, built)).filter(({ action }) => action === 'payout.released');
    expect(released).toMatchObject([PART, PART, LAST].map((amount) => ({ after: { amount } })));
    expect(new Set(released.map(({ actor_tag }) => actor_tag)).size).toBe(1);
  });

  it('has the amount of each part in the record', async () => {
    await releaseToRail(app, built);
    await payPart();
    const [, second] = await transfersOf(app, built);
    const change = (by: number) =>
      sql`update transfers set amount = amount + ${by} where id = ${second?.id}`.execute(app.database.owner.db);
    await change(1);
    expect((await verifyRecord(app.platform)).faults).toEqual([expect.stringContaining(second?.tag ?? '')]);
    await change(-1);
  });

  it('whose first part is refused has failed as any other', async () => {
    provider.sending = ['walletLimit'];
    await releaseToRail(app, built);
    await followToTheEnd(app);
    expect([await statusOf(app, built), await statesOf()]).toEqual(['Approved', ['failed']]);
    expect((await payoutOf(built.officer, built.tag)).next).toEqual({ kind: 'disbursement', amount: 801_000 });
  });

  it('whose later part is refused leaves its rest owed, which two people pay as any payout, the same two too', async () => {
    await releaseToRail(app, built);
    await payPart();
    provider.sending = ['insufficientFloat'];
    await followToTheEnd(app);
    expect([await cash(), await owed(), await statesOf()]).toEqual([PART, PART + LAST, ['succeeded', 'failed']]);
    expect(await payoutOf(built.officer, built.tag)).toMatchObject({
      next: { kind: 'disbursement', amount: 501_000 },
      isRest: true,
      parts: [300_000, 201_000],
      transfer: { state: 'failed', refusal: 'insufficientFloat', part: { number: 2, of: 3 } },
    });
    expect(codeOf(await prepare(built.officer, built.tag, { amount: 801_000 }))).toBe('PAYOUT_CHANGED');
    await succeed(prepare(built.officer, built.tag));
    expect(codeOf(await release(built.officer, built.tag, bySystem))).toBe('OWN_PAYOUT');
    await succeed(release(built.payer, built.tag, bySystem));
    await followToTheEnd(app);
    expect([await cash(), await owed()]).toEqual([2 * PART + LAST, 0]);
  });

  it('sends no more to an account that was frozen between two parts, and says so to officers', async () => {
    await releaseToRail(app, built);
    await followDue(app);
    const { account } = await payoutOf(built.client, built.tag);
    await succeed(built.client.caller.post(`/payout_accounts/${account?.tag}/freeze`));
    await followToTheEnd(app);
    expect([await cash(), await owed(), await statesOf()]).toEqual([PART, PART + LAST, ['succeeded']]);
    const told = (await messagesTo(app, built.payer)).map(({ body }) => body);
    expect(told).toContainEqual(
      expect.stringMatching(/The rest, UGX 501,000, is not sent yet\. This payout account is frozen\./),
    );
    const accountTag = await buildPayoutAccount(app, built.client, built.officer);
    await succeed(built.client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag }));
    await succeed(prepare(built.officer, built.tag));
    await succeed(release(await buildOfficer(app), built.tag, bySystem));
    await followToTheEnd(app);
    expect([await cash(), await owed()]).toEqual([2 * PART + LAST, 0]);
  });

  it('is settled if it is paid back before its last part, and gets that part all the same', async () => {
    await releaseToRail(app, built);
    await payPart();
    await payPart();
    await paid(built, 'receipts', { amount: 900_010 });
    expect([await statusOf(app, built), await owed()]).toEqual(['Settled', LAST + 945]);
    await payPart();
    expect([await statusOf(app, built), await owed()]).toEqual(['Settled', 945]);
    expect(await sumsOf(built.client, built.tag)).toMatchObject({ disbursed: 801_000, surplusOwed: 9.45 });
    expect((await payoutOf(built.officer, built.tag)).next).toEqual({ kind: 'surplus', amount: 9 });
  });
});

describe('a part', () => {
  it('is ordered with the entry of the one before, or neither is', async () => {
    await releaseToRail(app, built);
    await followDue(app);
    app.clock.advance(30);
    const { jobs } = app.platform;
    const failing: typeof jobs = Object.assign(Object.create(jobs), {
      add: () => Promise.reject(new Error('the server stops')),
    });
    const [first] = await transfersOf(app, built);
    await expect(follow({ ...app.platform, jobs: failing }, first?.tag ?? '')).rejects.toThrow('the server stops');
    expect([await statusOf(app, built), await statesOf()]).toEqual(['Approved', ['sent']]);
    await followToTheEnd(app);
    expect([await cash(), await owed()]).toEqual([2 * PART + LAST, 0]);
  });

  it('is ordered once by any number of servers', async () => {
    await releaseToRail(app, built);
    await followDue(app);
    app.clock.advance(30);
    const [first] = await transfersOf(app, built);
    await Promise.all(Array.from({ length: 6 }, () => follow(app.platform, first?.tag ?? '')));
    expect(await statesOf()).toEqual(['succeeded', 'released']);
    await followToTheEnd(app);
    expect([...provider.paid.values()]).toEqual([PART, PART, LAST]);
  });

  it('holds the next one back while nothing is known of it, until two officers end it', async () => {
    await releaseToRail(app, built);
    await payPart();
    provider.fate = 'waiting';
    await followDue(app);
    app.clock.advance(31 * MINUTE_SECONDS);
    await sweepTransfers(app.platform);
    const second = (await transfersOf(app, built))[1]?.tag;
    const other = await buildOfficer(app);
    const end = (by: typeof other, act: string, body: object) =>
      by.caller.post(`/transfers/${second}/ending/${act}`, body);
    const reason = 'Their portal has no such payment';
    await succeed(end(built.officer, 'propose', { outcome: 'notPaid', reason }));
    app.clock.advance(5 * MINUTE_SECONDS);
    const [open] = (await succeed(other.caller.get('/payouts/board'))).body.onItsWay.rows;
    expect(open).toMatchObject({ part: { number: 2, of: 3 }, amount: 300_000 });
    await succeed(end(other, 'confirm', { endingTag: open.ending.tag }));
    expect([await owed(), await statesOf()]).toEqual([PART + LAST, ['succeeded', 'failed']]);
    expect((await payoutOf(other, built.tag)).next).toEqual({ kind: 'disbursement', amount: 501_000 });
  });

  it('is followed by the next one if two officers end it as paid', async () => {
    provider.fate = 'waiting';
    await releaseToRail(app, built);
    await followDue(app);
    app.clock.advance(31 * MINUTE_SECONDS);
    await sweepTransfers(app.platform);
    const [first] = await transfersOf(app, built);
    const other = await buildOfficer(app);
    const url = `/transfers/${first?.tag}/ending`;
    const said = { outcome: 'paid', providerReference: 'MP-778', reason: 'It is on their portal' };
    await succeed(built.officer.caller.post(`${url}/propose`, said));
    app.clock.advance(5 * MINUTE_SECONDS);
    const [open] = (await succeed(other.caller.get('/payouts/board'))).body.onItsWay.rows;
    await succeed(other.caller.post(`${url}/confirm`, { endingTag: open.ending.tag }));
    expect([await statesOf(), await owed()]).toEqual([['reconciled', 'released'], PART + LAST]);
    const booked = provider.book.get(first?.reference ?? '');
    if (booked !== undefined) booked.fate = 'paid';
    provider.fate = 'paid';
    await followToTheEnd(app);
    expect([await cash(), await owed()]).toEqual([2 * PART + LAST, 0]);
  });

  it('keeps every part from being reversed while it is on its way; then the first one is reversed last', async () => {
    await releaseToRail(app, built);
    await payPart();
    const [first] = await entriesOf(built.officer, built.tag);
    const other = await buildOfficer(app);
    expect(codeOf(await reverse(other, first?.tag ?? ''))).toBe('PAYOUT_ON_ITS_WAY');
    await followToTheEnd(app);
    const [, second, third] = await entriesOf(built.officer, built.tag);
    expect(codeOf(await reverse(other, third?.tag ?? ''))).toBe('SHOWN_PAID');
    const notPaid = { outcome: 'notPaid', provider_reference: null, amount: null } as const;
    await app.platform.db.updateTable('provider_records').set(notPaid).execute();
    expect(codeOf(await reverse(other, first?.tag ?? ''))).toBe('PARTS_EXIST');
    const officers = [other, built.officer] as const;
    await succeed(reversePayout(officers, built, third?.tag));
    expect([await owed(), await statusOf(app, built)]).toEqual([LAST, 'Disbursed']);
    expect(await payoutOf(other, built.tag)).toMatchObject({ next: { amount: 201_000 }, isRest: true });
    await succeed(reversePayout(officers, built, second?.tag));
    await succeed(reversePayout(officers, built, first?.tag));
    expect([await statusOf(app, built), await balancesOf(app, built)]).toEqual(['Approved', {}]);
    expect((await payoutOf(other, built.tag)).next).toEqual({ kind: 'disbursement', amount: 801_000 });
  });
});

describe('parts, whatever happens', () => {
  it('that are recorded while their account is frozen and paid to for another case', async () => {
    const second = await buildApprovedCase(app, { client: built.client, advance: 10_000_000 });
    await releaseToRail(app, built);
    await succeed(prepare(second.officer, second.tag));
    await followDue(app);
    app.clock.advance(30);
    const [first] = await transfersOf(app, built);
    const { account } = await payoutOf(built.client, built.tag);
    const [, frozen, released] = await Promise.all([
      follow(app.platform, first?.tag ?? ''),
      built.client.caller.post(`/payout_accounts/${account?.tag}/freeze`),
      release(second.payer, second.tag, bySystem),
    ]);
    expect(frozen.status).toBe(200);
    expect(['200', 'PAYOUT_ACCOUNT_FROZEN']).toContain(codeOf(released));
    await followToTheEnd(app, 1);
    // A part sent before the account was frozen is paid; nothing is sent after it.
    expect(await cash()).toBe(PART);
    expect((await cash()) + (await owed())).toBe(2 * PART + LAST);
  });

  it('each payment of the provider is one entry, and what it did not pay is owed', async () => {
    const sending = fc.constantFrom(
      ...(['taken', 'paid', 'lost', 'dropped', 'throws', 'insufficientFloat'] as const),
      ...([unbooked, untrue] as const),
    );
    const asking = fc.constantFrom('book', 'pending', 'lost', 'throws');
    const answers = fc.record({
      sending: fc.array(sending, { maxLength: 6 }),
      asking: fc.array(asking, { maxLength: 8 }),
    });
    const property = fc.asyncProperty(answers, async (given) => {
      built = await releaseToRail(app);
      Object.assign(provider, { sending: [...given.sending], asking: [...given.asking] });
      await followToTheEnd(app, 24);
      const isPaidOut = (await statusOf(app, built)) !== 'Approved';
      expect((await cash()) + (await owed())).toBe(isPaidOut ? 80_100_000 : 0);
      expect((await cash()) > 0).toBe(isPaidOut);
      expect(await differencesWith(app, provider)).toEqual([]);
    });
    await fc.assert(property, { numRuns: 10 });
  }, 300_000);
});

describe('what a wallet takes in a day', () => {
  /** Dates all releases so far one day earlier. */
  async function beYesterday(): Promise<void> {
    const yesterday = new Date(app.clock.now().getTime() - DAY_MS);
    const released = app.platform.db.updateTable('payouts').set({ released_at: yesterday });
    await released.where('released_at', 'is not', null).execute();
  }

  it('is kept by two releases at once', async () => {
    const second = await buildApprovedCase(app, { client: built.client });
    for (const one of [built, second]) await succeed(prepare(one.officer, one.tag));
    const answers = await Promise.all([built, second].map((one) => release(one.payer, one.tag, bySystem)));
    expect(answers.map(codeOf).sort()).toEqual(['200', 'WALLET_FULL_TODAY']);
    await followToTheEnd(app, 1);
  });

  it('counts a part that is paid once, and a rest that others left no room for stays owed', async () => {
    provider.fate = 'waiting';
    await releaseToRail(app, built);
    await followDue(app);
    await beYesterday();
    const second = await buildApprovedCase(app, { client: built.client });
    await succeed(prepare(second.officer, second.tag));
    await succeed(release(second.payer, second.tag, bySystem));
    provider.fate = 'paid';
    for (const booked of provider.book.values()) booked.fate = 'paid';
    await followToTheEnd(app);
    expect([...provider.paid.values()].toSorted((one, other) => one - other)).toEqual([LAST, PART, PART, PART]);
    expect(await owed()).toBe(PART + LAST);
    expect(codeOf(await prepare(built.officer, built.tag))).toBe('WALLET_FULL_TODAY');
    await beYesterday();
    await releaseToRail(app, built);
    await followToTheEnd(app);
    expect(await owed()).toBe(0);
  });
});
