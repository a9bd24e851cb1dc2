import type { Readiness } from '#contract/applications/endpoints.ts';
import { maximumAdvance, offeredTenors, quote } from '#contract/applications/quote.ts';
import { sayWait } from '#contract/counts.ts';
import { failures } from '#contract/errors.ts';
import { isTooOld, termsProblems, tooOldDate } from '#contract/invoices/schema.ts';
import { formatAmount, fromMinor } from '#contract/money.ts';
import { atField, type Outcome, type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { kampalaDate } from '#contract/time/calendar.ts';

/**
 * The conditions for submitting an application. The same rules run while the client types, in the readiness check, and
 * under the lock.
 */

/** Facts about the client that are known before there is an invoice. */
interface ClientFacts {
  readonly isClientActive: boolean;
  /** The first overdue advance, and in words all that must be paid back first. */
  readonly overdue: { readonly tag: string; readonly text: string } | undefined;
}

/** The limits for an advance in its currency. Minor units. */
interface AdvanceFacts {
  readonly currency: string;
  /** Undefined until it is typed or saved. */
  readonly advance: number | undefined;
  /** 0 if there is no minimum. */
  readonly smallest: number;
  readonly limit: number;
  readonly available: number;
}

/** Facts that are known while the client fills in the form. */
export interface TypingFacts extends ClientFacts {
  readonly now: Date;
  /** Undefined until a currency is chosen. */
  readonly advance: AdvanceFacts | undefined;
  /** Until when the invoice must wait, because an invoice with the same number was withdrawn. */
  readonly pausedUntil: Date | undefined;
}

/** A saved draft. Amounts in minor units. */
interface SavedDraft {
  readonly invoiceDate: string;
  readonly faceValue: number;
  readonly paymentDueOn: string | null;
  readonly vat: number | null;
  /** Null until the application is saved. */
  readonly application: SavedApplication | null;
}

interface SavedApplication {
  readonly advance: number;
  readonly tenorDays: number;
  readonly feeRateBps: number;
  readonly discountFee: number;
  readonly netProceeds: number;
}

/** All facts for the decision about a submission. */
export interface SubmissionFacts<Invoice extends SavedDraft = SavedDraft> extends TypingFacts {
  readonly invoice: Invoice;
  readonly invoiceMaximumAgeDays: number;
  /** The names of the mandatory documents that are not uploaded. */
  readonly missingDocuments: readonly string[];
  readonly isBuyerActive: boolean;
  /** The version of the key facts that the client has read, and the current version; absent in the readiness check. */
  readonly keyFacts?: { readonly seen: string | undefined; readonly today: string | undefined };
}

/** A refusal, with its entries in the list of what is missing. */
export interface Obstacle extends Refusal {
  readonly missing: readonly string[];
}

type TypingRule = Rule<TypingFacts, Obstacle>;
type SubmissionRule = Rule<SubmissionFacts, Obstacle>;

export const clientIsActive: Rule<Pick<ClientFacts, 'isClientActive'>, Obstacle> = ({ isClientActive }) =>
  isClientActive ? undefined : { code: 'BUSINESS_INACTIVE', missing: [failures.BUSINESS_INACTIVE.msg] };

export const owesNothingLate: Rule<Pick<ClientFacts, 'overdue'>, Obstacle> = ({ overdue }) =>
  overdue && { code: 'OVERDUE_BLOCKS', more: overdue.text, extra: { overdueTag: overdue.tag }, missing: [] };

const isLargeEnough: TypingRule = ({ advance: facts }) => {
  if (facts?.advance === undefined || facts.advance >= facts.smallest) return undefined;
  const text = `${saySmallest(facts)}. Apply for that or more`;
  return { ...atField('ADVANCE_BELOW_MINIMUM', 'application.amountAppliedFor', text), missing: [text] };
};

/** The smallest advance in words. Minor units. */
export function saySmallest({ currency, smallest }: Pick<AdvanceFacts, 'currency' | 'smallest'>): string {
  return `The smallest advance is ${currency} ${formatAmount(smallest)}`;
}

/** Before an amount is known, the limit must leave enough for the smallest one. */
const hasRoom: TypingRule = ({ advance: facts }) => {
  if (facts === undefined) return undefined;
  const { currency, limit, available, advance = Math.max(1, facts.smallest) } = facts;
  if (advance <= available) return undefined;
  const [usable, all] = [formatAmount(available), formatAmount(limit)];
  const text = `You can use at most ${currency} ${usable} of your funding limit of ${currency} ${all}`;
  return {
    ...atField('LIMIT_EXCEEDED', 'application.amountAppliedFor', text),
    extra: { available: fromMinor(available), limit: fromMinor(limit), currency },
    missing: [`An advance within your funding limit (you can use ${currency} ${usable} of ${all})`],
  };
};

const hasPaused: TypingRule = ({ now, pausedUntil }) => {
  const retryAfterSeconds = pausedUntil === undefined ? 0 : (pausedUntil.getTime() - now.getTime()) / 1000;
  if (retryAfterSeconds <= 0) return undefined;
  const text = `${failures.SUBMITTED_TOO_SOON.msg}. Submit it again in ${sayWait(retryAfterSeconds)}`;
  return { code: 'SUBMITTED_TOO_SOON', retryAfterSeconds, missing: [text] };
};

/** What the client still has to add or correct, in the order of the screen. */
const isComplete: SubmissionRule = ({ now, invoice, missingDocuments, invoiceMaximumAgeDays: most }) => {
  const { invoiceDate: date, faceValue: amount, paymentDueOn, vat } = invoice;
  const missing = [
    // The draft may have become too old since it was saved.
    ...(isTooOld(date, kampalaDate(now), most) ? [tooOldDate(most)] : []),
    // The date or amount may have been changed by a form that doesn't send the buyer's terms.
    ...Object.values(termsProblems({ date, amount, paymentDueOn, vat })),
    ...missingTerms(invoice),
    ...missingDocuments,
  ];
  return missing.length === 0 ? undefined : { code: 'NOT_READY', extra: { missing }, missing };
};

function missingTerms({ faceValue, application }: SavedDraft): string[] {
  if (application === null) return ['Amount applied for', 'Financing period'];
  // The invoice's amount may have been lowered after the application was saved.
  const isAbove = application.advance > maximumAdvance(faceValue);
  const isOffered = offeredTenors.includes(application.tenorDays);
  return [
    ...(isAbove ? [failures.ADVANCE_ABOVE_MAXIMUM.msg] : []),
    ...(isOffered ? [] : [failures.TENOR_NOT_OFFERED.msg]),
  ];
}

const hasReadKeyFacts: SubmissionRule = ({ keyFacts }) =>
  keyFacts?.seen === undefined || keyFacts.seen === keyFacts.today
    ? undefined
    : { code: 'KEY_FACTS_CHANGED', missing: [failures.KEY_FACTS_CHANGED.msg] };

export const buyerIsActive: Rule<Pick<SubmissionFacts, 'isBuyerActive'>, Obstacle> = ({ isBuyerActive }) =>
  isBuyerActive
    ? undefined
    : {
        ...atField('UNKNOWN_REFERENCE', 'invoice.buyerId', failures.UNKNOWN_REFERENCE.msg),
        missing: ['Select buyer'],
      };

/** The rates may have changed since the application was saved. */
const priceHolds: SubmissionRule = ({ invoice: { faceValue, application } }) => {
  if (application === null) return undefined;
  const { advance, tenorDays } = application;
  const quoted = quote({ faceValue, advance, tenorDays });
  const changed = [
    ...(quoted.feeRateBps === application.feeRateBps ? [] : ['feeRatePercentage']),
    ...(quoted.discountFee === application.discountFee ? [] : ['feesCharged']),
    ...(quoted.netProceeds === application.netProceeds ? [] : ['amountReceived']),
  ];
  if (changed.length === 0) return undefined;
  const { msg } = failures.QUOTE_MISMATCH;
  const fields = Object.fromEntries(changed.map((field) => [`application.${field}`, msg]));
  return { code: 'QUOTE_MISMATCH', fields, missing: [msg] };
};

/**
 * The order in which a submission is refused: 409 before 422, so that we report an outdated page before wrong figures.
 */
const toSubmit: readonly SubmissionRule[] = [
  isComplete,
  hasReadKeyFacts,
  buyerIsActive,
  priceHolds,
  isLargeEnough,
  hasPaused,
  clientIsActive,
  hasRoom,
  owesNothingLate,
];

/** The order of the readiness check, which reports overdue advances in a separate field. */
const onScreen: readonly SubmissionRule[] = [
  clientIsActive,
  isComplete,
  isLargeEnough,
  buyerIsActive,
  priceHolds,
  hasRoom,
  hasPaused,
];

/** What stops a client before there is an invoice: their home shows it instead of 'Apply Now'. */
const anyTime: readonly Rule<ClientFacts, Obstacle>[] = [clientIsActive, owesNothingLate];

/** The checks of the form, from the moment it opens. */
const whileTyping: readonly TypingRule[] = [...anyTime, hasPaused, isLargeEnough, hasRoom];

/** Why a client cannot apply now, as a sentence without its full stop; null if they can. */
export function whyNotApply(facts: ClientFacts): string | null {
  const [obstacle] = refusalsBy(anyTime, facts);
  return obstacle === undefined ? null : (obstacle.more ?? obstacle.missing.join('. '));
}

/** The obstacles while a form is filled in. The rules of single fields and the documents are checked separately. */
export function obstaclesOf(facts: TypingFacts): Obstacle[] {
  return refusalsBy(whileTyping, facts);
}

/** Whether a draft can be submitted now, and what is missing. */
export function readinessOf(facts: SubmissionFacts): Readiness {
  const missing = refusalsBy(onScreen, facts).flatMap((obstacle) => obstacle.missing);
  const { overdue } = facts;
  return overdue === undefined ? { success: missing.length === 0, missing } : { success: false, missing, overdue };
}

/** The application that is submitted, or the reasons against it. */
export function decideSubmission<Invoice extends SavedDraft>(
  facts: SubmissionFacts<Invoice>,
): Outcome<NonNullable<Invoice['application']>> {
  const refusals = refusalsBy(toSubmit, facts);
  const { application } = facts.invoice;
  return application === null || refusals.length > 0 ? { refusals } : { refusals: [], decision: application };
}
