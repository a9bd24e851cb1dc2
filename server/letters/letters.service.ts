import { statusTraits } from '#contract/applications/lifecycle.ts';
import { readProgress } from '#server/applications/progress.service.ts';
import { verifyCase } from '#server/audit/audit.service.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import { accountsIn } from '#server/config/setting-groups.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice } from '#server/invoices/invoices.service.ts';
import { loadKeyFacts } from '#server/key-facts/key-facts.service.ts';
import { selectAcceptedExtension } from '#server/offers/extensions.queries.ts';
import { findDestination } from '#server/payout-accounts/payout-choices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { selectBusinessNames } from '#server/steps/progress.queries.ts';
import { evidenceLetter } from './evidence.letter.ts';
import { History } from './history.ts';
import type { KeptLetters } from './kept-letters.service.ts';
import { keyFactsLetter } from './key-facts.letter.ts';
import { selectDocumentDigests, selectPersonNames, selectRecordedDocuments } from './letters.queries.ts';
import { offerLetter } from './offer-letter.letter.ts';

/** A PDF and its file name. */
export interface PrintedLetter {
  readonly fileName: string;
  readonly content: Buffer;
}

/** The parts that printing needs. */
export interface Printer {
  readonly platform: Platform;
  readonly kept: KeptLetters;
}

/**
 * The key facts as they were accepted, those of more time before those of the advance. Throws NOT_FOUND, also before
 * the acceptance.
 */
export async function printKeyFacts(printer: Printer, caller: SignedInCaller, tag: string): Promise<PrintedLetter> {
  const { platform, kept } = printer;
  const invoice = await findInvoice(platform.db, caller, tag);
  if (invoice.case.submittedAt === null) throw new AppError('NOT_FOUND');
  const { accepted, ...facts } = await loadKeyFacts({ platform, caller }, tag);
  if (accepted === null) throw new AppError('NOT_FOUND');
  const [names, extension] = await Promise.all([
    selectBusinessNames(platform.db, invoice),
    selectAcceptedExtension(platform.db, invoice.id),
  ]);
  return {
    fileName: nameOf('Key facts', invoice),
    content: await kept.find(keyFactsLetter(invoice, names, { facts, accepted, extension })),
  };
}

/**
 * The offer letter of an approved application, with the accepted key facts. Throws NOT_FOUND, also before the approval.
 */
export async function printOfferLetter(printer: Printer, caller: SignedInCaller, tag: string): Promise<PrintedLetter> {
  const { platform, kept } = printer;
  const invoice = await findInvoice(platform.db, caller, tag);
  const { decidedAt } = invoice.case;
  if (decidedAt === null || !statusTraits[invoice.status].offered) throw new AppError('NOT_FOUND');
  const [{ paidTo: _accepted, ...facts }, names, paidTo, extension] = await Promise.all([
    loadKeyFacts({ platform, caller }, tag),
    selectBusinessNames(platform.db, invoice),
    findDestination(platform, platform.db, invoice, caller.now),
    selectAcceptedExtension(platform.db, invoice.id),
  ]);
  // The payout account may have been chosen only after the key facts were accepted.
  const letter = offerLetter(invoice, names, paidTo === undefined ? facts : { ...facts, paidTo }, {
    decidedAt,
    accounts: accountsIn(platform.config, invoice.currencyCode),
    support: platform.config.support,
    extension,
  });
  return { fileName: nameOf('Offer letter', invoice), content: await kept.find(letter) };
}

/**
 * The whole history of an application from the audit log, with its links recomputed and compared with the rows. Throws
 * NOT_FOUND for a draft.
 */
export async function printEvidence(
  { platform }: Pick<Printer, 'platform'>,
  caller: SignedInCaller,
  tag: string,
): Promise<PrintedLetter> {
  const invoice = await findInvoice(platform.db, caller, tag);
  if (invoice.case.submittedAt === null) throw new AppError('NOT_FOUND');
  const [documents, progress, recorded] = await Promise.all([
    selectDocumentDigests(platform.db, invoice.id),
    readProgress({ platform, caller }, tag),
    selectRecordedDocuments(platform.db, invoice.tag),
  ]);
  const history = new History();
  const subjects = { invoiceTag: invoice.tag, documentTags: recorded };
  const verified = await verifyCase(platform, subjects, (event) => history.next(event));
  const lines = history.lines();
  const actors = new Set(lines.flatMap(({ actors: tags }) => tags.filter((person) => person !== null)));
  const letter = evidenceLetter(invoice, {
    documents,
    events: history.events,
    history: lines,
    people: await selectPersonNames(platform.db, [...actors]),
    progress,
    ...verified,
    printed: { at: caller.now, by: caller.person.username },
  });
  // It contains the time of printing, so no two are the same and it is not stored.
  return { fileName: nameOf('Evidence', invoice), content: await platform.letters.draw(letter) };
}

function nameOf(kind: string, { invoiceNumber }: InvoiceRecord): string {
  return `${kind} ${invoiceNumber}.pdf`;
}
