import { type CaseFacts, isExperienced } from '#contract/desk/case-facts.ts';
import { atField, type Outcome, type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { isSameTag } from '#contract/tags.ts';
import { type AccountHistory, type AccountState, accountRefusals, accountState } from './account.ts';
import { type AskedAccount, holderDifference, isHolderNamed, isInactive } from './holders.ts';

/** Who may add, verify and choose a payout account (docs/decisions/0044-payout-accounts.md). */

/** The most accounts that a business may add in a day, because each sends a message to everybody there. */
const ADDED_A_DAY = 5;

interface AddingFacts {
  readonly isBusinessActive: boolean;
  /** Whether the business has this account already. */
  readonly isKnown: boolean;
  /** How many accounts the business added within the last day. */
  readonly addedInADay: number;
  /** Whether the account to be replaced, if one is named, is another business's or unknown. */
  readonly replacesUnknown: boolean;
}

const toAdd: readonly Rule<AddingFacts>[] = [
  ({ isBusinessActive }) => (isBusinessActive ? undefined : { code: 'BUSINESS_INACTIVE' }),
  ({ isKnown }) => (isKnown ? atField('PAYOUT_ACCOUNT_KNOWN', 'number') : undefined),
  ({ addedInADay }) => (addedInADay >= ADDED_A_DAY ? { code: 'PAYOUT_ACCOUNTS_MANY' } : undefined),
  ({ replacesUnknown }) => (replacesUnknown ? atField('UNKNOWN_REFERENCE', 'replaces') : undefined),
];

/** Why the client may not add the account. */
export function refusalsToAddAccount(facts: AddingFacts): Refusal[] {
  return refusalsBy(toAdd, facts);
}

/** The officer's part in an account. */
export interface Involvement {
  readonly isOwnBusiness: boolean;
  /** Whether the officer added the account, or recently let in the person who did. */
  readonly hasAdded: boolean;
}

interface VerifyingFacts extends Involvement, Pick<CaseFacts, 'now' | 'newUntil'> {
  readonly account: AccountHistory & AskedAccount;
  /** How long an account waits after its verification. */
  readonly waitMs: number;
  /** Whether another business has the same account. */
  readonly isShared: boolean;
  readonly reason: string | undefined;
  /** The difference between the holder's names that the officer read. */
  readonly readDifference: string | undefined;
}

const isOfAnotherBusiness: Rule<Involvement> = ({ isOwnBusiness }) =>
  isOwnBusiness ? { code: 'OWN_BUSINESS' } : undefined;

const isAddedByAnother: Rule<Involvement> = ({ hasAdded }) => (hasAdded ? { code: 'OWN_ACCOUNT' } : undefined);

const isInUse: Rule<VerifyingFacts> = ({ account }) =>
  account.replacedAt === null ? undefined : { code: 'PAYOUT_ACCOUNT_REPLACED' };

/** A frozen account can be verified again. */
const isUnverified: Rule<VerifyingFacts> = ({ account, now, waitMs }) => {
  const state = accountState(account, now, waitMs);
  return state === 'waiting' || state === 'usable' ? { code: 'PAYOUT_ACCOUNT_VERIFIED' } : undefined;
};

const isSharedForAReason: Rule<VerifyingFacts> = ({ isShared, reason }) =>
  isShared && reason === undefined ? atField('PAYOUT_ACCOUNT_SHARED', 'reason') : undefined;

const isNumberActive: Rule<VerifyingFacts> = ({ account }) =>
  isInactive(account) ? { code: 'PAYOUT_NUMBER_INACTIVE' } : undefined;

/** The reason must be for the difference that the provider reports now. */
const isHolderAcknowledged: Rule<VerifyingFacts> = ({ account, reason, readDifference }) => {
  const difference = holderDifference(account);
  if (difference === null || (reason !== undefined && readDifference === difference)) return undefined;
  return atField('HOLDER_DIFFERS', 'reason');
};

const toVerify: readonly Rule<VerifyingFacts>[] = [
  isOfAnotherBusiness,
  isAddedByAnother,
  isInUse,
  isUnverified,
  isExperienced,
  isSharedForAReason,
  isNumberActive,
  isHolderAcknowledged,
];

/** Why the officer may not verify the account. */
export function refusalsToVerify(facts: VerifyingFacts): Refusal[] {
  return refusalsBy(toVerify, facts);
}

/** What decides whether a verified account can be paid to at once. */
export interface WaitFacts {
  readonly account: AccountHistory & AskedAccount;
  /** Whether it is the business's first account, with the number that the person who added it signed up with. */
  readonly isFirstOwn: boolean;
  /** Whether that person proved the number by a PIN. */
  readonly isProved: boolean;
  /** Whether somebody else in the business could object within the wait. */
  readonly hasColleagues: boolean;
  /** Whether another business has the same account. */
  readonly isShared: boolean;
  /** Whether the officer ever activated, moved or otherwise changed that person. */
  readonly hasChanged: boolean;
}

/**
 * Whether an account can be paid to as soon as it is verified, so that a new client has the cash within hours: only the
 * first account, where one person's own number leaves a thief nothing to redirect. Decided once, at the first
 * verification.
 */
export function skipsWait({ account, isFirstOwn, isProved, hasColleagues, isShared, hasChanged }: WaitFacts): boolean {
  const isUntouched = account.verifiedAt === null && account.frozenAt === null;
  const isTheirs = isFirstOwn && isProved && !hasColleagues && !isShared;
  return isUntouched && isTheirs && isHolderNamed(account) && !hasChanged;
}

/**
 * Whether an account skips the wait; before its verification, whether it will, as far as is known. `isFirstOwn` as in
 * {@link WaitFacts}.
 */
export function expectsNoWait(account: AccountHistory & AskedAccount & { readonly isFirstOwn: boolean }): boolean {
  const { verifiedAt, isFirstOwn, holderState } = account;
  if (verifiedAt !== null) return account.skipsWait;
  return isFirstOwn && (holderState === null || isHolderNamed(account));
}

/** Whether another officer must verify the account. */
export function isBarredFromVerifying(involvement: Involvement): boolean {
  return refusalsBy([isOfAnotherBusiness, isAddedByAnother], involvement).length > 0;
}

interface ChoosingFacts<Account> {
  /** Whether nothing more will be paid on the application. */
  readonly isOver: boolean;
  /** Whether a payout is prepared or released. */
  readonly isUnderWay: boolean;
  /** The accounts of the client's business. */
  readonly accounts: readonly Account[];
  readonly accountTag: string;
}

interface Choosable {
  readonly tag: string;
  readonly state: AccountState;
}

/** The account that the client chooses for an application, or why they may not. */
export function decideChoice<Account extends Choosable>(facts: ChoosingFacts<Account>): Outcome<Account> {
  const chosen = facts.accounts.find(({ tag }) => isSameTag(facts.accountTag, tag));
  const refusals = refusalsBy(toChoose, { ...facts, chosen });
  return chosen === undefined || refusals.length > 0 ? { refusals } : { refusals: [], decision: chosen };
}

type ChoiceRule = Rule<Omit<ChoosingFacts<Choosable>, 'accounts'> & { readonly chosen: Choosable | undefined }>;

const canStillBePaid: ChoiceRule = ({ isOver }) => (isOver ? { code: 'STEP_NOT_ALLOWED' } : undefined);

const nothingIsUnderWay: ChoiceRule = ({ isUnderWay }) => (isUnderWay ? { code: 'PAYOUT_UNDER_WAY' } : undefined);

const isKnownAccount: ChoiceRule = ({ chosen }) =>
  chosen === undefined ? atField('UNKNOWN_REFERENCE', 'accountTag') : undefined;

const isNotEnded: ChoiceRule = ({ chosen }) =>
  chosen?.state === 'frozen' || chosen?.state === 'replaced'
    ? atField(accountRefusals[chosen.state], 'accountTag')
    : undefined;

const toChoose: readonly ChoiceRule[] = [canStillBePaid, nothingIsUnderWay, isKnownAccount, isNotEnded];
