import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time/durations.ts';
import { paid } from '#server/payments/payments.harness.ts';
import {
  bySystem,
  checkedRailOfTest,
  followDue,
  followToTheEnd,
  releaseToRail,
} from '#server/transfers/transfers.harness.ts';
import {
  acknowledgeFlags,
  buildApprovedCase,
  buildOfficer,
  messagesTo,
  type PayableCase,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount, checkAccount, payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { codeOf } from '#testing/test-app.ts';

/**
 * The rest of a payout in parts: flags about its account, who may pay it, and the messages about it. Here a wallet
 * takes UGX 300,000 at once.
 */

const { app, provider } = checkedRailOfTest({ WALLET_TRANSACTION_LIMIT: 'UGX:300000' });
let built: PayableCase;
let other: Someone;
beforeEach(async () => {
  built = await buildApprovedCase(app, { advance: 90_000_055 });
  other = await buildOfficer(app);
});

const caseOf = async (by: Someone) => (await succeed(by.caller.get(`/desk/cases/${built.tag}`))).body;
const flagsOf = async (): Promise<unknown[]> => (await caseOf(other)).flags;
/** The number of flags on the application's row in a queue. */
async function countedIn(view: string): Promise<number> {
  const queue = { view, searchPhrase: built.invoiceNumber };
  return (await succeed(other.caller.post('/desk/queue', queue))).body[0].flags;
}
const ago = (days: number) => new Date(app.clock.now().getTime() - days * DAY_MS);

/** Pays the first part; then the client freezes the account, so that the rest stays owed. */
async function payFirstPart(): Promise<void> {
  await releaseToRail(app, built);
  await followDue(app);
  const { account } = await payoutOf(built.client, built.tag);
  await succeed(built.client.caller.post(`/payout_accounts/${account?.tag}/freeze`));
  await followToTheEnd(app);
  expect((await payoutOf(other, built.tag)).next).toEqual({ kind: 'disbursement', amount: 501_000 });
}

/** The client chooses an account that was verified two days ago, and whose provider names another holder. */
async function chooseFreshAccount(): Promise<void> {
  const accountTag = await buildPayoutAccount(app, built.client, built.officer, { verifiedAt: ago(2) });
  await succeed(built.client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag }));
  provider.holder = () => ({ state: 'active', name: 'MOSES WAISWA' });
}

const freshFlags = (acknowledged: unknown) => [
  { kind: 'newPayoutAccount', acknowledged },
  { kind: 'holderDiffers', acknowledged },
];

describe('the rest of a payout in parts', () => {
  it('is not prepared to a fresh account of somebody else before an officer answers for both flags', async () => {
    await payFirstPart();
    await chooseFreshAccount();
    expect(codeOf(await prepare(built.officer, built.tag))).toBe('FLAG_OPEN');
    expect(await flagsOf()).toMatchObject(freshFlags(null));
    expect([await countedIn('disbursed'), (await caseOf(other)).restOwed]).toEqual([2, 501_000]);
    await acknowledgeFlags(other, built.tag);
    expect(await countedIn('disbursed')).toBe(0);
    await succeed(prepare(built.officer, built.tag));
    await succeed(release(built.payer, built.tag, bySystem));
    await followToTheEnd(app);
    expect([await payoutOf(other, built.tag), (await caseOf(other)).restOwed]).toMatchObject([{ next: null }, 0]);
  });

  it('is not released to an account that was flagged after the preparation', async () => {
    await payFirstPart();
    const accountTag = await buildPayoutAccount(app, built.client, built.officer);
    await succeed(built.client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag }));
    await succeed(prepare(built.officer, built.tag));
    await checkAccount(app, built.client, built.officer, ago(2));
    expect(codeOf(await release(built.payer, built.tag, bySystem))).toBe('FLAG_OPEN');
    await acknowledgeFlags(other, built.tag);
    await succeed(release(built.payer, built.tag, bySystem));
  });

  it('has its flags on a settled application, too', async () => {
    await payFirstPart();
    await paid(built, 'receipts', { amount: 900_000.55 });
    await chooseFreshAccount();
    expect([await statusOf(app, built), codeOf(await prepare(built.officer, built.tag))]).toEqual([
      'Settled',
      'FLAG_OPEN',
    ]);
    expect([await flagsOf(), await countedIn('settledThisMonth')]).toMatchObject([freshFlags(null), 2]);
  });

  it('continues by itself to an account whose flags were acknowledged before the first part', async () => {
    await checkAccount(app, built.client, built.officer, ago(2));
    await acknowledgeFlags(other, built.tag);
    await releaseToRail(app, built);
    await followToTheEnd(app);
    expect([...provider.paid.values()]).toEqual([30_000_000, 30_000_000, 20_100_000]);
  });

  it('takes no new answer for the same account once a part to it was refused', async () => {
    await checkAccount(app, built.client, built.officer, ago(2));
    await acknowledgeFlags(other, built.tag);
    await releaseToRail(app, built);
    provider.sending = ['taken', 'walletLimit'];
    await followToTheEnd(app);
    expect(await flagsOf()).toMatchObject([
      { kind: 'newPayoutAccount', acknowledged: { by: { tag: other.person.tag } } },
    ]);
    await releaseToRail(app, built);
    await followToTheEnd(app);
    expect((await payoutOf(other, built.tag)).next).toBeNull();
  });

  it.each([
    ['an open', undefined, 'Disbursed'],
    ['a settled', 900_000.55, 'Settled'],
  ])('previews on the desk, for %s application, who may not release it', async (_, amount, status) => {
    await payFirstPart();
    if (amount !== undefined) await paid({ ...built, officer: other }, 'receipts', { amount });
    expect(await statusOf(app, built)).toBe(status);
    const previews = await Promise.all(
      [built.officer, built.payer, other].map(async (by) => (await caseOf(by)).payOutRefusal),
    );
    expect(previews).toEqual(['ONLY_APPROVER', null, null]);
    const accountTag = await buildPayoutAccount(app, built.client, built.officer);
    await succeed(built.client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag }));
    await succeed(prepare(built.payer, built.tag));
    expect(codeOf(await release(built.officer, built.tag, bySystem))).toBe('ONLY_APPROVER');
    await succeed(release(other, built.tag, bySystem));
  });
});

describe('extra money in parts', () => {
  it('says with each part what is still to come', async () => {
    await releaseToRail(app, built);
    await followToTheEnd(app);
    await paid(built, 'receipts', { amount: 1_300_000.55 });
    await succeed(prepare(built.officer, built.tag));
    await succeed(release(built.payer, built.tag, bySystem));
    await followToTheEnd(app);
    const told = (await messagesTo(app, built.client)).slice(-2).map(({ body }) => body);
    expect(told).toEqual([
      expect.stringMatching(/We paid you UGX 300,000 of the extra to MTN .*\. We'll send you another UGX 100,000\.$/),
      expect.stringMatching(/We paid you the extra UGX 100,000 to MTN [^.]*\.$/),
    ]);
  });
});
