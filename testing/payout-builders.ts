import { randomUUID } from 'node:crypto';
import { type CaseReply, NEW_ACCOUNT_DAYS } from '#contract/desk/schema.ts';
import type { ApplicationPayout } from '#contract/payouts/schema.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import type { Actor } from '#server/calls/caller.ts';
import {
  insertAccount,
  lockAccountRow,
  selectAccounts,
  verifyRow,
} from '#server/payout-accounts/payout-accounts.queries.ts';
import { recordAccount } from '#server/payout-accounts/payout-accounts.service.ts';
import { TEST_PASSWORD, uniquePhone } from './builders.ts';
import type { CaseClient, Someone } from './case-builders.ts';
import type { Answer, TestApp } from './test-app.ts';

/** Payout accounts, and payouts over HTTP by the two calls of two officers. */

/**
 * A client's account, verified by that officer long enough ago not to count as new, unless `given` says otherwise.
 * Returns its tag.
 */
export async function buildPayoutAccount(
  app: TestApp,
  client: CaseClient,
  officer: Pick<Someone, 'person'>,
  given: {
    readonly provider?: 'mtn' | 'airtel';
    readonly number?: string;
    readonly verifiedAt?: Date | null;
    readonly bankName?: string;
  } = {},
): Promise<string> {
  const before = new Date(app.clock.now().getTime() - (NEW_ACCOUNT_DAYS + 1) * DAY_MS);
  const verifiedAt = given.verifiedAt === undefined ? before : given.verifiedAt;
  const business = await app.platform.db
    .selectFrom('businesses')
    .select('tag')
    .where('id', '=', client.person.businessId)
    .executeTakeFirstOrThrow();
  const account = {
    tag: randomUUID(),
    businessTag: business.tag,
    holderName: 'Sarah Nabirye',
    bankName: given.bankName ?? null,
    provider: given.bankName === undefined ? (given.provider ?? 'mtn') : 'bank',
    number: given.number ?? uniquePhone().replace(/^07./, '077'),
  } as const;
  const { tag, provider, number, holderName, bankName } = account;
  const unfrozen = { frozen_at: null, frozen_by: null, replaces: null, replaced_at: null, verified_reason: null };
  await app.platform.db.inTransaction(async (change) => {
    insertAccount(change, {
      tag,
      provider,
      number,
      holder_name: holderName,
      bank_name: bankName,
      ...unfrozen,
      business_id: client.person.businessId,
      added_at: before,
      added_by: client.person.id,
      verified_at: verifiedAt,
      verified_by: verifiedAt === null ? null : officer.person.id,
    });
    recordAccount({ change, caller: actorAt(client, before) }, account, 'added');
    if (verifiedAt !== null) recordAccount({ change, caller: actorAt(officer, verifiedAt) }, account, 'verified');
  });
  return tag;
}

/** Records that an officer checked a client's newest account at `now`. */
export async function checkAccount(app: TestApp, client: CaseClient, officer: Pick<Someone, 'person'>, at: Date) {
  await app.platform.db.inTransaction(async (change) => {
    const [newest] = await selectAccounts(change, client.person.businessId);
    const account = newest && (await lockAccountRow(change, newest.tag));
    if (account === undefined) throw new Error('the client has no account');
    verifyRow(change, account, { at, by: officer.person.id, reason: null });
    recordAccount({ change, caller: actorAt(officer, at) }, account, 'verified');
  });
}

/** The person as an actor at that moment. */
function actorAt({ person }: Pick<Someone, 'person'>, now: Date): Actor {
  const named = { ...person, firstName: null, lastName: null };
  return { person: named, now, ip: 'builders', requestId: 'builders', idempotencyKey: undefined };
}

/** Builds an account for a client who has none. */
export async function ensurePayoutAccount(
  app: TestApp,
  client: CaseClient,
  officer: Pick<Someone, 'person'>,
): Promise<void> {
  const accounts = app.platform.db.selectFrom('payout_accounts').select('id');
  const known = await accounts.where('business_id', '=', client.person.businessId).executeTakeFirst();
  if (known === undefined) await buildPayoutAccount(app, client, officer);
}

/** An application's payout as an officer sees it. */
export async function payoutOf({ caller }: Pick<Someone, 'caller'>, tag: string): Promise<ApplicationPayout> {
  return (await caller.get(`/applications/${tag}/payout`)).body;
}

/** Prepares the due payment to the account shown. */
export async function prepare(by: Pick<Someone, 'caller'>, tag: string, change: object = {}): Promise<Answer> {
  const { next, account } = await payoutOf(by, tag);
  const seen = { amount: next?.amount ?? 1, accountTag: account?.tag ?? randomUUID() };
  return by.caller.post(`/applications/${tag}/payout/prepare`, { ...seen, ...change });
}

/** Releases the prepared payout with the officer's password. */
export async function release(
  by: Pick<Someone, 'caller'>,
  tag: string,
  change: object = {},
  headers?: Record<string, string>,
): Promise<Answer> {
  const prepared = (await payoutOf(by, tag)).prepared;
  const seen = {
    payoutTag: prepared?.tag ?? randomUUID(),
    amount: prepared?.amount ?? 1,
    accountTag: prepared?.account.tag ?? randomUUID(),
  };
  const payment = { reference: randomUUID(), date: '2026-11-20', password: TEST_PASSWORD };
  return by.caller.post(`/applications/${tag}/payout/release`, { ...seen, ...payment, ...change }, headers);
}

/** Acknowledges the reversed payments of a case, if it has any. */
export async function acknowledgeReversed({ caller }: Pick<Someone, 'caller'>, tag: string): Promise<void> {
  const { flags = [] }: Partial<Pick<CaseReply, 'flags'>> = (await caller.get(`/desk/cases/${tag}`)).body;
  const open = flags.filter(({ kind, acknowledged }) => kind === 'paidBefore' && acknowledged === null);
  if (open.length === 0) return;
  const named = open.map(({ kind, fact }) => ({ kind, fact }));
  await caller.post(`/desk/cases/${tag}/acknowledge`, { flags: named, reason: 'The bank says it did not leave' });
}

/** One officer prepares, unless a payout is prepared, and another releases; returns the first refusal. */
export async function payOut(
  { preparer, releaser }: { readonly preparer: Pick<Someone, 'caller'>; readonly releaser: Pick<Someone, 'caller'> },
  tag: string,
  change: object = {},
  headers?: Record<string, string>,
): Promise<Answer> {
  const { prepared } = await payoutOf(releaser, tag);
  if (prepared === null) {
    await acknowledgeReversed(preparer, tag);
    const answer = await prepare(preparer, tag);
    if (answer.status !== 200) return answer;
  }
  return release(releaser, tag, change, headers);
}
