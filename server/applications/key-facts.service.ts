import { createHash } from 'node:crypto';
import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { KEY_FACTS_EDITION, keyFactsOf } from '#contract/applications/key-facts.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { Change } from '#server/db/change.ts';
import { AppError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { type ApplicationRecord, findInvoice, type InvoiceRecord } from '#server/invoices/invoices.service.ts';
import type { Platform } from '#server/platform.ts';
import { canonicalDigest } from '#server/secrets/canonical-digest.ts';
import { presentAccepted, presentKeyFacts, type ShownFacts } from './key-facts.presenter.ts';
import { insertAcceptance, selectAcceptance } from './key-facts.queries.ts';

type AppliedInvoice = InvoiceRecord & { readonly application: ApplicationRecord };

/** The current facts, and a version that changes with any word or figure of the page. */
function currentFacts(invoice: AppliedInvoice, now: Date): { version: string; facts: ShownFacts } {
  const { application, ...terms } = invoice;
  const facts = presentKeyFacts(keyFactsOf({ ...terms, ...application }, kampalaDate(now)));
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return { version: `${KEY_FACTS_EDITION}-${digest.slice(0, 16)}`, facts };
}

/**
 * The key facts before submission; afterwards those that were accepted. Throws NOT_FOUND; NOT_READY before the
 * application is saved.
 */
export async function loadKeyFacts(platform: Platform, caller: SignedInCaller, tag: string): Promise<KeyFactsReply> {
  const invoice = await findInvoice(platform.db, caller, tag);
  const { application } = invoice;
  if (application === null) throw new AppError('NOT_READY', { extra: { missing: ['Amount applied for'] } });
  const acceptance = await selectAcceptance(platform.db, invoice.id);
  if (acceptance === undefined) {
    const { version, facts } = currentFacts({ ...invoice, application }, caller.now);
    return { ...facts, version, accepted: null };
  }
  return presentAccepted(acceptance);
}

/** What the audit log keeps of an acceptance. */
export interface AcceptedKeyFacts {
  readonly version: string;
  readonly sha256: string;
}

/**
 * Freezes the current key facts as accepted by the caller; returns what the audit log keeps. Throws KEY_FACTS_CHANGED
 * if `seen` is another version.
 */
export function acceptKeyFacts(
  change: Change,
  caller: SignedInCaller,
  invoice: AppliedInvoice,
  seen: string | undefined,
): AcceptedKeyFacts {
  const { version, facts } = currentFacts(invoice, caller.now);
  if (seen !== undefined && seen !== version) throw new AppError('KEY_FACTS_CHANGED');
  insertAcceptance(change, {
    invoice_id: invoice.id,
    version,
    facts: JSON.stringify(facts),
    accepted_at: caller.now,
    accepted_by: caller.person.id,
  });
  return { version, sha256: canonicalDigest(facts) };
}
