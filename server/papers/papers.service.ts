import { loadKeyFacts } from '#server/applications/key-facts.service.ts';
import { readProgress } from '#server/applications/progress.service.ts';
import { verifySubjects } from '#server/audit/audit.service.ts';
import { findInvoice, type InvoiceRecord } from '#server/invoices/invoices.service.ts';
import { evidencePaper } from '#server/papers/evidence.paper.ts';
import { keyFactsPaper } from '#server/papers/key-facts.paper.ts';
import { offerLetterPaper } from '#server/papers/offer-letter.paper.ts';
import { drawPaper, type Paper } from '#server/papers/paper.ts';
import { selectDocumentDigests, selectHistory, selectNames } from '#server/papers/papers.queries.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { SignedInCaller } from '#server/platform/http.ts';
import type { Platform } from '#server/platform/platform.ts';

/** A PDF and what it is called. */
export interface PrintedPaper {
  readonly fileName: string;
  readonly content: Buffer;
}

async function print(kind: string, { invoiceNumber }: InvoiceRecord, paper: Paper): Promise<PrintedPaper> {
  return { fileName: `${kind} ${invoiceNumber}.pdf`, content: await drawPaper(paper) };
}

/** The key facts that the client accepted. Throws NOT_FOUND, also before there are any. */
export async function printKeyFacts(platform: Platform, caller: SignedInCaller, tag: string): Promise<PrintedPaper> {
  const invoice = await findInvoice(platform.db, caller, tag);
  if (invoice.case.submittedAt === null) throw new AppError('NOT_FOUND');
  const { accepted, ...facts } = await loadKeyFacts(platform, caller, tag);
  if (accepted === null) throw new AppError('NOT_FOUND');
  const names = await selectNames(platform.db, invoice.id);
  return print('Key facts', invoice, keyFactsPaper(invoice, names, facts, accepted));
}

/** The offer letter of an approved application, with what was accepted. Throws NOT_FOUND, also before the approval. */
export async function printOfferLetter(platform: Platform, caller: SignedInCaller, tag: string): Promise<PrintedPaper> {
  const invoice = await findInvoice(platform.db, caller, tag);
  const { decidedAt } = invoice.case;
  if (decidedAt === null || invoice.status === 'Declined') throw new AppError('NOT_FOUND');
  const [facts, names] = await Promise.all([loadKeyFacts(platform, caller, tag), selectNames(platform.db, invoice.id)]);
  return print('Offer letter', invoice, offerLetterPaper(invoice, names, facts, decidedAt));
}

/**
 * The whole history of an application from the audit log, its links computed again. Throws NOT_FOUND for a draft.
 */
export async function printEvidence(platform: Platform, caller: SignedInCaller, tag: string): Promise<PrintedPaper> {
  const invoice = await findInvoice(platform.db, caller, tag);
  if (invoice.case.submittedAt === null) throw new AppError('NOT_FOUND');
  const [names, documents, events, progress] = await Promise.all([
    selectNames(platform.db, invoice.id),
    selectDocumentDigests(platform.db, invoice.id),
    selectHistory(platform.db, invoice.tag),
    readProgress(platform, caller, tag),
  ]);
  const faults = await verifySubjects(platform, [...new Set(events.map(({ subjectTag }) => subjectTag))]);
  const printed = { at: caller.now, by: caller.person.username };
  return print('Evidence', invoice, evidencePaper(invoice, names, { documents, events, progress, faults, printed }));
}
