import { type StepName, steps, stepsFrom } from '#contract/applications/lifecycle.ts';
import type { ProgressReply } from '#contract/applications/progress.ts';
import { gaveOther } from '#contract/desk/rules.ts';
import { isStaff, may } from '#contract/permissions.ts';
import { type Checked, checkCase, payOutRefusal } from '#server/approvals/approval-checks.service.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import { findRequests } from '#server/information-requests/information-requests.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice, isBarred } from '#server/invoices/invoices.service.ts';
import { findUnderWay } from '#server/payout-accounts/payout-choices.service.ts';
import { isNewOfficer, wasPlacedBy } from '#server/people/standing/standing.service.ts';
import type { Context } from '#server/platform/work.ts';
import { hasAcceptedKeyFacts, selectBusinessNames, selectSteps } from '#server/steps/progress.queries.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { presentProgress } from './progress.presenter.ts';

/** The progress of an application that the caller may see, and the steps they may take now. Throws NOT_FOUND. */
export async function readProgress(context: Context, tag: string): Promise<ProgressReply> {
  const { platform, caller } = context;
  const invoice = await findInvoice(platform.db, caller, tag);
  const forStaff = isStaff(caller.person);
  const [names, holidays, taken, requests, keyFacts, checked, isPlaced, isNew, underWay] = await Promise.all([
    selectBusinessNames(platform.db, invoice),
    selectHolidays(platform.db),
    selectSteps(platform.db, invoice.id),
    findRequests(platform.db, invoice.id),
    hasAcceptedKeyFacts(platform.db, invoice.id),
    forStaff ? checkCase(context, platform.db, invoice) : undefined,
    wasPlacedBy(platform, platform.db, caller.person.id, invoice.case),
    forStaff && isNewOfficer(context, platform.db),
    invoice.status === 'Approved' ? findUnderWay(platform.db, invoice) : undefined,
  ]);
  const open = stepsOpenTo(caller, invoice, checked && { ...checked, isNew, needsTwo: checked.needsTwo || isPlaced });
  // An officer may cancel a payout that is only prepared, and then the approval.
  const isHeld = underWay !== undefined && (!forStaff || underWay === 'PAYOUT_ON_ITS_WAY');
  return presentProgress(invoice, {
    names,
    reading: { now: caller.now, holidays, targetMs: invoice.case.targetMs ?? platform.config.decisionTargetMs },
    reader: forStaff ? 'staff' : 'client',
    steps: taken,
    requests,
    hasKeyFacts: keyFacts,
    mayTake: isHeld ? open.filter((name) => !endsApproval.includes(name)) : open,
  });
}

/** Steps that nobody may take while the money is on its way. */
const endsApproval: readonly StepName[] = ['withdraw', 'cancelApproval'];

/** The checks of a case for an officer. */
interface Standing extends Checked {
  /** Whether the caller is a new officer, who neither approves nor pays out. */
  readonly isNew: boolean;
}

/** The steps that the caller may take now. What a payment needs beyond the status is up to the ledger. */
function stepsOpenTo(caller: SignedInCaller, invoice: InvoiceRecord, checked: Standing | undefined): StepName[] {
  const open = stepsFrom(invoice.status);
  if (checked === undefined) {
    const isClient = may(caller.person, 'applications.submit') && invoice.businessId === caller.person.businessId;
    return isClient ? open.filter((name) => steps[name].by === 'client') : [];
  }
  if (isBarred(caller, invoice)) return [];
  const isAssignee = invoice.case.assigneeId === caller.person.id;
  return open.filter((name) => {
    const { by } = steps[name];
    if (by === 'client' || by === 'none' || by === 'system' || (by === 'assignee' && !isAssignee)) return false;
    return approvalAllows(caller, invoice, checked, name);
  });
}

/** Whether approvals and checks allow the steps that depend on them. */
function approvalAllows(
  caller: SignedInCaller,
  { case: approvers }: InvoiceRecord,
  checked: Standing,
  name: StepName,
): boolean {
  const me = caller.person.id;
  const { needsTwo, approvalVoid, lacking, obstacle, isNew } = checked;
  const first = approvalVoid ? null : approvers.firstApprovedBy;
  const isFirst = first === null && needsTwo;
  const isSound = obstacle === undefined && !isNew;
  switch (name) {
    case 'approveFirst':
      return isSound && isFirst;
    case 'approve':
      return isSound && !isFirst && first !== me;
    case 'counterOffer': // a lower advance may be within a limit that the one asked for is not
      return !isNew && (obstacle === undefined || obstacle === 'LIMIT_NOT_HELD');
    case 'sendBack':
      return first !== null && (first === me || approvers.assigneeId === me);
    case 'approveAgain':
      return isSound && lacking !== undefined && !gaveOther(approvers, lacking, me);
    case 'disburse':
      return isSound && payOutRefusal(caller, approvers, checked) === null;
    // It is part of another officer's approval.
    case 'voidApproval':
      return false;
    default:
      return true;
  }
}
