import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isEditable, stepAllowed } from '#contract/applications/lifecycle.ts';
import { failures } from '#contract/errors.ts';
import { type ExpectedCash, expectedCash } from '#contract/invoices/expected-cash.ts';
import { type InvoiceForm, type InvoiceRow, type InvoicesBody, invoiceNumberKey } from '#contract/invoices/schema.ts';
import { minorToNumeric } from '#contract/money.ts';
import { isStaff } from '#contract/permissions.ts';
import { isSameTag } from '#contract/tags.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { AppError, fieldError, orNotFound } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { Context } from '#server/platform/work.ts';
import type { ListScope } from './invoice-filter.ts';
import { findInvoicePage } from './invoice-list.queries.ts';
import { presentInvoicePage } from './invoices.presenter.ts';
import {
  deleteDraft,
  type InvoiceRecord,
  insertInvoice,
  type Known,
  type Scope,
  selectBuyerTerms,
  selectInvoice,
  selectInvoiceForUpdate,
  selectKnown,
  selectTaxRates,
  sumCreditNotes,
  updateDraft,
} from './invoices.queries.ts';

/**
 * The invoice with this tag, or with an application with this tag: a client's own, or any for staff. Throws NOT_FOUND
 * otherwise.
 */
export async function findInvoice(connection: Connection, caller: SignedInCaller, tag: string): Promise<InvoiceRecord> {
  return orNotFound(await selectInvoice(connection, scopeOf(caller), tag));
}

/**
 * The invoices that a caller may read: all for staff, their business's for a client. Throws NOT_FOUND for anybody else.
 */
export function scopeOf(caller: SignedInCaller): Scope {
  return isStaff(caller.person) ? 'everybody' : { businessId: ownBusinessId(caller) };
}

/** Like {@link findInvoice}, but only for the caller's own invoice, which it locks. */
export async function lockInvoice({ change, caller }: Changing, tag: string): Promise<InvoiceRecord> {
  return orNotFound(await selectInvoiceForUpdate(change, { businessId: ownBusinessId(caller) }, tag));
}

/**
 * The case with that tag, locked, for an officer. Throws NOT_FOUND, also for a draft; OWN_BUSINESS if the officer
 * belongs to the client's or the buyer's business, or submitted the application.
 */
export async function lockCase({ change, caller }: Changing, tag: string): Promise<InvoiceRecord> {
  const invoice = await selectInvoiceForUpdate(change, 'everybody', tag);
  if (invoice === undefined || invoice.status === 'Draft') throw new AppError('NOT_FOUND');
  if (isBarred(caller, invoice)) throw new AppError('OWN_BUSINESS');
  return invoice;
}

/** Locks the invoice with this tag for a background job. */
export function lockForSweep(change: Change, tag: string): Promise<InvoiceRecord | undefined> {
  return selectInvoiceForUpdate(change, 'everybody', tag);
}

/** Locks the case with this tag for a background job, if its status can lapse; undefined otherwise. */
export async function lockLapsing(change: Change, tag: string): Promise<InvoiceRecord | undefined> {
  const invoice = await lockForSweep(change, tag);
  return invoice !== undefined && stepAllowed('lapse', invoice.status) ? invoice : undefined;
}

/**
 * Whether this person may not act as an officer on the invoice: they belong to one of its two businesses, or submitted
 * the application, even if they have moved since.
 */
export function isBarred(
  { person }: { readonly person: Pick<SignedInCaller['person'], 'id' | 'businessId'> },
  {
    businessId,
    buyerId,
    case: { submittedBy },
  }: Pick<InvoiceRecord, 'businessId' | 'buyerId'> & { readonly case: Pick<InvoiceRecord['case'], 'submittedBy'> },
): boolean {
  if (person.id === submittedBy) return true;
  return person.businessId !== null && (person.businessId === businessId || person.businessId === buyerId);
}

/** Like {@link lockInvoice}; throws NOT_EDITABLE if the application is no longer a draft. */
export async function lockDraft(work: Changing, tag: string): Promise<InvoiceRecord> {
  const invoice = await lockInvoice(work, tag);
  requireDraft(invoice);
  return invoice;
}

/** Throws NOT_EDITABLE unless the client may still change the invoice. */
export function requireDraft(invoice: InvoiceRecord): void {
  if (!isEditable(invoice.status)) throw new AppError('NOT_EDITABLE');
}

/** Throws STALE_VERSION if a version was sent and differs from the stored one. */
export function requireVersion(sent: number | undefined, stored: number | undefined): void {
  if (sent !== undefined && sent !== stored) throw new AppError('STALE_VERSION');
}

/**
 * A page of the caller's invoices; for staff, of the named client's, those to the named buyer, or of all. Throws
 * NOT_YOUR_BUSINESS for a client who names another business or asks as a buyer.
 */
export async function listInvoices({ platform, caller }: Context, body: InvoicesBody): Promise<InvoiceRow[]> {
  const { status, withoutDrafts, sort = '-date', searchPhrase: phrase } = body;
  const filter = { scope: listScope(caller, body), status, withoutDrafts, sort };
  const search = phrase === '' ? undefined : { phrase, inOwners: isStaff(caller.person) };
  const rows = await findInvoicePage(platform.db, filter, search, body);
  return presentInvoicePage(rows, kampalaDate(caller.now), isStaff(caller.person));
}

function listScope(caller: SignedInCaller, { businessTag, asBuyer }: InvoicesBody): ListScope {
  if (isStaff(caller.person)) {
    if (businessTag === undefined) return 'all';
    return asBuyer === true ? { buyerTag: businessTag } : { businessTag };
  }
  // What others sell to a client is not theirs to see.
  if (asBuyer === true) throw new AppError('NOT_YOUR_BUSINESS');
  requireOwnBusiness(caller, businessTag);
  return { businessId: ownBusinessId(caller) };
}

/** The result of saving an invoice. `faceValue` in minor units. */
export interface SavedInvoice {
  readonly tag: string;
  readonly version: number;
  readonly faceValue: number;
}

/**
 * Saves the invoice form: without a tag as a new draft, otherwise as the caller's draft. An identical save changes
 * nothing, not even the version. The invoice belongs to the caller's business; the calling service must have checked
 * the form's business ({@link requireOwnBusiness}). Throws NOT_FOUND, NOT_EDITABLE, STALE_VERSION; BUYER_IS_SELLER,
 * UNKNOWN_REFERENCE; INVOICE_NUMBER_TAKEN.
 */
export function saveInvoice(work: Changing, form: InvoiceForm): Promise<SavedInvoice> {
  return form.tag === undefined ? createInvoice(work, form) : changeInvoice(work, form, form.tag);
}

async function createInvoice(work: Changing, form: InvoiceForm): Promise<SavedInvoice> {
  const { change, caller } = work;
  const businessId = ownBusinessId(caller);
  const terms = formTerms(form);
  requireReferences(await selectKnown(change, terms), businessId, terms);
  const tag = randomUUID();
  insertInvoice(change, {
    ...columnsOf(terms),
    tag,
    business_id: businessId,
    listed_on: kampalaDate(caller.now),
    created_at: caller.now,
    created_by: caller.person.id,
  });
  recordEvent(work, 'invoice.created', ['invoice', tag], { after: terms });
  return { tag, version: 1, faceValue: terms.faceValue };
}

async function changeInvoice(work: Changing, form: InvoiceForm, tag: string): Promise<SavedInvoice> {
  const [invoice, known] = await together(lockDraft(work, tag), selectKnown(work.change, form));
  requireVersion(form.version, invoice.version);
  const before = storedTerms(invoice);
  const after = formTerms(form, before);
  const saved = { tag: invoice.tag, faceValue: after.faceValue };
  if (isDeepStrictEqual(before, after)) return { ...saved, version: invoice.version };
  requireReferences(known, invoice.businessId, after, before);
  const version = invoice.version + 1;
  updateDraft(work.change, invoice.id, { ...changedColumns(before, after), version });
  recordEvent(work, 'invoice.changed', ['invoice', invoice.tag], { before, after });
  return { ...saved, version };
}

/** How much a buyer will really pay of an invoice, and how much they withhold. */
export interface Expectation extends ExpectedCash {
  readonly buyer: string;
  /** Whether we know anything about how this buyer pays this invoice. */
  readonly isKnown: boolean;
}

/** How much the invoice's buyer will pay, as far as we know (docs/decisions/0043-buyer-terms.md). */
export async function findExpectation(connection: Connection, invoice: InvoiceRecord): Promise<Expectation> {
  const isPaidOut = invoice.status === 'Disbursed' || invoice.status === 'Settled';
  const [buyer, rates, creditNotes] = await together(
    selectBuyerTerms(connection, invoice.buyerId),
    selectTaxRates(connection),
    isPaidOut ? sumCreditNotes(connection, invoice.id) : 0,
  );
  const isKnown = invoice.paymentDueOn !== null || invoice.vat !== null || buyer.withholdsTax || buyer.withholdsVat;
  return { ...expectedCash(invoice, buyer, rates, creditNotes), buyer: buyer.name, isKnown };
}

/** Deletes a locked draft, after its documents. Throws NOT_EDITABLE. */
export async function removeDraft(work: Changing, invoice: InvoiceRecord): Promise<void> {
  if (!(await deleteDraft(work.change, invoice.id))) throw new AppError('NOT_EDITABLE');
  recordEvent(work, 'invoice.deleted', ['invoice', invoice.tag], {
    before: { ...storedTerms(invoice), application: invoice.application },
  });
}

/** An invoice's terms. Amounts in minor units. */
export interface Terms {
  readonly invoiceNumber: string;
  readonly invoiceDate: string;
  readonly currencyId: number;
  readonly buyerId: number;
  readonly faceValue: number;
  readonly paymentDueOn: string | null;
  readonly vat: number | null;
}

/** The terms in the form; absent terms of the buyer keep their stored values. */
export function formTerms(
  { invoiceNumber, date, currencyId, buyerId, amount, paymentDueOn, vat }: InvoiceForm,
  before?: Pick<Terms, 'paymentDueOn' | 'vat'>,
): Terms {
  const kept = before ?? { paymentDueOn: null, vat: null };
  return {
    invoiceNumber,
    invoiceDate: date,
    currencyId,
    buyerId,
    faceValue: amount,
    paymentDueOn: paymentDueOn === undefined ? kept.paymentDueOn : paymentDueOn,
    vat: vat === undefined ? kept.vat : vat,
  };
}

function storedTerms({ invoiceNumber, invoiceDate, currencyId, buyerId, ...record }: InvoiceRecord): Terms {
  const { faceValue, paymentDueOn, vat } = record;
  return { invoiceNumber, invoiceDate, currencyId, buyerId, faceValue, paymentDueOn, vat };
}

/** Only the changed columns, because PostgreSQL recomputes and rechecks everything that depends on a written column. */
function changedColumns(before: Terms, after: Terms): Partial<ReturnType<typeof columnsOf>> {
  const stored = columnsOf(before);
  const isChanged = ([column, value]: [string, unknown]) => value !== stored[column as keyof typeof stored];
  return Object.fromEntries(Object.entries(columnsOf(after)).filter(isChanged));
}

/** The terms as database columns. */
export function columnsOf(terms: Terms) {
  return {
    invoice_number: terms.invoiceNumber,
    invoice_number_key: invoiceNumberKey(terms.invoiceNumber),
    invoice_date: terms.invoiceDate,
    currency_id: terms.currencyId,
    buyer_id: terms.buyerId,
    face_value: minorToNumeric(terms.faceValue),
    payment_due_on: terms.paymentDueOn,
    vat: terms.vat === null ? null : minorToNumeric(terms.vat),
  };
}

/** Buyer and currency must be active, unless they are already stored. */
function requireReferences(known: Known, businessId: number, terms: Terms, before?: Terms): void {
  if (terms.buyerId === businessId) throw fieldError('BUYER_IS_SELLER', 'invoice.buyerId');
  const message = failures.UNKNOWN_REFERENCE.msg;
  const fields = {
    ...(known.buyer || terms.buyerId === before?.buyerId ? {} : { 'invoice.buyerId': message }),
    ...(known.currency ? {} : { 'invoice.currencyId': message }),
  };
  if (Object.keys(fields).length > 0) throw new AppError('UNKNOWN_REFERENCE', { fields });
}

/** Whether the invoice's buyer is still active. */
export async function hasActiveBuyer(connection: Connection, invoice: InvoiceRecord): Promise<boolean> {
  return (await selectKnown(connection, invoice)).buyer;
}

/** Throws NOT_YOUR_BUSINESS for a `businessTag` other than the session's; absent means the caller's own. */
export function requireOwnBusiness(caller: SignedInCaller, tag: string | undefined): void {
  if (tag !== undefined && !isSameTag(tag, caller.person.businessTag)) throw new AppError('NOT_YOUR_BUSINESS');
}

/** The caller's business. A client always has one (a constraint); a person without one owns no invoices. */
function ownBusinessId(caller: SignedInCaller): number {
  if (caller.person.businessId === null) throw new AppError('NOT_FOUND');
  return caller.person.businessId;
}
