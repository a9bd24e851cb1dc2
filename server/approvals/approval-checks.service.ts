import { type CaseFacts, isSound, mayAct, needsTwo } from '#contract/desk/case-facts.ts';
import { type Refusal, refusalsBy } from '#contract/refusals/refusal.ts';
import { orRefuse } from '#server/calls/app-error.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Work } from '#server/platform/work.ts';
import { findCaseFacts, lockCaseBusinesses } from './case-facts.service.ts';

/** Throwing forms of the rules in contract/payouts/officers.ts, until their callers have moved. */

async function lockFacts(work: Work, invoice: InvoiceRecord): Promise<CaseFacts> {
  return findCaseFacts(work, work.change, { invoice, active: lockCaseBusinesses(work, invoice) });
}

function refuseFirst(refusals: readonly Refusal[]): void {
  orRefuse(refusals.length > 0 ? { refusals } : { refusals: [], decision: true });
}

/** Throws what stops an approval with that much less; returns whether it needs two officers. */
export async function requireSound(work: Work, invoice: InvoiceRecord, lessAdvance: number): Promise<boolean> {
  const asked = await lockFacts(work, invoice);
  const facts = { ...asked, exposure: asked.exposure - lessAdvance };
  refuseFirst(refusalsBy([mayAct, isSound], facts));
  return needsTwo(facts);
}
