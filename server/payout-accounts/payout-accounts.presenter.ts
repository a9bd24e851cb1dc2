import { type AccountState, accountState, maskedAccount, usableFrom } from '#contract/payouts/account.ts';
import { expectsNoWait, isBarredFromVerifying } from '#contract/payouts/account-steps.ts';
import { holderDifference, isInactive, sayHolder } from '#contract/payouts/holders.ts';
import type { OfficerPayoutAccount, OwnPayoutAccount, ShownAccount } from '#contract/payouts/schema.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import { isPlacedBy } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { type AccountRow, NAMES_APART, type OfficerAccountRow, type OwnAccountRow } from './payout-accounts.queries.ts';

/** The current state of an account. */
export function stateOf({ config }: Platform, account: AccountRow, now: Date): AccountState {
  return accountState(account, now, config.payoutAccountWaitMs);
}

/** Hours from an account's verification until it may be paid to. */
export function waitHours({ config }: Platform): number {
  return config.payoutAccountWaitMs / HOUR_MS;
}

/** Presents an account, masked. */
export function presentAccount(platform: Platform, account: AccountRow, now: Date): ShownAccount {
  return {
    tag: account.tag,
    label: maskedAccount(account),
    state: stateOf(platform, account, now),
    usableFrom: usableFrom(account, platform.config.payoutAccountWaitMs)?.toISOString() ?? null,
    skipsWait: expectsNoWait(account),
  };
}

/** Presents an account of the caller's business, masked, with the person who added it. */
export function presentOwnAccount(platform: Platform, account: OwnAccountRow, now: Date): OwnPayoutAccount {
  const { addedAt, addedByName: addedBy } = account;
  return { ...presentAccount(platform, account, now), addedAt: addedAt.toISOString(), addedBy };
}

/** Presents an account for officers, who check its holder and pay it. */
export function presentForOfficer(
  { platform, caller: { person, now } }: Context,
  row: OfficerAccountRow,
): OfficerPayoutAccount {
  const { formerProvider, formerNumber, formerHolder } = row;
  const former =
    formerProvider === null || formerNumber === null || formerHolder === null
      ? null
      : { provider: formerProvider, number: formerNumber, holderName: formerHolder, bankName: row.formerBank };
  return {
    ...presentOwnAccount(platform, row, now),
    provider: row.provider,
    number: row.number,
    holderName: row.holderName,
    bankName: row.bankName,
    business: row.business,
    businessTag: row.businessTag,
    replaces: former === null ? null : maskedAccount(former),
    sharedWith: row.sharedWith ? row.sharedWith.split(NAMES_APART) : [],
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    verifiedBy: row.verifiedByName,
    holder: presentHolder(row),
    barred: isBarredFromVerifying({
      isOwnBusiness: row.businessId === person.businessId,
      hasAdded: row.addedBy === person.id || isPlacedBy(platform, person.id, row, row.addedAt),
    }),
  };
}

function presentHolder(row: AccountRow): OfficerPayoutAccount['holder'] {
  const says = sayHolder(row);
  if (says === null || row.holderAskedAt === null) return null;
  const askedAt = row.holderAskedAt.toISOString();
  return { says, askedAt, difference: holderDifference(row), isInactive: isInactive(row) };
}
