import { type StepName, steps, stepsFrom } from '#contract/applications/lifecycle.ts';
import type { ProgressReply } from '#contract/applications/progress.ts';
import { stepsOpenTo } from '#contract/desk/case-actions.ts';
import { isStaff, may } from '#contract/permissions.ts';
import { findCaseFacts } from '#server/approvals/case-facts.service.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import { findRequests } from '#server/information-requests/information-requests.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice } from '#server/invoices/invoices.service.ts';
import { findUnderWay } from '#server/payout-accounts/payout-choices.service.ts';
import type { Context } from '#server/platform/work.ts';
import { hasAcceptedKeyFacts, selectBusinessNames, selectSteps } from '#server/steps/progress.queries.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { presentProgress } from './progress.presenter.ts';

/** The progress of an application that the caller may see, and the steps they may take now. Throws NOT_FOUND. */
export async function readProgress(context: Context, tag: string): Promise<ProgressReply> {
  const { platform, caller } = context;
  const { db } = platform;
  const invoice = await findInvoice(db, caller, tag);
  const forStaff = isStaff(caller.person);
  const [names, holidays, taken, requests, keyFacts, facts, underWay] = await Promise.all([
    selectBusinessNames(db, invoice),
    selectHolidays(db),
    selectSteps(db, invoice.id),
    findRequests(db, invoice.id),
    hasAcceptedKeyFacts(db, invoice.id),
    forStaff ? findCaseFacts(context, db, { invoice }) : undefined,
    invoice.status === 'Approved' ? findUnderWay(db, invoice) : undefined,
  ]);
  return presentProgress(invoice, {
    names,
    reading: { now: caller.now, holidays, targetMs: invoice.case.targetMs ?? platform.config.decisionTargetMs },
    reader: forStaff ? 'staff' : 'client',
    steps: taken,
    requests,
    hasKeyFacts: keyFacts,
    mayTake:
      facts === undefined
        ? stepsOfClient(caller, invoice, { isHeld: underWay !== undefined })
        : stepsOpenTo({ ...facts, underWay }),
  });
}

/** The steps that a client may take now. They can't withdraw while the money may be on its way. */
function stepsOfClient({ person }: SignedInCaller, invoice: InvoiceRecord, payout: { isHeld: boolean }): StepName[] {
  if (!may(person, 'applications.submit') || invoice.businessId !== person.businessId) return [];
  return stepsFrom(invoice.status).filter(
    (name) => steps[name].by === 'client' && !(payout.isHeld && name === 'withdraw'),
  );
}
