import { randomUUID } from 'node:crypto';
import { maskedAccount, type NamedAccount, usableFrom } from '#contract/payouts/account.ts';
import { refusalsToAddAccount, refusalsToVerify, skipsWait } from '#contract/payouts/account-steps.ts';
import { sayHolder } from '#contract/payouts/holders.ts';
import type { FrozenReply, OwnPayoutAccounts, PayoutAccountForm, VerifyAccountBody } from '#contract/payouts/schema.ts';
import { isStaff } from '#contract/permissions.ts';
import type { Refusal } from '#contract/refusals/refusal.ts';
import { isSameTag } from '#contract/tags.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { webAddress } from '#server/accounts/accounts.messages.ts';
import type { AddressLimits } from '#server/accounts/login/address-limits.ts';
import { provePassword } from '#server/accounts/passwords/own-password.service.ts';
import { requireBusinessId } from '#server/businesses/businesses.service.ts';
import { AppError, orNotFound, refuseFirst } from '#server/calls/app-error.ts';
import type { Actor, Caller, SignedInCaller } from '#server/calls/caller.ts';
import { done } from '#server/calls/done.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, doOnce, recordEvent } from '#server/changes/change.ts';
import { asSystem } from '#server/db/row-scope.ts';
import { gather } from '#server/db/together.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import { findWitnesses } from '#server/people/standing/colleagues.service.ts';
import { lockNewUntil, wasPlacedBy } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { tellHeld } from '#server/transfers/transfers-sweep.service.ts';
import { freezeToken, isProved, readFreezeToken } from './freeze-links.ts';
import { askHolder } from './holders.service.ts';
import { type AccountNews, accountMessage } from './payout-accounts.messages.ts';
import { presentForOfficer, presentOwnAccount, waitHours } from './payout-accounts.presenter.ts';
import {
  countAddedSince,
  freezeRow,
  hasAccount,
  insertAccount,
  isShared,
  type LockedAccount,
  lockAccountRow,
  lockAddingBusiness,
  selectAccounts,
  selectAdder,
  selectForOfficers,
  selectReader,
  verifyRow,
} from './payout-accounts.queries.ts';

/**
 * The payout accounts of businesses (docs/decisions/0044-payout-accounts.md). Lock order: application, account, people,
 * businesses.
 */

/** The accounts of the caller's own business; none for a caller without one. */
export async function listOwnAccounts({ platform, caller: { person, now } }: Context): Promise<OwnPayoutAccounts> {
  const rows = person.businessId === null ? [] : await selectAccounts(platform.db, person.businessId);
  return { accounts: rows.map((row) => presentOwnAccount(platform, row, now)), waitHours: waitHours(platform) };
}

/** A business's accounts, for officers. Throws NOT_FOUND for an unknown one. */
export async function listBusinessAccounts(context: Context, businessTag: string) {
  await requireBusinessId(context.platform.db, businessTag);
  const rows = await selectForOfficers(context.platform.db, { businessTag });
  return rows.map((row) => presentForOfficer(context, row));
}

/**
 * Adds an account to the caller's own business, by `refusalsToAddAccount` (contract/payouts/account-steps.ts), once per
 * Idempotency-Key, and tells everybody there. Also throws NOT_FOUND and what `provePassword` throws.
 */
export async function addAccount(context: Context, { password, ...form }: PayoutAccountForm) {
  const { platform, caller } = context;
  const { person } = caller;
  await platform.passwords.inLine({ queue: 'known', key: `person:${person.tag}` }, () =>
    provePassword(context, password),
  );
  return changeOnce(context, { name: 'addPayoutAccount', input: form }, async (work) => {
    const { businessId } = person;
    if (businessId === null) throw new AppError('NOT_FOUND');
    const { refusals, tag } = await addFor(work, { ...person, businessId }, form);
    refuseFirst(refusals);
    return { ...done, tag };
  });
}

type Adder = Pick<SignedInCaller['person'], 'id' | 'tag' | 'firstName' | 'lastName' | 'username'> & {
  readonly businessId: number;
};

/**
 * Adds an account to a person's business in their name, and tells everybody there; nothing if `refusalsToAddAccount`
 * (contract/payouts/account-steps.ts) refuses it.
 */
export async function addFor(
  work: Work,
  { businessId, ...person }: Adder,
  form: Omit<PayoutAccountForm, 'password'>,
): Promise<{ readonly refusals: readonly Refusal[]; readonly tag: string }> {
  const { change, caller } = work;
  const account = { ...form, bankName: form.bankName ?? null };
  const { business, own, ...facts } = await gather({
    business: lockAddingBusiness(change, businessId),
    isKnown: hasAccount(change, businessId, account),
    addedInADay: countAddedSince(change, businessId, new Date(caller.now.getTime() - DAY_MS)),
    own: form.replaces === undefined ? [] : selectAccounts(change, businessId),
  });
  const replaced = own.find((one) => isSameTag(one.tag, form.replaces ?? null));
  const replacesUnknown = form.replaces !== undefined && replaced === undefined;
  const tag = randomUUID();
  const refusals = refusalsToAddAccount({ ...facts, isBusinessActive: business.active, replacesUnknown });
  if (refusals.length > 0) return { refusals, tag };
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
  const isOthers = person.id !== caller.person.id;
  const more = { ...(replaced && { replaces: replaced.tag }), ...(isOthers && { addedBy: person.tag }) };
  recordAccount(work, added, 'added', more);
  await notifyBusiness(work, added, { kind: 'added', by: nameOf({ person }) });
  return { refusals, tag };
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
  await notifyBusiness(work, account, { kind: 'frozen', by: frozenBy(caller) });
  await asSystem('held', () => tellHeld({ platform, change }, account.id));
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
 * Verifies an account, even a frozen one, by `refusalsToVerify` (contract/payouts/account-steps.ts); the account that it
 * replaces can no longer be paid to. Once per Idempotency-Key. Also throws NOT_FOUND.
 */
export async function verifyAccount(context: Context, tag: string, { reason, difference }: VerifyAccountBody) {
  const { platform, caller } = context;
  await askHolder(context, tag);
  return doOnce(context, { name: 'verifyPayoutAccount', input: [tag, reason, difference] }, async (work) => {
    const { change } = work;
    const account = orNotFound(await lockAccountRow(change, tag));
    const { person, now } = caller;
    const added = { submittedBy: account.addedBy, submittedAt: account.addedAt };
    const { hasPlaced, adder, witnesses, ...facts } = await gather({
      newUntil: lockNewUntil(work),
      hasPlaced: wasPlacedBy(platform, change, person.id, added),
      isShared: isShared(change, account),
      adder: selectAdder(change, account.addedBy, person.tag),
      witnesses: findWitnesses(platform, change, account.businessId, now),
    });
    const waitMs = platform.config.payoutAccountWaitMs;
    refuseFirst(
      refusalsToVerify({
        ...facts,
        now,
        account,
        waitMs,
        isOwnBusiness: account.businessId === person.businessId,
        hasAdded: account.addedBy === person.id || hasPlaced,
        reason,
        readDifference: difference,
      }),
    );
    const hasColleagues = witnesses.some(({ id }) => id !== account.addedBy);
    const skips = skipsWait({
      ...adder,
      account,
      isFirstOwn: account.isFirstOwn,
      hasColleagues,
      isShared: facts.isShared,
    });
    verifyRow(change, account, { at: now, by: person.id, reason: reason ?? null, skips });
    const holder = sayHolder(account);
    const more = { ...(reason && { reason }), ...(holder && { holder }), ...(skips && { skipsWait: true }) };
    recordAccount(work, account, 'verified', more);
    const from = usableFrom({ verifiedAt: now, skipsWait: skips }, waitMs) ?? now;
    await notifyBusiness(work, account, { kind: 'verified', usableFrom: from, now });
    if (account.replacesId !== null) await tellHeld({ platform, change }, account.replacesId);
  });
}

/** An account as messages and the audit log name it. */
type BusinessAccount = Pick<LockedAccount, 'tag' | 'businessId' | 'business' | 'businessTag' | 'freezes'> &
  NamedAccount;

/**
 * Records a change of an account in its business's audit chain, with all fields, so that nobody can alter it unnoticed.
 */
export function recordAccount(
  work: Changing<Actor>,
  account: NamedAccount & Pick<BusinessAccount, 'tag' | 'businessTag'>,
  what: 'added' | 'verified' | 'frozen',
  more: object = {},
): void {
  const { tag, businessTag, provider, number, holderName, bankName } = account;
  const named = { account: tag, label: maskedAccount(account), provider, number, holderName, bankName };
  recordEvent(work, `payout-account.${what}`, ['business', businessTag], { after: { ...named, ...more } });
}

/** Tells everybody active in the business, and those who left it recently, each with their own link. */
async function notifyBusiness(
  { platform, change, caller: { now } }: Work<Caller>,
  account: BusinessAccount,
  news: AccountNews,
): Promise<void> {
  const { config, sealer } = platform;
  const readers = await findWitnesses(platform, change, account.businessId, now);
  for (const { id, username } of readers) {
    const link = `${webAddress(config)}/freeze-account#${freezeToken(sealer, account, id, now)}`;
    const notice = { label: maskedAccount(account), business: account.business, news, support: config.support };
    await queueMessage(
      platform,
      change,
      accountMessage(username, { ...notice, link: news.kind === 'frozen' ? undefined : link }),
    );
  }
}

function nameOf({
  person: { firstName, lastName, username },
}: {
  readonly person: Omit<Adder, 'businessId' | 'id' | 'tag'>;
}): string {
  return [firstName, lastName].filter((name) => name !== null).join(' ') || username;
}
