import { randomUUID } from 'node:crypto';
import { NEW_ACCOUNT_DAYS } from '#contract/desk/schema.ts';
import type { ApplicationPayout } from '#contract/payouts/schema.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { TEST_PASSWORD, uniquePhone } from './builders.ts';
import type { CaseClient, Someone } from './case-builders.ts';
import type { Answer, TestApp } from './test-app.ts';

/** Payout accounts, and payouts over HTTP by the two calls that two officers make. */

/** An account of a client's: verified by that officer so long ago that it is not new, unless `given` says otherwise. Returns its tag. */
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
  const { tag } = await app.platform.db
    .insertInto('payout_accounts')
    .values({
      business_id: client.person.businessId,
      provider: given.bankName === undefined ? (given.provider ?? 'mtn') : 'bank',
      number: given.number ?? uniquePhone().replace(/^07./, '077'),
      holder_name: 'Sarah Nabirye',
      bank_name: given.bankName ?? null,
      replaces: null,
      added_at: before,
      added_by: client.person.id,
      verified_at: verifiedAt,
      verified_by: verifiedAt === null ? null : officer.person.id,
      verified_reason: null,
      frozen_at: null,
      frozen_by: null,
      replaced_at: null,
    })
    .returning('tag')
    .executeTakeFirstOrThrow();
  return tag;
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

/** What an officer sees of an application's payout. */
export async function payoutOf({ caller }: Pick<Someone, 'caller'>, tag: string): Promise<ApplicationPayout> {
  return (await caller.get(`/applications/${tag}/payout`)).body;
}

/** Prepares what is due, to the account that is shown. */
export async function prepare(by: Pick<Someone, 'caller'>, tag: string, change: object = {}): Promise<Answer> {
  const { next, account } = await payoutOf(by, tag);
  const seen = { amount: next?.amount ?? 1, accountTag: account?.tag ?? randomUUID() };
  return by.caller.post(`/applications/${tag}/payout/prepare`, { ...seen, ...change });
}

/** Releases what is prepared, with the officer's password. */
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

/** Prepares by one officer, where nothing is prepared, and releases by another; returns the first refusal. */
export async function payOut(
  { preparer, releaser }: { readonly preparer: Pick<Someone, 'caller'>; readonly releaser: Pick<Someone, 'caller'> },
  tag: string,
  change: object = {},
  headers?: Record<string, string>,
): Promise<Answer> {
  const { prepared } = await payoutOf(releaser, tag);
  if (prepared === null) {
    const answer = await prepare(preparer, tag);
    if (answer.status !== 200) return answer;
  }
  return release(releaser, tag, change, headers);
}
