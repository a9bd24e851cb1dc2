import type { CaseFacts } from '#contract/desk/case-facts.ts';
import { refusalsByApproval, refusalsToPrepare } from '#contract/payouts/officers.ts';
import { refuseFirst } from '#server/calls/app-error.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Work } from '#server/platform/work.ts';
import { findCaseFacts, lockCaseBusinesses } from './case-facts.service.ts';

/** Throwing forms of the rules in contract/payouts/officers.ts, until their callers have moved. */

async function lockFacts(work: Work, invoice: InvoiceRecord): Promise<CaseFacts> {
  return findCaseFacts(work, work.change, { invoice, active: lockCaseBusinesses(work, invoice) });
}

/** Throws unless the caller may pay out the locked case. */
export async function requirePayable(work: Work, invoice: InvoiceRecord): Promise<void> {
  refuseFirst(refusalsByApproval(await lockFacts(work, invoice)));
}

/** Throws unless the caller may prepare the payout of the locked case. */
export async function requirePreparable(work: Work, invoice: InvoiceRecord): Promise<void> {
  const facts = await lockFacts(work, invoice);
  refuseFirst(refusalsToPrepare({ ...facts, openFlags: [], approval: facts }));
}
