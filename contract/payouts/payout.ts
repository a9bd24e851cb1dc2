import {
  type ClientPayment,
  consider,
  type DuePayout,
  type PaidApplication,
  refusalsOfStep,
  refusalsOfTerms,
} from '#contract/payments/payment.ts';
import { atField, type Outcome, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { isSameTag } from '#contract/tags.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { maskedAccount, type NamedAccount, providers } from './account.ts';
import { type PayingFacts, type PreparingFacts, refusalsToPrepare, refusalsToRelease } from './officers.ts';
import { type PaidBefore, refusalOfRepeat } from './paid-before.ts';
import { type Payee, refusalOfPayee } from './payee.ts';
import {
  DATE_MISSING,
  type PayoutKind,
  type PayoutRefusal,
  type PreparePayoutBody,
  REFERENCE_MISSING,
  type ReleasePayoutBody,
} from './schema.ts';
import { refusalByWallet, type Wallet } from './wallet-limits.ts';

/**
 * Payouts (docs/decisions/0044-payout-accounts.md): one officer prepares, another releases. Decisions are made from
 * facts, under the application's lock. Amounts in minor units.
 */

/** The facts that decide whether an account can receive an amount. */
interface PayeeFacts<Account extends Payee = Payee> {
  readonly now: Date;
  readonly payee: Account;
  /** How long an account waits after its verification. */
  readonly accountWaitMs: number;
  /** Undefined if the account has no limit. */
  readonly wallet: Wallet | undefined;
}

/** Why an account can't receive an amount now. */
export function refusalsOfPayee({ now, payee, accountWaitMs, wallet }: PayeeFacts, amount: number): PayoutRefusal[] {
  const refusals = [refusalOfPayee(payee, now, accountWaitMs), wallet && refusalByWallet(amount, wallet)];
  return refusals.filter((refusal) => refusal !== undefined);
}

/** Why an open payout prevents another one: it is prepared and can be cancelled, or it is on its way. */
export function refusalOfOpen({ releasedAt }: { readonly releasedAt: Date | null }) {
  return { code: releasedAt === null ? 'PAYOUT_PREPARED' : 'PAYOUT_ON_ITS_WAY' } as const;
}

/** Whether the officer saw this amount and account. */
function wasSeen(seen: PreparePayoutBody, amount: number, { tag }: Tagged): boolean {
  return seen.amount === amount && isSameTag(seen.accountTag, tag);
}

interface Tagged {
  readonly tag: string;
}

/** The facts about the next payout to prepare. */
interface Preparable<Account> {
  readonly open: { readonly releasedAt: Date | null } | undefined;
  readonly due: DuePayout | undefined;
  readonly payee: Account | undefined;
}

/** The payout that the officer saw and wants to prepare, or why there is none. */
export function findPreparable<Account extends Tagged>(
  { open, due, payee }: Preparable<Account>,
  seen: PreparePayoutBody,
): Outcome<DuePayout & { readonly payee: Account }> {
  if (open !== undefined) return { refusals: [refusalOfOpen(open)] };
  if (due === undefined) return { refusals: [{ code: 'PAYOUT_NOTHING' }] };
  if (payee === undefined) return { refusals: [{ code: 'PAYOUT_ACCOUNT_MISSING' }] };
  if (!wasSeen(seen, due.amount, payee)) return { refusals: [{ code: 'PAYOUT_CHANGED' }] };
  return { refusals: [], decision: { ...due, payee } };
}

export interface PreparationFacts<Account extends Payee> extends PayeeFacts<Account> {
  readonly due: DuePayout;
  readonly officer: PreparingFacts;
}

/** The payout to prepare, or the reasons against it. */
export function decidePreparation<Account extends Payee>(
  facts: PreparationFacts<Account>,
): Outcome<DuePayout & { readonly payee: Account }> {
  const { due, payee, officer } = facts;
  const refusals = [...refusalsToPrepare(officer), ...refusalsOfPayee(facts, due.amount)];
  return refusals.length > 0 ? { refusals } : { refusals: [], decision: { ...due, payee } };
}

/** A prepared payout. */
export interface PreparedFacts {
  readonly tag: string;
  readonly kind: PayoutKind;
  readonly amount: number;
  readonly preparedAt: Date;
  readonly preparedBy: number;
}

export interface ReleaseFacts extends PayeeFacts<Payee & NamedAccount & Tagged> {
  /** The id of the officer. */
  readonly me: number;
  readonly account: PaidApplication;
  readonly open: PreparedFacts;
  /** Whether no provider sends it. */
  readonly isByHand: boolean;
  readonly before: PaidBefore;
  readonly officer: PayingFacts;
}

type Command = Pick<ReleasePayoutBody, 'amount' | 'accountTag' | 'reference' | 'date'>;

interface ConsideredRelease extends ReleaseFacts {
  readonly command: Command;
  readonly payment: ClientPayment;
}
type ReleaseRule = Rule<ConsideredRelease>;

/** Another officer prepared the payout. */
const isAnothers: Rule<Pick<ReleaseFacts, 'open' | 'me'>, PayoutRefusal> = ({ open, me }) =>
  open.preparedBy === me ? { code: 'OWN_PAYOUT' } : undefined;

const isUnchanged: ReleaseRule = ({ open, payee, command }) =>
  wasSeen(command, open.amount, payee) ? undefined : { code: 'PAYOUT_CHANGED' };

/** If the officer gives a reference, they have already sent the money, so no provider may send it again. */
const isNotSentTwice: ReleaseRule = ({ isByHand, command }) =>
  !isByHand && command.reference !== undefined ? { code: 'PAYOUT_SENT_BY_US' } : undefined;

const hasReference: ReleaseRule = ({ isByHand, command }) =>
  isByHand && command.reference === undefined ? atField('BAD_REQUEST', 'reference', REFERENCE_MISSING) : undefined;

const hasDate: ReleaseRule = ({ isByHand, command }) =>
  isByHand && command.date === undefined ? atField('BAD_REQUEST', 'date', DATE_MISSING) : undefined;

const isAfterPreparation: ReleaseRule = ({ open, payment }) =>
  payment.date < kampalaDate(open.preparedAt) ? atField('DATE_TOO_EARLY', 'date') : undefined;

const ofCommand: readonly ReleaseRule[] = [
  isAnothers,
  isUnchanged,
  isNotSentTwice,
  hasReference,
  hasDate,
  isAfterPreparation,
];

const isFirst: ReleaseRule = ({ before, isByHand, account, payment }) =>
  refusalOfRepeat(before, { ...payment, isByHand, currency: account.invoice.currencyCode });

/** The payment to record if it was made by hand, or the reasons against the release. */
export function decideRelease(facts: ReleaseFacts, command: Command): Outcome<ClientPayment> {
  const payment = paymentOf(facts, command);
  const release = { ...facts, command, payment };
  const considered = consider(facts.account, payment, kampalaDate(facts.now));
  const refusals = [
    ...refusalsBy(ofCommand, release),
    ...refusalsOfPayee(facts, facts.open.amount),
    ...refusalsBy([isFirst], release),
    ...refusalsOfStep(considered),
    ...refusalsToRelease(facts.officer),
    ...refusalsOfTerms(considered),
  ];
  return refusals.length > 0 ? { refusals } : { refusals: [], decision: payment };
}

/** Why the next payout is not possible, apart from the officer's approvals and entries; for the screen. */
export function refusalsOnScreen(
  facts: Omit<PayeeFacts, 'payee'> & { readonly me: number; readonly payee: Payee | undefined },
  open: PreparedFacts | undefined,
  amount: number,
): PayoutRefusal[] {
  const { me, payee } = facts;
  const own = open === undefined ? [] : refusalsBy([isAnothers], { open, me });
  if (payee === undefined) return [...own, { code: 'PAYOUT_ACCOUNT_MISSING' }];
  return [...own, ...refusalsOfPayee({ ...facts, payee }, amount)];
}

/** The payment made by a release: by hand, with the officer's details, or today by a provider. */
export function paymentOf(
  { now, open, payee, isByHand }: Pick<ReleaseFacts, 'now' | 'open' | 'payee' | 'isByHand'>,
  { reference, date }: Command,
): ClientPayment {
  return {
    kind: open.kind,
    amount: open.amount,
    method: providers[payee.provider].method,
    to: maskedAccount(payee),
    reference: reference ?? open.tag,
    date: isByHand ? (date ?? '') : kampalaDate(now),
  };
}
