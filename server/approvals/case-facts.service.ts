import type { CaseFacts } from '#contract/desk/case-facts.ts';
import { type Approvers, aloneUpTo } from '#contract/desk/rules.ts';
import { hasLapsed } from '#contract/offers/offer.ts';
import type { Changing } from '#server/changes/change.ts';
import { findBlockingOverdue } from '#server/collections/overdue-block.service.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { isBarred } from '#server/invoices/invoices.service.ts';
import { lockClient, selectActivity, selectDecidedUse } from '#server/limits/limits.queries.ts';
import { findExposure } from '#server/limits/limits.service.ts';
import { findNewUntil, wasPlacedBy } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { lockPeople, type OfficerRow, selectOfficersAmong } from '#server/sessions/officers.ts';
import { selectSince } from './lapsing.queries.ts';
import { selectChangedSince } from './own-changes.queries.ts';

/**
 * The facts for decisions about approvals and payouts (contract/desk/case-facts.ts). We lock in one order everywhere:
 * invoice, people, waiting texts, businesses.
 */

/** Whether a case's businesses are active. */
type Activity = Promise<{ readonly client: boolean; readonly buyer: boolean }>;

/** Locks everyone that the caller's approval or payout depends on, all at once and before any business. */
export function lockCasePeople({ change, caller: { person } }: Changing, { case: people }: InvoiceRecord): void {
  lockPeople(change, present([person.id, people.submittedBy, people.firstApprovedBy, people.decidedBy]));
}

function present(ids: readonly (number | null)[]): number[] {
  return ids.filter((id) => id !== null);
}

/** Locks a case's client and buyer, for {@link findCaseFacts}. */
export function lockCaseBusinesses({ change }: Changing, { businessId, buyerId }: InvoiceRecord): Activity {
  return lockClient(change, businessId, buyerId);
}

/**
 * The facts about a case and the caller, an officer. `active` is the result of {@link lockCaseBusinesses}: its
 * statement is sent before the reads, so that officers, businesses and limit can't change; absent for a screen.
 */
export async function findCaseFacts(
  context: Context,
  connection: Connection,
  {
    invoice,
    active = selectActivity(connection, invoice.businessId, invoice.buyerId),
  }: { readonly invoice: InvoiceRecord; readonly active?: Activity },
): Promise<CaseFacts> {
  const { platform, caller } = context;
  const { firstApprovedBy, decidedBy } = invoice.case;
  const isApproved = invoice.status === 'Approved';
  const me = caller.person.id;
  const { activity, officers, used, overdue, ...found } = await gather({
    activity: active,
    officers: selectOfficersAmong(connection, present([me, firstApprovedBy, decidedBy])),
    used: findExposure(platform, connection, invoice),
    overdue: findBlockingOverdue(platform, connection, invoice.businessId),
    newUntil: findNewUntil(context, connection),
    hasPlacedApplicant: wasPlacedBy(platform, connection, me, invoice.case),
    approved: isApproved ? findSinceApproval(context, connection, invoice) : undefined,
  });
  return {
    ...found,
    now: caller.now,
    me,
    status: invoice.status,
    assigneeId: invoice.case.assigneeId,
    approvers: invoice.case,
    counts: {
      first: firstApprovedBy === null || barsOf(firstApprovedBy, officers, invoice) === undefined,
      decision: decidedBy === null || barsOf(decidedBy, officers, invoice) === undefined,
    },
    bars: barsOf(me, officers, invoice),
    isClientActive: activity.client,
    isBuyerActive: activity.buyer,
    isClientLate: overdue.length > 0,
    exposure: used.exposure,
    limit: used.limit,
    aloneUpTo: aloneUpTo(invoice.currencyCode, platform.config.secondApprovalAbove),
  };
}

/** Why a person may not act on the case, given which of its people are officers now. */
function barsOf(id: number, officers: readonly OfficerRow[], invoice: InvoiceRecord): CaseFacts['bars'] {
  const officer = officers.find((one) => one.id === id);
  if (officer === undefined) return 'FORBIDDEN';
  return isBarred({ person: officer }, invoice) ? 'OWN_BUSINESS' : undefined;
}

function findSinceApproval({ platform, caller }: Context, connection: Connection, invoice: InvoiceRecord) {
  return gather({
    hasLapsed: findLapsed(platform, connection, invoice),
    hasChanged: selectChangedSince(connection, { officerId: caller.person.id, invoice }),
    exposure: selectDecidedUse(connection, invoice),
    isPlacedByApprover: wasPlacedByApprover(platform, connection, invoice.case),
  });
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

async function wasPlacedByApprover(
  platform: Platform,
  connection: Connection,
  found: Approvers & Pick<InvoiceRecord['case'], 'submittedBy' | 'submittedAt'>,
): Promise<boolean> {
  const { firstApprovedBy, decidedBy } = found;
  if (firstApprovedBy !== null || decidedBy === null) return false;
  return wasPlacedBy(platform, connection, decidedBy, found);
}
