import { isOnlyApprover, needsTwoOfficers } from '#contract/desk/rules.ts';
import type { CaseRefusal } from '#contract/desk/schema.ts';
import { takeStep } from '#server/applications/steps.service.ts';
import { type InvoiceRecord, isBarred } from '#server/invoices/invoices.service.ts';
import { findActivity, findExposure, holdBusinesses } from '#server/limits/limits.service.ts';
import { requireStanding } from '#server/people/standing.service.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Change } from '#server/platform/change.ts';
import type { Connection } from '#server/platform/database.ts';
import type { SignedInCaller } from '#server/platform/http.ts';
import { holdOfficers, type OfficerRow, selectOfficersAmong } from '#server/platform/officers.ts';
import type { Platform } from '#server/platform/platform.ts';
import { requireAcknowledged } from '#server/twins/acknowledgements.service.ts';

/**
 * What is checked again whenever money comes closer to leaving: at each approval and at the payout (docs/decisions/0013,
 * 'Two officers'). Locks are taken in one order everywhere: the invoice, people, businesses.
 */

/** Where a case stands, beside its state. */
export interface Checked {
  /** Whether the client's exposure takes two approvals. */
  readonly needsTwo: boolean;
  /** Whether there is a first approval whose giver is no officer for this case any more. */
  readonly approvalVoid: boolean;
  /** What stops approval and payout alike. */
  readonly obstacle: 'CLIENT_INACTIVE' | 'BUYER_INACTIVE' | 'LIMIT_NOT_HELD' | undefined;
}

/** Where a case stands now, as the screens show it. */
export async function checkCase(platform: Platform, connection: Connection, invoice: InvoiceRecord): Promise<Checked> {
  const { firstApprovedBy: first } = invoice.case;
  const officers = first === null ? [] : await selectOfficersAmong(connection, [first]);
  const active = await findActivity(connection, invoice.businessId, invoice.buyerId);
  return judge(platform, connection, invoice, { officers, active });
}

/**
 * Where a case stands, its row locked: officers, businesses and limit stay so until the transaction ends. Throws FORBIDDEN
 * where the caller is an officer no more, and OWN_BUSINESS.
 */
async function holdParties(
  platform: Platform,
  change: Change,
  { person: { id: me } }: SignedInCaller,
  invoice: InvoiceRecord,
): Promise<Checked> {
  const { firstApprovedBy: first } = invoice.case;
  const officers = await holdOfficers(change, first === null ? [me] : [me, first]);
  const caller = officers.find(({ id }) => id === me);
  if (caller === undefined) throw new AppError('FORBIDDEN');
  if (isBarred({ person: caller }, invoice)) throw new AppError('OWN_BUSINESS');
  const active = await holdBusinesses(change, invoice.businessId, invoice.buyerId);
  return judge(platform, change, invoice, { officers, active });
}

/** The same; throws as well what stops approval and payout: CLIENT_INACTIVE, BUYER_INACTIVE, LIMIT_NOT_HELD. */
export async function requireSound(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
): Promise<Checked> {
  const checked = await holdParties(platform, change, caller, invoice);
  if (checked.obstacle !== undefined) throw new AppError(checked.obstacle);
  return checked;
}

interface Parties {
  readonly officers: readonly OfficerRow[];
  readonly active: { readonly client: boolean; readonly buyer: boolean };
}

async function judge(
  platform: Platform,
  connection: Connection,
  invoice: InvoiceRecord,
  { officers, active }: Parties,
): Promise<Checked> {
  const { firstApprovedBy } = invoice.case;
  const { exposure, limit } = await findExposure(platform, connection, invoice);
  const first = officers.find(({ id }) => id === firstApprovedBy);
  const { currencyCode } = invoice;
  return {
    needsTwo: needsTwoOfficers({ exposure, currencyCode }, platform.config.secondApprovalAbove),
    approvalVoid: firstApprovedBy !== null && (first === undefined || isBarred({ person: first }, invoice)),
    obstacle: obstacleOf(active, exposure <= limit),
  };
}

function obstacleOf({ client, buyer }: Parties['active'], limitHolds: boolean): Checked['obstacle'] {
  if (!client) return 'CLIENT_INACTIVE';
  if (!buyer) return 'BUYER_INACTIVE';
  return limitHolds ? undefined : 'LIMIT_NOT_HELD';
}

/** What of the one who asks stops them. */
interface Asker {
  readonly isNew: boolean;
  /** Why what they recorded themselves leaves the next payment to the client to another officer. */
  readonly recorder: CaseRefusal | undefined;
}

/** Why the caller may not approve, or not pay out, in a state that allows it; for the screens. */
export function refusalsOf(
  { person: { id: me } }: Pick<SignedInCaller, 'person'>,
  { status, case: approvers }: InvoiceRecord,
  { obstacle, approvalVoid, isNew, recorder }: Checked & Asker,
): { readonly approve: CaseRefusal | null; readonly payOut: CaseRefusal | null } {
  const stopped = isNew ? 'NEW_OFFICER' : (obstacle ?? null);
  if (status === 'Settled') return { approve: stopped, payOut: isNew ? 'NEW_OFFICER' : (recorder ?? null) };
  if (status !== 'Approved') return { approve: stopped, payOut: null };
  const again = approvers.decidedBy === me ? 'ONLY_APPROVER' : null;
  return {
    approve: stopped ?? again,
    payOut: stopped ?? payOutRefusal(approvers, approvalVoid, me) ?? recorder ?? null,
  };
}

function payOutRefusal(
  approvers: InvoiceRecord['case'],
  approvalVoid: boolean,
  me: number,
): 'APPROVAL_VOID' | 'ONLY_APPROVER' | null {
  if (approvalVoid) return 'APPROVAL_VOID';
  return isOnlyApprover(approvers, me) ? 'ONLY_APPROVER' : null;
}

/**
 * Throws unless the caller may pay out the case, its row locked: what {@link requireSound} throws, APPROVAL_VOID, and
 * ONLY_APPROVER, because nobody approves and pays.
 */
export async function requirePayable(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
): Promise<void> {
  const { approvalVoid } = await requireSound(platform, change, caller, invoice);
  const refusal = payOutRefusal(invoice.case, approvalVoid, caller.person.id);
  if (refusal !== null) throw new AppError(refusal);
}

const LEFT = 'The officer who gave it has left.';

/** Takes a first approval back that counts no more, on record; answers the case without it. */
export async function voidApproval(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  note: string = LEFT,
): Promise<InvoiceRecord> {
  const none = { first_approved_by: null, first_approved_at: null };
  await takeStep(platform, change, caller, invoice, 'voidApproval', { note, set: none });
  return { ...invoice, case: { ...invoice.case, firstApprovedBy: null, firstApprovedAt: null } };
}

/**
 * Puts the caller's approval in the place of a first one that counts no more, on a case that is approved already. Throws
 * STEP_NOT_ALLOWED where it does count, ONLY_APPROVER for who gave the other one, NEW_OFFICER and FLAG_OPEN.
 */
export async function approveAgain(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
): Promise<void> {
  await requireStanding(platform, change, caller);
  const { approvalVoid, obstacle } = await holdParties(platform, change, caller, invoice);
  if (!approvalVoid) throw new AppError('STEP_NOT_ALLOWED');
  if (obstacle !== undefined) throw new AppError(obstacle);
  if (invoice.case.decidedBy === caller.person.id) throw new AppError('ONLY_APPROVER');
  await requireAcknowledged(change, invoice);
  const set = { first_approved_by: caller.person.id, first_approved_at: caller.now };
  await takeStep(platform, change, caller, invoice, 'approveAgain', { set });
}
