import { type StepName, steps, stepsFrom } from '#contract/applications/lifecycle.ts';
import type { ProgressReply } from '#contract/applications/progress.ts';
import { needsTwoOfficers } from '#contract/desk/rules.ts';
import { isStaff, may } from '#contract/permissions.ts';
import { findRequests } from '#server/applications/information-requests.service.ts';
import {
  type ClockReading,
  presentClock,
  presentRequests,
  presentSteps,
} from '#server/applications/progress.presenter.ts';
import { hasAcceptedKeyFacts, selectBusinessNames, selectSteps } from '#server/applications/progress.queries.ts';
import { selectHolidays } from '#server/applications/steps.queries.ts';
import { findInvoice, type InvoiceRecord, isBarred } from '#server/invoices/invoices.service.ts';
import type { SignedInCaller } from '#server/platform/http.ts';
import type { Platform } from '#server/platform/platform.ts';

export { presentClock } from '#server/applications/progress.presenter.ts';
export { selectHolidays as readHolidays } from '#server/applications/steps.queries.ts';

/** What became of an application that the caller may see, and what they may do now. Throws NOT_FOUND. */
export async function readProgress(platform: Platform, caller: SignedInCaller, tag: string): Promise<ProgressReply> {
  const invoice = await findInvoice(platform.db, caller, tag);
  const [names, holidays, taken, requests, keyFacts] = await Promise.all([
    selectBusinessNames(platform.db, invoice),
    selectHolidays(platform.db),
    selectSteps(platform.db, invoice.id),
    findRequests(platform.db, invoice.id),
    hasAcceptedKeyFacts(platform.db, invoice.id),
  ]);
  const forStaff = isStaff(caller.person);
  const { declineReason, declineNote, decidedAt } = invoice.case;
  return {
    status: invoice.status,
    ...names,
    clock: presentClock({ ...clockOf(platform, invoice), now: caller.now, holidays }),
    steps: presentSteps(taken, forStaff ? 'staff' : 'client'),
    requests: presentRequests(requests),
    declined: declineReason === null || declineNote === null ? null : { reason: declineReason, note: declineNote },
    mayTake: stepsOpenTo(platform, caller, invoice),
    papers: { keyFacts, offerLetter: decidedAt !== null && invoice.status !== 'Declined', evidence: forStaff },
  };
}

/** The clock of an application; before its submission with the target of today. */
function clockOf(
  { config }: Platform,
  { status, case: { clock, missedAt, decidedAt, targetMs } }: Pick<InvoiceRecord, 'status' | 'case'>,
): Omit<ClockReading, 'now' | 'holidays'> {
  return { status, clock, missedAt, decidedAt, targetMs: targetMs ?? config.decisionTargetMs };
}

/**
 * The steps that the caller may take as things stand. What a payment needs beyond the state is the ledger's to say.
 */
function stepsOpenTo(platform: Platform, caller: SignedInCaller, invoice: InvoiceRecord): StepName[] {
  const open = stepsFrom(invoice.status);
  if (!isStaff(caller.person)) {
    const isClient = may(caller.person, 'applications.submit') && invoice.businessId === caller.person.businessId;
    return isClient ? open.filter((name) => steps[name].by === 'client') : [];
  }
  if (isBarred(caller, invoice)) return [];
  const isHolder = invoice.case.holderId === caller.person.id;
  return open.filter((name) => {
    if (steps[name].by === 'client' || (steps[name].by === 'holder' && !isHolder)) return false;
    return approvalAllows(platform, caller, invoice, name);
  });
}

/** What the first of two approvals makes of the steps that read it. */
function approvalAllows(platform: Platform, caller: SignedInCaller, invoice: InvoiceRecord, name: StepName): boolean {
  const { firstApprovedBy, holderId } = invoice.case;
  const me = caller.person.id;
  const isFirst = firstApprovedBy === null && needsTwoOfficers(invoice, platform.config.secondApprovalAbove);
  if (name === 'approveFirst') return isFirst;
  if (name === 'approve') return !isFirst && firstApprovedBy !== me;
  if (name === 'sendBack') return firstApprovedBy !== null && (firstApprovedBy === me || holderId === me);
  return true;
}
