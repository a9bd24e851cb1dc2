import type { RequestBody } from '#contract/applications/progress.ts';
import {
  decideApproval,
  decideApprovalAgain,
  refusalsToCancelApproval,
  refusalsToSendBack,
} from '#contract/desk/approval.ts';
import type { ApproveBody, CancelApprovalBody, DeclineBody, SendBackBody } from '#contract/desk/schema.ts';
import { findCaseFacts, lockCaseBusinesses, lockCasePeople } from '#server/approvals/case-facts.service.ts';
import { orRefuse, refuseFirst } from '#server/calls/app-error.ts';
import { type Done, done } from '#server/calls/done.ts';
import { changeOnce } from '#server/changes/change.ts';
import { gather, together } from '#server/db/together.ts';
import { findUnacknowledged } from '#server/flags/flags.service.ts';
import { closeRecalled, openRequest } from '#server/information-requests/information-requests.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { lockCase } from '#server/invoices/invoices.service.ts';
import { findFirstOutlook } from '#server/payout-accounts/outlook.service.ts';
import { findUnderWay } from '#server/payout-accounts/payout-choices.service.ts';
import { findNewUntil } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { lockPeople } from '#server/sessions/officers.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { beginTelling, requireStep, takeStep } from '#server/steps/steps.service.ts';

/**
 * The steps of a case's assignee, or of an officer who takes the case with them: of two officers who act on an
 * unassigned case at once, the later one is refused. Each throws NOT_FOUND, OWN_BUSINESS, CASE_TAKEN, STEP_NOT_ALLOWED
 * by the table of steps, and happens once per Idempotency-Key.
 */

/** Runs a step on a locked case. */
function onCase(
  context: Context,
  operation: { readonly name: string; readonly tag: string; readonly body?: unknown },
  act: (work: Work, invoice: InvoiceRecord) => Promise<void>,
): Promise<Done> {
  const { name, tag, body } = operation;
  return changeOnce(context, { name, input: [tag, body ?? null] }, async (work) => {
    const [invoice] = await together(lockCase(work, tag), selectHolidays(work.change));
    await act(work, invoice);
    return done;
  });
}

/** Starts the review. */
export function startReview(context: Context, tag: string) {
  return onCase(context, { name: 'startReview', tag }, (work, invoice) => takeStep(work, invoice, 'startReview'));
}

/** Asks the client for information or documents. Throws UNKNOWN_REFERENCE at `typeIds` for an unknown document type. */
export function requestInformation(context: Context, tag: string, body: RequestBody) {
  return onCase(context, { name: 'requestInformation', tag, body }, async (work, invoice) => {
    requireStep(work.caller, 'requestInformation', invoice);
    const { question } = body;
    const documents = await openRequest(work, invoice, body);
    await takeStep(work, invoice, 'requestInformation', {
      note: question,
      audit: { documents },
      news: { question, documents },
    });
  });
}

/** Recalls the open request. */
export function recallRequest(context: Context, tag: string) {
  return onCase(context, { name: 'recallRequest', tag }, async (work, invoice) => {
    await takeStep(work, invoice, 'recallRequest');
    await closeRecalled(work, invoice);
  });
}

/**
 * Approves a case, if `decideApproval` (contract/desk/approval.ts) allows it. The first of two approvals unassigns the
 * case for another officer; the second decides it. On an approved case, this gives its missing approval.
 */
export function approve(context: Context, tag: string, body: ApproveBody) {
  return onCase(context, { name: 'approve', tag, body }, async (work, invoice) => {
    lockCasePeople(work, invoice);
    if (invoice.status === 'Approved') return approveAgain(work, invoice);
    const { change, caller } = work;
    const telling = beginTelling(work, invoice, 'approve');
    const { facts, openFlags, outlook } = await gather({
      telling,
      facts: findCaseFacts(work, change, { invoice, active: lockCaseBusinesses(work, invoice) }),
      openFlags: findUnacknowledged(work, work.change, invoice),
      outlook: findFirstOutlook(work, change, invoice, invoice.application?.netProceeds ?? 0),
    });
    const { step, voidsFirst } = orRefuse(decideApproval({ ...facts, openFlags, meant: body?.step }));
    const current = voidsFirst ? await voidApproval(work, invoice) : invoice;
    const { now, person } = caller;
    if (step === 'approveFirst') {
      const set = { first_approved_by: person.id, first_approved_at: now, holder_id: null, held_since: null };
      await takeStep(work, current, step, { set });
      return;
    }
    await takeStep(work, current, step, {
      set: { decided_at: now, decided_by: person.id },
      news: { outlook },
      telling,
    });
  });
}

/** Cancels a void first approval and records that; returns the case without it. */
async function voidApproval(work: Work, invoice: InvoiceRecord): Promise<InvoiceRecord> {
  await takeStep(work, invoice, 'voidApproval', {
    note: 'The officer who gave it has left.',
    set: { first_approved_by: null, first_approved_at: null },
  });
  const assigneeId = work.caller.person.id;
  return { ...invoice, case: { ...invoice.case, assigneeId, firstApprovedBy: null, firstApprovedAt: null } };
}

/** Gives the missing approval of an approved case: as the second one, or in place of a void one. */
async function approveAgain(work: Work, invoice: InvoiceRecord): Promise<void> {
  const { facts, openFlags } = await gather({
    facts: findCaseFacts(work, work.change, { invoice, active: lockCaseBusinesses(work, invoice) }),
    openFlags: findUnacknowledged(work, work.change, invoice),
  });
  const approval = orRefuse(decideApprovalAgain({ ...facts, openFlags }));
  const { now, person } = work.caller;
  // We keep the time of the decision: the client was told about it, and the clock ended then.
  const set =
    approval === 'first' ? { first_approved_by: person.id, first_approved_at: now } : { decided_by: person.id };
  await takeStep(work, invoice, 'approveAgain', { set, audit: { approval } });
}

/** Cancels the first approval, if `refusalsToSendBack` allows it. */
export function sendBack(context: Context, tag: string, { note }: SendBackBody) {
  return onCase(context, { name: 'sendBack', tag, body: note }, async (work, invoice) => {
    const { status, case: approvers } = invoice;
    const { assigneeId } = approvers;
    refuseFirst(refusalsToSendBack({ status, assigneeId, approvers, me: work.caller.person.id }));
    await takeStep(work, invoice, 'sendBack', {
      note,
      set: { first_approved_by: null, first_approved_at: null },
    });
  });
}

/** Declines, with a reason and a note that the client reads. */
export function decline(context: Context, tag: string, body: DeclineBody) {
  return onCase(context, { name: 'decline', tag, body }, async (work, invoice) => {
    const { reason, note } = body;
    const set = {
      decline_reason: reason,
      decline_note: note,
      decided_at: work.caller.now,
      decided_by: work.caller.person.id,
    };
    await takeStep(work, invoice, 'decline', {
      set,
      note,
      audit: { reason },
      news: { declined: body },
    });
  });
}

/**
 * Cancels an approval before the payout, if `refusalsToCancelApproval` allows it, with a reason that the client reads.
 * The approvers stay on record.
 */
export function cancelApproval(context: Context, tag: string, { reason }: CancelApprovalBody) {
  return onCase(context, { name: 'cancelApproval', tag, body: reason }, async (work, invoice) => {
    const { change, caller } = work;
    lockPeople(change, [caller.person.id]);
    const found = await gather({ newUntil: findNewUntil(work, change), underWay: findUnderWay(change, invoice) });
    refuseFirst(refusalsToCancelApproval({ ...found, status: invoice.status, now: caller.now }));
    await takeStep(work, invoice, 'cancelApproval', { note: reason, news: { reason } });
  });
}
