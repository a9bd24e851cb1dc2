import { randomUUID } from 'node:crypto';
import { maskedAccount, type NamedAccount, usableFrom } from '#contract/payouts/account.ts';
import { holderDifference, isInactive, sayHolder } from '#contract/payouts/holders.ts';
import type {
  FrozenReply,
  OfficerPayoutAccount,
  OwnPayoutAccounts,
  PayoutAccountForm,
  VerifyAccountBody,
} from '#contract/payouts/schema.ts';
import { isStaff } from '#contract/permissions.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { webAddress } from '#server/accounts/accounts.messages.ts';
import type { AddressLimits } from '#server/accounts/login/address-limits.ts';
import { provePassword } from '#server/accounts/passwords/own-password.service.ts';
import { AppError, fieldError, orNotFound } from '#server/calls/app-error.ts';
import type { Actor, Caller, SignedInCaller } from '#server/calls/caller.ts';
import { done } from '#server/calls/done.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, doOnce, recordEvent } from '#server/changes/change.ts';
import { asSystem } from '#server/db/row-scope.ts';
import type { Change } from '#server/db/transaction.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import { findWitnesses } from '#server/people/standing/colleagues.service.ts';
import { requireStanding, wasPlacedBy } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { tellHeld } from '#server/transfers/transfers-sweep.service.ts';
import { freezeToken, isProved, readFreezeToken } from './freeze-links.ts';
import { askHolder } from './holders.service.ts';
import { type AccountNews, accountMessage } from './payout-accounts.messages.ts';
import { presentForOfficer, presentOwnAccount, stateOf, waitHours } from './payout-accounts.presenter.ts';
import {
  type AccountRow,
  countAddedSince,
  freezeRow,
  hasAccount,
  insertAccount,
  isShared,
  type LockedAccount,
  lockAccountRow,
  lockAddingBusiness,
  selectAccounts,
  selectForOfficers,
  selectReader,
  selectWaiting,
  verifyRow,
} from './payout-accounts.queries.ts';

/**
 * The payout accounts of businesses (docs/decisions/0044-payout-accounts.md). Lock order: application, account, people,
 * businesses.
 */

/** The most accounts that a business may add in a day, because each sends a message to everybody there. */
const ADDED_A_DAY = 5;

/** The accounts of the caller's own business; none for a caller without one. */
export async function listOwnAccounts({ platform, caller: { person, now } }: Context): Promise<OwnPayoutAccounts> {
  const rows = person.businessId === null ? [] : await selectAccounts(platform.db, person.businessId);
  return { accounts: rows.map((row) => presentOwnAccount(platform, row, now)), waitHours: waitHours(platform) };
}

/** The accounts that nobody has verified yet. */
export async function listWaitingAccounts(context: Context): Promise<OfficerPayoutAccount[]> {
  return (await selectWaiting(context.platform.db)).map((row) => presentForOfficer(context, row));
}

/** A business's accounts, for officers. */
export async function listBusinessAccounts(context: Context, businessTag: string) {
  const rows = await selectForOfficers(context.platform.db, { businessTag });
  return rows.map((row) => presentForOfficer(context, row));
}

/**
 * Adds an account to the caller's own business, once per Idempotency-Key, and tells everybody there. Throws what
 * `provePassword` throws; BUSINESS_INACTIVE, PAYOUT_ACCOUNT_KNOWN, PAYOUT_ACCOUNTS_MANY; UNKNOWN_REFERENCE for replacing
 * another business's account.
 */
export async function addAccount(context: Context, { password, ...form }: PayoutAccountForm) {
  const { platform, caller } = context;
  const { person } = caller;
  await platform.passwords.inLine({ queue: 'known', key: `person:${person.tag}` }, () =>
    provePassword(context, password),
  );
  return changeOnce(context, { name: 'addPayoutAccount', input: form }, async (work) => {
    const { change } = work;
    const { businessId } = person;
    if (businessId === null) throw new AppError('NOT_FOUND');
    const business = await lockAddingBusiness(change, businessId);
    if (!business.active) throw new AppError('BUSINESS_INACTIVE');
    const account = { ...form, bankName: form.bankName ?? null };
    if (await hasAccount(change, businessId, account)) throw fieldError('PAYOUT_ACCOUNT_KNOWN', 'number');
    const dayAgo = new Date(caller.now.getTime() - DAY_MS);
    if ((await countAddedSince(change, businessId, dayAgo)) >= ADDED_A_DAY) throw new AppError('PAYOUT_ACCOUNTS_MANY');
    const replaced = form.replaces === undefined ? undefined : await findOwn(change, businessId, form.replaces);
    const tag = randomUUID();
    insertAccount(change, {
      tag,
      business_id: businessId,
      provider: form.provider,
      number: form.number,
      holder_name: form.holderName,
      bank_name: account.bankName,
      replaces: replaced?.id ?? null,
      added_at: caller.now,
      added_by: person.id,
    });
    const added = { ...account, tag, businessId, business: business.name, businessTag: business.tag, freezes: 0 };
    recordAccount(work, added, 'added', replaced && { replaces: replaced.tag });
    await tell(work, added, { kind: 'added', by: nameOf(caller) });
    return { ...done, tag };
  });
}

async function findOwn(change: Change, businessId: number, tag: string): Promise<AccountRow> {
  const own = (await selectAccounts(change, businessId)).find((account) => account.tag === tag.toLowerCase());
  if (own === undefined) throw fieldError('UNKNOWN_REFERENCE', 'replaces');
  return own;
}

/**
 * Freezes an account of the caller's own business; staff may freeze any. A frozen account stays frozen. Throws
 * NOT_FOUND.
 */
export function freezeAccount(context: Context, tag: string) {
  return doOnce(context, { name: 'freezePayoutAccount', input: tag }, async (work) => {
    const account = await lockAccountRow(work.change, tag);
    const { person } = context.caller;
    // Row-level security hides other businesses' accounts from a client; an officer may freeze any.
    if (account === undefined || !(isStaff(person) || account.businessId === person.businessId))
      throw new AppError('NOT_FOUND');
    await freeze(work, account, person);
  });
}

/**
 * Freezes an account by the link in a message, without a login, in the name of its recipient. Throws FREEZE_ENDED if
 * the link was used, has expired or is invalid; TOO_MANY_REQUESTS.
 */
export async function freezeByLink(
  context: Context<Caller>,
  limits: AddressLimits,
  token: string,
): Promise<FrozenReply> {
  const { platform, caller } = context;
  await limits.spend('freeze-account', caller.ip);
  const link = readFreezeToken(token);
  return platform.db.inTransaction(async (change) => {
    const account = link === undefined ? undefined : await lockAccountRow(change, link.accountTag);
    if (link === undefined || account === undefined || link.endsAt <= caller.now) throw new AppError('FREEZE_ENDED');
    if (!isProved(platform.sealer, token, link, account.freezes)) throw new AppError('FREEZE_ENDED');
    // A person deactivated since may freeze it too: everybody who got the message may object, and a freeze only stops
    // money.
    const reader = await selectReader(change, link.personId);
    if (reader === undefined) throw new AppError('FREEZE_ENDED');
    await freeze({ ...context, change }, account, reader);
    return { ...done, label: maskedAccount(account), business: account.business };
  });
}

async function freeze(
  work: Work<Caller>,
  account: LockedAccount,
  by: { readonly id: number; readonly tag: string },
): Promise<void> {
  const { platform, change, caller } = work;
  if (account.frozenAt !== null) return;
  freezeRow(change, account, caller.now, by.id);
  recordAccount(work, account, 'frozen', { frozenBy: by.tag });
  await tell(work, account, { kind: 'frozen', by: frozenBy(caller) });
  await asSystem('held', () => tellHeld(platform, change, account.id));
}

/**
 * Who froze the account, for the message: nobody is logged in with a link, and to the business an officer is the
 * lender.
 */
function frozenBy({ person }: Caller): string {
  if (person === null) return 'Somebody with the link of our message';
  return isStaff(person) ? 'We' : nameOf({ person });
}

/**
 * Verifies an account, even a frozen one; the account that it replaces can no longer be paid to. Once per
 * Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS; OWN_ACCOUNT for the officer who added it, or who recently let in the
 * person who did; PAYOUT_ACCOUNT_VERIFIED, PAYOUT_ACCOUNT_REPLACED, NEW_OFFICER; PAYOUT_NUMBER_INACTIVE; at `reason`
 * PAYOUT_ACCOUNT_SHARED if another business has it and no reason is given, and HOLDER_DIFFERS unless the reason is for
 * the difference that the provider reports now.
 */
export async function verifyAccount(context: Context, tag: string, { reason, difference: read }: VerifyAccountBody) {
  const { platform, caller } = context;
  await askHolder(context, tag);
  return doOnce(context, { name: 'verifyPayoutAccount', input: [tag, reason, read] }, async (work) => {
    const { change } = work;
    const account = orNotFound(await lockAccountRow(change, tag));
    const { person, now } = caller;
    if (account.businessId === person.businessId) throw new AppError('OWN_BUSINESS');
    const added = { submittedBy: account.addedBy, submittedAt: account.addedAt };
    if (account.addedBy === person.id || (await wasPlacedBy(platform, change, person.id, added)))
      throw new AppError('OWN_ACCOUNT');
    if (account.replacedAt !== null) throw new AppError('PAYOUT_ACCOUNT_REPLACED');
    if (!['unverified', 'frozen'].includes(stateOf(platform, account, now)))
      throw new AppError('PAYOUT_ACCOUNT_VERIFIED');
    await requireStanding(work);
    if (reason === undefined && (await isShared(change, account))) throw fieldError('PAYOUT_ACCOUNT_SHARED', 'reason');
    if (isInactive(account)) throw new AppError('PAYOUT_NUMBER_INACTIVE');
    const difference = holderDifference(account);
    if (difference !== null && (reason === undefined || read !== difference))
      throw fieldError('HOLDER_DIFFERS', 'reason');
    verifyRow(change, account, { at: now, by: person.id, reason: reason ?? null });
    const holder = sayHolder(account);
    recordAccount(work, account, 'verified', { ...(reason && { reason }), ...(holder && { holder }) });
    const from = usableFrom({ verifiedAt: now }, platform.config.payoutAccountWaitMs) ?? now;
    await tell(work, account, { kind: 'verified', usableFrom: from, now });
    if (account.replacesId !== null) await tellHeld(platform, change, account.replacesId);
  });
}

/** An account as messages and the audit log name it. */
type Told = Pick<LockedAccount, 'tag' | 'businessId' | 'business' | 'businessTag' | 'freezes'> & NamedAccount;

/**
 * Records a change of an account in its business's audit chain, with all fields, so that nobody can alter it unnoticed.
 */
export function recordAccount(
  work: Changing<Actor>,
  account: NamedAccount & Pick<Told, 'tag' | 'businessTag'>,
  what: 'added' | 'verified' | 'frozen',
  more: object = {},
): void {
  const { tag, businessTag, provider, number, holderName, bankName } = account;
  const named = { account: tag, label: maskedAccount(account), provider, number, holderName, bankName };
  recordEvent(work, `payout-account.${what}`, ['business', businessTag], { after: { ...named, ...more } });
}

/** Tells everybody active in the business, and those who left it recently, each with their own link. */
async function tell(
  { platform, change, caller: { now } }: Work<Caller>,
  account: Told,
  news: AccountNews,
): Promise<void> {
  const { config, sealer } = platform;
  const readers = await findWitnesses(platform, change, account.businessId, now);
  for (const { id, username } of readers) {
    const link = `${webAddress(config)}/freeze-account#${freezeToken(sealer, account, id, now)}`;
    const told = { label: maskedAccount(account), business: account.business, news, support: config.support };
    await queueMessage(
      platform,
      change,
      accountMessage(username, { ...told, link: news.kind === 'frozen' ? undefined : link }),
    );
  }
}

function nameOf({ person: { firstName, lastName, username } }: Pick<SignedInCaller, 'person'>): string {
  return [firstName, lastName].filter((name) => name !== null).join(' ') || username;
}
