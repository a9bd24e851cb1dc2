import { statusTraits, stepOfRecord } from '#contract/applications/lifecycle.ts';
import { feeRatePercent } from '#contract/applications/quote.ts';
import { latestClientStep } from '#contract/applications/track.ts';
import type { CollectionSummary } from '#contract/collections/schema.ts';
import { refusalsToApprove } from '#contract/desk/approval.ts';
import { type CaseFacts, isApprovalVoid, lackingToRelease, needsTwo } from '#contract/desk/case-facts.ts';
import {
  type CaseContact,
  type CaseRefusal,
  type CaseReply,
  type ClientAct,
  caseRefusals,
  type DeskFigures,
  type Flag,
  type Officer,
  type Pending,
  type QueueRow,
} from '#contract/desk/schema.ts';
import type { Circumstances, Stage } from '#contract/flags/case-flags.ts';
import { coverageOf, expectedCash, type TaxRate } from '#contract/invoices/expected-cash.ts';
import { fromMinor, TENTHS_PER_PERCENT } from '#contract/money.ts';
import { overdueOf } from '#contract/payments/overdue.ts';
import type { Refusal } from '#contract/refusals/refusal.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { Holidays } from '#contract/time/working-time.ts';
import type { KeptRow } from '#server/desk/sla/sla-kept.queries.ts';
import { type FlagRow, openFlagCount } from '#server/flags/flags.service.ts';
import type { InformationRequest } from '#server/information-requests/information-requests.service.ts';
import type { ApplicationRecord, InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { StepRow } from '#server/steps/progress.queries.ts';
import { presentClock } from '#server/steps/sla-clock.presenter.ts';
import type { ContactRow } from './case.queries.ts';
import type { CaseRow } from './case-rows.queries.ts';
import type { PendingRow } from './pending.queries.ts';
import type { QueuePageRow } from './queue.queries.ts';

/** The settings for reading clocks. */
export interface ClockBasis {
  readonly now: Date;
  readonly holidays: Holidays;
  /** The target for applications submitted before targets were stored. */
  readonly targetMs: number;
}

type Facts = Omit<QueueRow, 'flags' | 'mark' | 'total' | 'collection' | 'pending'>;

/** The fields that queue and case share. */
function presentCaseRow(row: CaseRow, { now, holidays, targetMs }: ClockBasis): Facts {
  return {
    tag: row.tag,
    invoiceNumber: row.invoice_number,
    client: row.client,
    clientTag: row.client_tag,
    buyer: row.buyer,
    buyerTag: row.buyer_tag,
    currency: row.currency,
    amount: fromMinor(row.face_value),
    // Always set once submitted: the constraint invoices_submitted_whole.
    amountAppliedFor: fromMinor(row.advance ?? 0),
    amountReceived: fromMinor(row.net_proceeds ?? 0),
    status: row.status,
    submittedAt: (row.submitted_at ?? now).toISOString(),
    clock: presentClock({
      status: row.status,
      clock: { runsSince: row.clock_runs_since, usedMs: row.clock_used_ms, decideBy: row.decide_by },
      missedAt: row.promise_missed_at,
      decidedAt: row.decided_at,
      targetMs: row.decision_target_ms ?? targetMs,
      now,
      holidays,
    }),
    holder: presentOfficer(row.assignee_tag, row.assignee_name),
    firstApprovalBy: presentOfficer(row.first_tag, row.first_name),
    decidedAt: row.decided_at?.toISOString() ?? null,
    decidedBy: presentOfficer(row.decider_tag, row.decider_name),
    dueOn: row.due_on,
    overdue: overdueOf({ status: row.status, dueOn: row.due_on, outstanding: row.outstanding }, kampalaDate(now)),
    outstanding: row.outstanding === null ? null : fromMinor(row.outstanding),
    surplusOwed: fromMinor(row.surplus_owed),
    settledAt: row.settled_at?.toISOString() ?? null,
  };
}

function presentOfficer(tag: string | null, name: string | null): Officer | null {
  return tag === null || name === null ? null : { tag, name };
}

/** Everything shown on a page of a queue besides its rows. */
interface QueueFacts {
  readonly rates: readonly TaxRate[];
  readonly collections: ReadonlyMap<number, CollectionSummary>;
  /** Only for the list of cases that need a second officer. */
  readonly pending: readonly PendingRow[] | undefined;
  readonly circumstancesOf: (invoiceId: number) => Circumstances;
}

type StagedRow = QueuePageRow & Stage;

/** A page of a queue; its first row carries the total. */
export function presentQueuePage(rows: readonly StagedRow[], basis: ClockBasis, found: QueueFacts): QueueRow[] {
  return rows.map((row, index) => ({
    ...presentCaseRow(row, basis),
    flags: countFlags(row, found, kampalaDate(basis.now)),
    mark: row.mark,
    collection: found.collections.get(row.id) ?? null,
    pending: found.pending === undefined ? [] : presentPending(row, found.pending),
    ...(index === 0 ? { total: row.total } : {}),
  }));
}

/** A first approval, or the pending matter of an advance that is paid out. */
function presentPending({ id, status, first_tag, first_name }: StagedRow, rows: readonly PendingRow[]): Pending[] {
  if (statusTraits[status].undecided) return [{ kind: 'approval', by: presentOfficer(first_tag, first_name) }];
  return rows
    .filter(({ invoiceId }) => invoiceId === id)
    .map(({ kind, byTag, byName }) => ({ kind, by: presentOfficer(byTag, byName) }));
}

function countFlags(row: StagedRow, { rates, circumstancesOf }: QueueFacts, today: string): number {
  const { advance, tenor_days: tenorDays, currency: currencyCode, vat } = row;
  // Always set once submitted: the constraint invoices_submitted_whole.
  if (advance === null || tenorDays === null) return row.duplicates;
  const buyer = { withholdsTax: row.withholds_tax, withholdsVat: row.withholds_vat };
  const invoice = { invoiceDate: row.invoice_date, currencyCode, faceValue: row.face_value, vat };
  const cash = expectedCash(invoice, buyer, rates);
  const terms = {
    ...cash,
    currencyCode,
    advance,
    tenorDays,
    paymentDueOn: row.payment_due_on,
    ...circumstancesOf(row.id),
    status: row.status,
    surplusOwed: row.surplusOwed,
    restOwed: row.restOwed,
  };
  return openFlagCount(row, terms, today);
}

/** Everything shown on a case besides its row. */
interface Found extends Pick<CaseReply, 'actions' | 'contacts' | 'history' | 'exposure'> {
  readonly application: ApplicationRecord;
  /** Oldest first. */
  readonly steps: readonly StepRow[];
  /** The requests for information, newest first. */
  readonly requests: readonly InformationRequest[];
  /** Minor units. */
  readonly restOwed: number;
  /** The expected payment by the buyer, in minor units, and its date; null if unknown. */
  readonly expectedCash: number;
  readonly paymentDueOn: string | null;
  readonly facts: CaseFacts;
  /** Why the caller may not prepare or release the next payout. */
  readonly payout: { readonly prepare: readonly Refusal[]; readonly release: readonly Refusal[] };
  /** Whether the last first approval was cancelled by a replaced document. */
  readonly isVoided: boolean;
  readonly flags: readonly FlagRow[];
}

/** Presents everything that an officer needs to decide a case. */
export function presentCase(row: CaseRow, basis: ClockBasis, found: Found): CaseReply {
  const { application, facts, payout } = found;
  const shared = presentCaseRow(row, basis);
  const { undecided } = statusTraits[row.status];
  const approvalVoid = isApprovalVoid(facts);
  // A void approval is hidden while the case is undecided; on a decided case it is history.
  const firstApprovalBy = approvalVoid && undecided ? null : shared.firstApprovalBy;
  return {
    ...shared,
    firstApprovalBy,
    clientAct: presentClientAct(found),
    contacts: found.contacts,
    restOwed: fromMinor(found.restOwed),
    expectedCash: fromMinor(found.expectedCash),
    coveragePercent: coverageOf(found.expectedCash, application.advance).tenths / TENTHS_PER_PERCENT,
    paymentDueOn: found.paymentDueOn,
    feesCharged: fromMinor(application.discountFee),
    tenorDays: application.tenorDays,
    feeRatePercentage: feeRatePercent(application.feeRateBps),
    needsTwo: needsTwo(facts) || facts.hasPlacedApplicant || firstApprovalBy !== null,
    placedByYou: facts.hasPlacedApplicant,
    approvalVoid,
    secondMissing: lackingToRelease(facts) !== undefined && !approvalVoid,
    firstApprovalVoided: undecided && row.first_tag === null && found.isVoided,
    actions: found.actions,
    approveRefusal: firstOf(refusalsToApprove(facts)),
    prepareRefusal: firstOf(payout.prepare),
    payOutRefusal: firstOf(payout.release),
    barred: facts.bars === 'OWN_BUSINESS' ? 'ownBusiness' : null,
    history: found.history,
    exposure: found.exposure,
    flags: presentFlags(found.flags),
  };
}

/** Enough to reach somebody. */
const CONTACTS_SHOWN = 3;

/** Whom to call at each business of a case. */
export function contactsOf(
  { businessId, buyerId }: Pick<InvoiceRecord, 'businessId' | 'buyerId'>,
  rows: readonly ContactRow[],
): CaseReply['contacts'] {
  const of = (business: number): CaseContact[] =>
    rows
      .filter((row) => row.business_id === business)
      .slice(0, CONTACTS_SHOWN)
      .map(({ name, phone, email }) => ({ name, phone, email }));
  return { client: of(businessId), buyer: of(buyerId) };
}

function presentClientAct({ steps, requests }: Pick<Found, 'steps' | 'requests'>): ClientAct | null {
  const latest = latestClientStep(steps.map((row) => ({ ...row, step: stepOfRecord(row.step) })));
  if (latest === undefined) return null;
  const { step, at } = latest;
  const request = step === 'answerRequest' ? requests[0] : undefined;
  return {
    step,
    at: at.toISOString(),
    documents: (request?.documents ?? [])
      .filter(({ uploaded }) => uploaded)
      .map(({ type, hadEarlier }) => ({ type, isReplacement: hadEarlier })),
    answer: request?.answer ?? null,
  };
}

/** The first refusal that is not about the case's status or assignment. */
function firstOf(refusals: readonly Refusal[]): CaseRefusal | null {
  const found = refusals.map(({ code }) => caseRefusals.find((one) => one === code));
  return found.find((code) => code !== undefined) ?? null;
}

/** The flags of a case, each with the other invoice or its fact. */
function presentFlags(rows: readonly FlagRow[]): Flag[] {
  return rows.map((row) => ({
    kind: row.kind,
    files: row.fact === undefined ? [...row.files] : [],
    other: row.fact === undefined ? presentOther(row) : null,
    fact: row.fact ?? null,
    acknowledged: presentAcknowledgement(row),
  }));
}

function presentOther(row: Extract<FlagRow, { readonly tag: string }>): Flag['other'] {
  return {
    tag: row.tag,
    invoiceNumber: row.invoice_number,
    date: row.invoice_date,
    client: row.client,
    buyer: row.buyer,
    currency: row.currency,
    amount: fromMinor(row.face_value),
    amountAppliedFor: row.advance === null ? null : fromMinor(row.advance),
    status: row.status,
  };
}

function presentAcknowledgement(row: FlagRow): Flag['acknowledged'] {
  const by = presentOfficer(row.officer_tag, row.officer_name);
  const { reason, acknowledged_at: at } = row;
  return by === null || reason === null || at === null ? null : { by, at: at.toISOString(), reason };
}

/** How well the SLA was kept, with a row for every week of `weeks`. */
export function presentFigures(
  targetMs: number,
  thisMonth: KeptRow,
  byWeek: readonly KeptRow[],
  weeks: readonly string[],
): DeskFigures {
  return {
    targetMinutes: targetMs / MINUTE_MS,
    thisMonth: presentKept(thisMonth),
    weeks: weeks.map((from) => ({ from, ...presentKept(byWeek.find(({ week }) => week === from)) })),
  };
}

function presentKept(row: KeptRow | undefined): DeskFigures['thisMonth'] {
  const { decided, inTime, stillLate, medianMs } = row ?? { decided: 0, inTime: 0, stillLate: 0, medianMs: null };
  return { decided, inTime, stillLate, medianMinutes: medianMs === null ? null : Math.round(medianMs / MINUTE_MS) };
}
