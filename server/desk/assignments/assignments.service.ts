import { statusTraits } from '#contract/applications/lifecycle.ts';
import type { HandOverBody } from '#contract/desk/schema.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { isBarred, lockCase } from '#server/invoices/invoices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { requireAssignee } from '#server/steps/steps.service.ts';
import { selectOfficer, selectTag, updateAssignment } from './assignments.queries.ts';

/**
 * Assignment of cases: one officer at a time, and only they decide. Repeating what is already so succeeds and changes
 * nothing. Everything here throws NOT_FOUND, OWN_BUSINESS, and STEP_NOT_ALLOWED for a decided case.
 */

async function lockUndecided(change: Change, caller: SignedInCaller, tag: string): Promise<InvoiceRecord> {
  const invoice = await lockCase(change, caller, tag);
  if (!statusTraits[invoice.status].undecided) throw new AppError('STEP_NOT_ALLOWED');
  return invoice;
}

/** Assigns an unassigned case to the caller. Throws CASE_TAKEN if another officer has it. */
export function takeCase(platform: Platform, caller: SignedInCaller, tag: string) {
  return doOnce(platform, caller, { name: 'takeCase', input: tag }, async (change) => {
    const invoice = await lockUndecided(change, caller, tag);
    if (invoice.case.assigneeId !== caller.person.id) await assignCase(change, caller, invoice);
  });
}

/** Assigns a locked case to the caller and returns it. Throws CASE_TAKEN if another officer has it. */
export async function assignCase(
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
): Promise<InvoiceRecord> {
  await moveAssignment(change, caller, invoice, 'case.taken', caller.person);
  return { ...invoice, case: { ...invoice.case, assigneeId: caller.person.id } };
}

/** Unassigns the caller's case. Throws CASE_TAKEN if another officer has it. */
export function releaseCase(platform: Platform, caller: SignedInCaller, tag: string) {
  return doOnce(platform, caller, { name: 'releaseCase', input: tag }, async (change) => {
    const invoice = await lockUndecided(change, caller, tag);
    if (invoice.case.assigneeId === null) return;
    requireAssignee(caller, invoice);
    await moveAssignment(change, caller, invoice, 'case.released', null);
  });
}

/**
 * Reassigns a case to another officer: the assignee theirs, an administrator any. Throws CASE_NOT_TAKEN, CASE_TAKEN;
 * NOT_AN_OFFICER at `officerTag` for a person who may not decide it.
 */
export function handOverCase(platform: Platform, caller: SignedInCaller, tag: string, { officerTag }: HandOverBody) {
  return doOnce(platform, caller, { name: 'handOverCase', input: [tag, officerTag] }, async (change) => {
    const invoice = await lockUndecided(change, caller, tag);
    if (!caller.person.perms.includes('KADMIN')) requireAssignee(caller, invoice);
    const officer = await selectOfficer(change, officerTag);
    if (officer === undefined || isBarred({ person: officer }, invoice))
      throw fieldError('NOT_AN_OFFICER', 'officerTag');
    if (invoice.case.assigneeId === officer.id) return;
    await moveAssignment(change, caller, invoice, 'case.handedOver', officer);
  });
}

async function moveAssignment(
  change: Change,
  caller: SignedInCaller,
  { id, tag, case: { assigneeId } }: InvoiceRecord,
  action: 'case.taken' | 'case.released' | 'case.handedOver',
  to: { readonly id: number; readonly tag: string } | null,
): Promise<void> {
  if (action === 'case.taken' && assigneeId !== null) throw new AppError('CASE_TAKEN');
  const before = await assigneeTag(change, caller, assigneeId);
  updateAssignment(change, id, to?.id ?? null, caller.now);
  recordEvent(change, caller, action, ['invoice', tag], {
    before: { holder: before },
    after: { holder: to?.tag ?? null },
  });
}

async function assigneeTag(
  change: Change,
  { person }: SignedInCaller,
  assigneeId: number | null,
): Promise<string | null> {
  if (assigneeId === null) return null;
  return assigneeId === person.id ? person.tag : selectTag(change, assigneeId);
}
