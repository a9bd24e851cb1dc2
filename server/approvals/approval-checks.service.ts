import { type Approval, gaveOther, isOnlyApprover, lackingApproval, needsTwoOfficers } from '#contract/desk/rules.ts';
import type { CaseRefusal } from '#contract/desk/schema.ts';
import type { Stage } from '#contract/flags/case-flags.ts';
import { hasLapsed } from '#contract/offers/offer.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { findBlockingOverdue } from '#server/collections/overdue-block.service.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { findUnacknowledged, refuseOpen } from '#server/flags/flags.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { isBarred } from '#server/invoices/invoices.service.ts';
import { lockClient, selectActivity, selectDecidedUse } from '#server/limits/limits.queries.ts';
import { findExposure } from '#server/limits/limits.service.ts';
import { requireStanding, wasPlacedBy } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { lockPeople, type OfficerRow, selectOfficersAmong } from '#server/sessions/officers.ts';
import { takeStep } from '#server/steps/steps.service.ts';
import { selectSince } from './lapsing.queries.ts';
import { selectChangedSince } from './own-changes.queries.ts';

/**
 * What is checked again at each approval and at the payout (docs/decisions/0013, 'Two officers'). Lock order
 * everywhere: invoice, people, businesses.
 */

/** The checks of a case for a caller, apart from its status. */
export interface Checked {
  /**
   * Whether two approvals are needed. Before the decision: by the client's exposure. Once approved, for the payout: by
   * the decision so far, because the only approver let in the applicant, or because the caller has changed something
   * since.
   */
  readonly needsTwo: boolean;
  /** Whether an approver is no longer an officer who may act on this case. */
  readonly approvalVoid: boolean;
  /** Which approval an approved case lacks before its payout. */
  readonly lacking: Approval | undefined;
  /** The approval that it lacks before the caller prepares the payout: their own changes only bar a releaser. */
  readonly lackingToPrepare: Approval | undefined;
  /** Whether the caller changed something after another officer's approval that relied on it. */
  readonly changed: boolean;
  /** What blocks approval and payout alike. */
  readonly obstacle:
    | 'CLIENT_INACTIVE'
    | 'BUYER_INACTIVE'
    | 'LIMIT_NOT_HELD'
    | 'CLIENT_OVERDUE'
    | 'APPROVAL_LAPSED'
    | undefined;
}

type Asker = Pick<SignedInCaller, 'person'>;

/** The checks of a case now, for the screens. */
export async function checkCase(
  context: Context<Asker>,
  connection: Connection,
  invoice: InvoiceRecord,
): Promise<Checked> {
  const active = selectActivity(connection, invoice.businessId, invoice.buyerId);
  return judge(invoice, await findFacts(context, connection, invoice, { activity: active }));
}

/** Who of the approvers and the caller is an officer now. */
function findOfficers(connection: Connection, { person }: Asker, { case: approvers }: InvoiceRecord) {
  return selectOfficersAmong(connection, present([person.id, approvers.firstApprovedBy, approvers.decidedBy]));
}

function present(ids: readonly (number | null)[]): number[] {
  return ids.filter((id) => id !== null);
}

/** Locks everyone that the caller's approval or payout depends on, all at once and before any business. */
export function lockCasePeople({ change, caller: { person } }: Changing<Asker>, { case: people }: InvoiceRecord): void {
  lockPeople(change, present([person.id, people.submittedBy, people.firstApprovedBy, people.decidedBy]));
}

/**
 * The checks of a locked case: officers, businesses and limit stay as they are until the transaction ends. Throws
 * FORBIDDEN if the caller is no longer an officer, and OWN_BUSINESS.
 */
async function lockParties(work: Work, invoice: InvoiceRecord, lessAdvance = 0): Promise<Checked> {
  // Locks the businesses before reading what they protect.
  const { change, caller } = work;
  const active = lockClient(change, invoice.businessId, invoice.buyerId);
  const facts = await findFacts(work, change, invoice, { activity: active, lessAdvance });
  const me = facts.officers.find(({ id }) => id === caller.person.id);
  if (me === undefined) throw new AppError('FORBIDDEN');
  if (isBarred({ person: me }, invoice)) throw new AppError('OWN_BUSINESS');
  return judge(invoice, facts);
}

/**
 * The same; also throws what blocks approval and payout: CLIENT_INACTIVE, BUYER_INACTIVE, LIMIT_NOT_HELD,
 * CLIENT_OVERDUE, APPROVAL_LAPSED for a lapsed approval. `lessAdvance`: how much less is approved than was asked for.
 */
export async function requireSound(work: Work, invoice: InvoiceRecord, lessAdvance = 0): Promise<Checked> {
  const checked = await lockParties(work, invoice, lessAdvance);
  if (checked.obstacle !== undefined) throw new AppError(checked.obstacle);
  return checked;
}

interface Facts {
  readonly active: Activity;
  readonly officers: readonly OfficerRow[];
  /** Whether the client's exposure needs two officers, and whether it is within the limit. */
  readonly needsTwo: boolean;
  readonly limitHolds: boolean;
  /** Whether the client is later with a repayment than the setting allows. */
  readonly isOverdue: boolean;
  /** For an approved case. */
  readonly isLapsed: boolean;
  readonly changed: boolean;
  readonly needsTwoToPay: boolean;
}
type Activity = { readonly client: boolean; readonly buyer: boolean };

async function findFacts(
  { platform, caller }: Context<Asker>,
  connection: Connection,
  invoice: InvoiceRecord,
  { activity, lessAdvance = 0 }: { readonly activity: Promise<Activity>; readonly lessAdvance?: number },
): Promise<Facts> {
  const isApproved = invoice.status === 'Approved';
  const [active, officers, { exposure: asked, limit }, blocking, isLapsed, changed, needsTwoToPay] = await together(
    activity,
    findOfficers(connection, caller, invoice),
    findExposure(platform, connection, invoice),
    findBlockingOverdue(platform, connection, invoice.businessId),
    isApproved && findLapsed(platform, connection, invoice),
    isApproved && selectChangedSince(connection, { officerId: caller.person.id, invoice }),
    isApproved && findNeedsTwoToPay(platform, connection, invoice),
  );
  const exposure = asked - lessAdvance;
  const needsTwo = needsTwoFor(platform, invoice, exposure);
  const isOverdue = blocking !== undefined;
  return { active, officers, needsTwo, limitHolds: exposure <= limit, isOverdue, isLapsed, changed, needsTwoToPay };
}

function judge(invoice: InvoiceRecord, { active, officers, changed, ...facts }: Facts): Checked {
  const obstacle = obstacleOf(active, facts);
  const { firstApprovedBy, decidedBy } = invoice.case;
  const countsOf = (id: number | null): boolean => {
    const officer = officers.find((one) => one.id === id);
    return id === null || (officer !== undefined && !isBarred({ person: officer }, invoice));
  };
  const first = countsOf(firstApprovedBy);
  if (invoice.status !== 'Approved')
    return {
      needsTwo: facts.needsTwo,
      approvalVoid: !first,
      lacking: undefined,
      lackingToPrepare: undefined,
      changed,
      obstacle,
    };
  const needsTwo = changed || facts.needsTwoToPay;
  const counts = { first, decision: countsOf(decidedBy) };
  return {
    needsTwo,
    approvalVoid: !(counts.first && counts.decision),
    lacking: lackingApproval(invoice.case, { counts, needsTwo }),
    lackingToPrepare: lackingApproval(invoice.case, { counts, needsTwo: facts.needsTwoToPay }),
    changed,
    obstacle,
  };
}

/** Whether an approval has lapsed, even before the sweep records it. */
async function findLapsed(
  { config, clock }: Platform,
  connection: Connection,
  { id }: InvoiceRecord,
): Promise<boolean> {
  const since = await selectSince(connection, id);
  return since !== null && hasLapsed(since, config.offerValidDays, clock.now());
}

/** Whether an exposure needs two officers' approval. */
export function needsTwoFor({ config }: Platform, { currencyCode }: InvoiceRecord, exposure: number): boolean {
  return needsTwoOfficers({ exposure, currencyCode }, config.secondApprovalAbove);
}

/**
 * Whether an approved case needs two officers after all: a receipt that lowered the exposure was reversed, or the only
 * approver let in the applicant.
 */
async function findNeedsTwoToPay(platform: Platform, connection: Connection, invoice: InvoiceRecord): Promise<boolean> {
  const { firstApprovedBy, decidedBy } = invoice.case;
  const [used, isPlaced] = await together(
    selectDecidedUse(connection, invoice),
    firstApprovedBy === null && decidedBy !== null && wasPlacedBy(platform, connection, decidedBy, invoice.case),
  );
  return isPlaced || needsTwoFor(platform, invoice, used);
}

function obstacleOf(
  { client, buyer }: Activity,
  { limitHolds, isOverdue, isLapsed }: Pick<Facts, 'limitHolds' | 'isOverdue' | 'isLapsed'>,
): Checked['obstacle'] {
  if (isLapsed) return 'APPROVAL_LAPSED';
  if (!client) return 'CLIENT_INACTIVE';
  if (!buyer) return 'BUYER_INACTIVE';
  if (!limitHolds) return 'LIMIT_NOT_HELD';
  return isOverdue ? 'CLIENT_OVERDUE' : undefined;
}

/** Facts about the caller that bar them. */
interface Own {
  readonly isNew: boolean;
  /** Why the caller's own entries leave the next payment to another officer. */
  readonly recorder: CaseRefusal | undefined;
}

/** Why the caller may not approve, or not pay out, in a status that allows it; for the screens. */
export function refusalsOf(
  caller: Asker,
  { status, case: approvers }: InvoiceRecord,
  { restOwed }: Stage,
  { isNew, recorder, ...checked }: Checked & Own,
): { readonly approve: CaseRefusal | null; readonly payOut: CaseRefusal | null } {
  const stopped = isNew ? 'NEW_OFFICER' : (checked.obstacle ?? null);
  // For what is owed already, the approval is not checked again.
  if (status === 'Settled' || restOwed > 0)
    return { approve: stopped, payOut: isNew ? 'NEW_OFFICER' : (recorder ?? null) };
  if (status !== 'Approved') return { approve: stopped, payOut: null };
  const again = gaveOther(approvers, checked.lacking ?? 'first', caller.person.id) ? 'ONLY_APPROVER' : null;
  return {
    approve: stopped ?? again,
    payOut: stopped ?? payOutRefusal(caller, approvers, checked) ?? recorder ?? null,
  };
}

/** Why the caller may not pay out an approved case with its present approvals; null if they may. */
export function payOutRefusal(
  { person: { id: me } }: Asker,
  approvers: InvoiceRecord['case'],
  { approvalVoid, lacking, changed }: Pick<Checked, 'approvalVoid' | 'lacking' | 'changed'>,
): 'APPROVAL_VOID' | 'SECOND_APPROVAL' | 'ONLY_APPROVER' | 'OWN_CHANGE' | null {
  if (approvalVoid) return 'APPROVAL_VOID';
  if (changed) return 'OWN_CHANGE';
  if (lacking !== undefined) return 'SECOND_APPROVAL';
  return isOnlyApprover(approvers, me) ? 'ONLY_APPROVER' : null;
}

/**
 * Throws unless the caller may pay out the locked case: what {@link requireSound} throws, APPROVAL_VOID,
 * SECOND_APPROVAL, OWN_CHANGE, and ONLY_APPROVER, because nobody approves and pays.
 */
export async function requirePayable(work: Work, invoice: InvoiceRecord): Promise<void> {
  const checked = await requireSound(work, invoice);
  const refusal = payOutRefusal(work.caller, invoice.case, checked);
  if (refusal !== null) throw new AppError(refusal);
}

/**
 * Throws unless the payout of the locked case may be prepared: what {@link requireSound} throws, APPROVAL_VOID and
 * SECOND_APPROVAL. The only approver may prepare, and so may an officer who changed the client's people: another officer
 * releases.
 */
export async function requirePreparable(work: Work, invoice: InvoiceRecord): Promise<void> {
  const { approvalVoid, lackingToPrepare } = await requireSound(work, invoice);
  if (approvalVoid) throw new AppError('APPROVAL_VOID');
  if (lackingToPrepare !== undefined) throw new AppError('SECOND_APPROVAL');
}

const LEFT = 'The officer who gave it has left.';

/** Cancels a void first approval, on record; returns the case without it. */
export async function voidApproval(work: Work, invoice: InvoiceRecord, note: string = LEFT): Promise<InvoiceRecord> {
  const none = { first_approved_by: null, first_approved_at: null };
  await takeStep(work, invoice, 'voidApproval', { note, set: none });
  return { ...invoice, case: { ...invoice.case, firstApprovedBy: null, firstApprovedAt: null } };
}

/**
 * Gives the approval that an approved case lacks: instead of a void one, or as the second one. Throws STEP_NOT_ALLOWED
 * if it lacks none, ONLY_APPROVER for the giver of the other one, NEW_OFFICER and FLAG_OPEN.
 */
export async function approveAgain(work: Work, invoice: InvoiceRecord): Promise<void> {
  const [, { lacking, obstacle }, open] = await together(
    requireStanding(work),
    lockParties(work, invoice),
    findUnacknowledged(work, invoice),
  );
  if (lacking === undefined) throw new AppError('STEP_NOT_ALLOWED');
  if (obstacle !== undefined) throw new AppError(obstacle);
  const me = work.caller.person.id;
  if (gaveOther(invoice.case, lacking, me)) throw new AppError('ONLY_APPROVER');
  refuseOpen(open);
  // The time of the decision stays: the client was told, and the clock ended then.
  const set = lacking === 'first' ? { first_approved_by: me, first_approved_at: work.caller.now } : { decided_by: me };
  await takeStep(work, invoice, 'approveAgain', { set, audit: { approval: lacking } });
}
