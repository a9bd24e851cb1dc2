import { randomUUID } from 'node:crypto';
import { maskedAccount, type ProviderCode } from '#contract/payouts/account.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import type { Change } from '#server/db/transaction.ts';
import { recordAccount } from '#server/payout-accounts/payout-accounts.service.ts';
import { type Cast, callerAt } from './histories.ts';
import { type DemonstrationClient, LATE_CLIENT } from './invoices.ts';

/** The payout accounts of the demonstration's clients: one in each state. */

interface DemonstrationAccount {
  readonly client: DemonstrationClient;
  readonly provider: ProviderCode;
  readonly number: string;
  readonly holderName: string;
  readonly bankName?: string;
  /** Days before now. */
  readonly addedHoursAgo: number;
  readonly isChecked: boolean;
  readonly frozenHoursAgo?: number;
}

/** Days before the first payout. */
const LONG_AGO_HOURS = 165 * 24;
const CHECKED_AFTER_HOURS = 2;

/** In order of addition. Each client's first account received their payouts. */
export const demonstrationAccounts: readonly DemonstrationAccount[] = [
  {
    client: 'Nakasero Traders Ltd',
    provider: 'mtn',
    number: '0772345678',
    holderName: 'Sarah Nabirye',
    addedHoursAgo: LONG_AGO_HOURS,
    isChecked: true,
  },
  {
    client: 'Jinja Agro Supplies Ltd',
    provider: 'airtel',
    number: '0702345912',
    holderName: 'Moses Waiswa',
    addedHoursAgo: LONG_AGO_HOURS,
    isChecked: true,
  },
  {
    client: LATE_CLIENT,
    provider: 'mtn',
    number: '0782345431',
    holderName: 'Ruth Nakimuli',
    addedHoursAgo: LONG_AGO_HOURS,
    isChecked: true,
    frozenHoursAgo: 20,
  },
  {
    client: 'Nakasero Traders Ltd',
    provider: 'bank',
    number: '9030001234567',
    holderName: 'Nakasero Traders Ltd',
    bankName: 'Pearl Bank',
    addedHoursAgo: 6,
    isChecked: true,
  },
  {
    client: 'Jinja Agro Supplies Ltd',
    provider: 'bank',
    number: '0140007654321',
    holderName: 'Jinja Agro Supplies Ltd',
    bankName: 'Lakeside Bank',
    addedHoursAgo: 3,
    isChecked: false,
  },
];

/** The account of a payout. */
export interface SeededAccount {
  readonly id: number;
  readonly tag: string;
  /** The account number, masked. */
  readonly label: string;
}

/** Adds the accounts with their audit events. Returns each client's first one. */
export async function insertAccounts(
  change: Change,
  now: Date,
  casts: ReadonlyMap<string, Pick<Cast, 'client' | 'officer'>>,
): Promise<Map<string, SeededAccount>> {
  const first = new Map<string, SeededAccount>();
  for (const account of demonstrationAccounts) {
    const cast = casts.get(account.client);
    if (cast === undefined) throw new Error(`nobody logs in for ${account.client}`);
    const seeded = await insertAccount(change, now, cast, account);
    if (!first.has(account.client)) first.set(account.client, seeded);
  }
  return first;
}

/** Records how far an account got: added by its client, checked by an officer, frozen by its client. */
async function insertAccount(
  change: Change,
  now: Date,
  { client, officer }: Pick<Cast, 'client' | 'officer'>,
  { provider, number, holderName, bankName: bank, addedHoursAgo, isChecked, frozenHoursAgo }: DemonstrationAccount,
): Promise<SeededAccount> {
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
  const business = await change
    .selectFrom('businesses')
    .select(['id', 'tag'])
    .where('id', '=', client.businessId)
    .executeTakeFirstOrThrow();
  const bankName = bank ?? null;
  const [tag, label] = [randomUUID(), maskedAccount({ provider, number, holderName, bankName })];
  const addedAt = before(addedHoursAgo);
  const verifiedAt = isChecked ? before(addedHoursAgo - CHECKED_AFTER_HOURS) : null;
  const frozenAt = frozenHoursAgo === undefined ? null : before(frozenHoursAgo);
  const named = { provider, number, holder_name: holderName, bank_name: bankName };
  const verified = { verified_at: verifiedAt, verified_by: verifiedAt && officer.id };
  const frozen = { frozen_at: frozenAt, frozen_by: frozenAt && client.id, freezes: frozenAt === null ? 0 : 1 };
  const added = { tag, business_id: business.id, added_at: addedAt, added_by: client.id };
  const { id } = await change
    .insertInto('payout_accounts')
    .values({ ...added, ...named, ...verified, ...frozen })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [what, by, at] of [
    ['added', client, addedAt],
    ['verified', officer, verifiedAt],
    ['frozen', client, frozenAt],
  ] as const) {
    if (at === null) continue;
    const account = { tag, provider, number, holderName, bankName, businessTag: business.tag };
    recordAccount({ change, caller: callerAt(by, at) }, account, what, what === 'frozen' ? { frozenBy: by.tag } : {});
  }
  return { id, tag, label };
}
