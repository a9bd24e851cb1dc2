import { statusTraits } from '#contract/applications/lifecycle.ts';
import type { HandOverBody } from '#contract/desk/schema.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { isBarred, lockCase } from '#server/invoices/invoices.service.ts';
import type { Context } from '#server/platform/work.ts';
import { assignCase, requireAssignee } from '#server/steps/steps.service.ts';
import { selectOfficer, selectTag, updateAssignment } from './assignments.queries.ts';

/**
 * Assignment of cases: to one officer at a time, and only they decide. Repeating a call succeeds and changes nothing.
 * Everything here throws NOT_FOUND, OWN_BUSINESS, and STEP_NOT_ALLOWED for a decided case.
 */

async function lockUndecided(work: Changing, tag: string): Promise<InvoiceRecord> {
  const invoice = await lockCase(work, tag);
  if (!statusTraits[invoice.status].undecided) throw new AppError('STEP_NOT_ALLOWED');
  return invoice;
}

/** Assigns an unassigned case to the caller. Throws CASE_TAKEN if another officer has it. */
export function takeCase(context: Context, tag: string) {
  return doOnce(context, { name: 'takeCase', input: tag }, async (work) => {
    const invoice = await lockUndecided(work, tag);
    if (invoice.case.assigneeId === null) assignCase(work, invoice);
    else requireAssignee(context.caller, invoice);
  });
}

/** Unassigns the caller's case. Throws CASE_TAKEN if another officer has it. */
export function releaseCase(context: Context, tag: string) {
  return doOnce(context, { name: 'releaseCase', input: tag }, async (work) => {
    const invoice = await lockUndecided(work, tag);
    if (invoice.case.assigneeId === null) return;
    requireAssignee(context.caller, invoice);
    await moveAssignment(work, invoice, 'case.released', null);
  });
}

/**
 * Reassigns a case to another officer. The assignee may reassign their own case, an administrator any case. Throws
 * CASE_NOT_TAKEN, CASE_TAKEN; NOT_AN_OFFICER at `officerTag` for a person who may not decide the case.
 */
export function handOverCase(context: Context, tag: string, { officerTag }: HandOverBody) {
  return doOnce(context, { name: 'handOverCase', input: [tag, officerTag] }, async (work) => {
    const invoice = await lockUndecided(work, tag);
    if (!context.caller.person.perms.includes('KADMIN')) requireAssignee(context.caller, invoice);
    const officer = await selectOfficer(work.change, officerTag);
    if (officer === undefined || isBarred({ person: officer }, invoice))
      throw fieldError('NOT_AN_OFFICER', 'officerTag');
    if (invoice.case.assigneeId === officer.id) return;
    await moveAssignment(work, invoice, 'case.handedOver', officer);
  });
}

async function moveAssignment(
  work: Changing,
  { id, tag, case: { assigneeId } }: InvoiceRecord,
  action: 'case.released' | 'case.handedOver',
  to: { readonly id: number; readonly tag: string } | null,
): Promise<void> {
  const before = await assigneeTag(work, assigneeId);
  updateAssignment(work.change, id, to?.id ?? null, work.caller.now);
  recordEvent(work, action, ['invoice', tag], {
    before: { holder: before },
    after: { holder: to?.tag ?? null },
  });
}

async function assigneeTag(
  { change, caller: { person } }: Changing,
  assigneeId: number | null,
): Promise<string | null> {
  if (assigneeId === null) return null;
  return assigneeId === person.id ? person.tag : selectTag(change, assigneeId);
}
