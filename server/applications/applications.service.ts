import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type ApplicationProblem, type ApplicationVerdict, judgeApplication } from '#contract/applications/rules.ts';
import type { ApplicationForm } from '#contract/applications/schema.ts';
import { failures } from '#contract/errors.ts';
import {
  FUTURE_DATE,
  type InvoiceForm,
  isTooOld,
  type SaveBody,
  termsProblems,
  tooOldDate,
} from '#contract/invoices/schema.ts';
import { isSameTag } from '#contract/tags.ts';
import { isAfter, kampalaDate } from '#contract/time/calendar.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, type Operation, recordEvent } from '#server/changes/change.ts';
import type { Config } from '#server/config/config.ts';
import { asSystem } from '#server/db/row-scope.ts';
import { together } from '#server/db/together.ts';
import { deleteDocuments } from '#server/documents/documents.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import {
  findInvoice,
  lockDraft,
  lockInvoice,
  removeDraft,
  requireDraft,
  requireOwnBusiness,
  requireVersion,
  saveInvoice,
} from '#server/invoices/invoices.service.ts';
import type { Context } from '#server/platform/work.ts';
import { selectTenorDays } from '#server/reference/reference.queries.ts';
import type { Saved } from './applications.presenter.ts';
import { type ApplicationTerms, isReferenceTaken, updateApplication } from './applications.queries.ts';

/**
 * Saves the form in the body, an invoice or an application, once per Idempotency-Key. Throws, in this order: FORBIDDEN
 * for another person's `userTag`, NOT_YOUR_BUSINESS for another business's `businessTag`, BAD_REQUEST for a date in the
 * future or an invoice that is too old, and the errors of `saveInvoice` and of the application form's rules.
 */
export function saveForm(context: Context, body: SaveBody): Promise<Saved> {
  const { platform, caller } = context;
  const { userTag, invoice, application } = body;
  if (userTag !== undefined && !isSameTag(userTag, caller.person.tag)) throw new AppError('FORBIDDEN');
  requireOwnBusiness(caller, invoice?.businessTag);
  requirePast(caller, 'invoice.date', invoice?.date);
  requireRecent(platform.config, caller, invoice?.date);
  if (invoice !== undefined) requireTerms(invoice);
  requirePast(caller, 'application.applicationDate', application?.applicationDate);
  return changeOnce(context, saving(body), async (work) => {
    if (application !== undefined) return saveApplication(work, application);
    // The schema lets exactly one of the two through.
    if (invoice === undefined) throw new AppError('BAD_REQUEST');
    const saved = await saveInvoice(work, invoice);
    return { ...saved, invoiceTag: saved.tag };
  });
}

/** Deletes the caller's own draft with its documents, each recorded separately. Throws NOT_FOUND, NOT_EDITABLE. */
export async function deleteInvoice(context: Context, tag: string): Promise<void> {
  await context.platform.db.inTransaction(async (change) => {
    const work = { ...context, change };
    const invoice = await lockDraft(work, tag);
    await deleteDocuments(work, invoice);
    await removeDraft(work, invoice);
  });
}

/** How a repeated save is recognised under its Idempotency-Key. */
export function saving(body: SaveBody): Operation {
  return { name: 'saveInvoice', input: body };
}

function requirePast(caller: SignedInCaller, field: string, date: string | undefined): void {
  if (date !== undefined && isFuture(caller, date)) throw fieldError('BAD_REQUEST', field, FUTURE_DATE);
}

function requireTerms(invoice: InvoiceForm): void {
  const [first] = Object.entries(termsProblems(invoice));
  if (first !== undefined) throw fieldError('BAD_REQUEST', `invoice.${first[0]}`, first[1]);
}

function requireRecent({ invoiceMaximumAgeDays }: Config, { now }: SignedInCaller, date: string | undefined): void {
  if (date !== undefined && isTooOld(date, kampalaDate(now), invoiceMaximumAgeDays))
    throw fieldError('BAD_REQUEST', 'invoice.date', tooOldDate(invoiceMaximumAgeDays));
}

/** Whether a date is later than today in Kampala. */
export function isFuture(caller: Pick<SignedInCaller, 'now'>, date: string): boolean {
  return isAfter(date, kampalaDate(caller.now));
}

/** An identical save changes nothing, not even the version. */
async function saveApplication(work: Changing, form: ApplicationForm): Promise<Saved> {
  const [invoice, tenorDays] = await together(
    lockInvoice(work, form.invoiceTag),
    selectTenorDays(work.change, form.financingPeriodId),
  );
  requireCurrent(invoice, form);
  const verdict = judge(form, invoice, tenorDays);
  if (!verdict.ok) throw refusal(verdict.problems);
  const { tag: invoiceTag, faceValue, application: stored } = invoice;
  const before = stored && storedTerms(stored);
  const after = formTerms(form, verdict);
  if (stored !== null && isDeepStrictEqual(before, after))
    return { tag: stored.tag, version: stored.version, invoiceTag, faceValue };
  const identity = { tag: stored?.tag ?? randomUUID(), version: (stored?.version ?? 0) + 1 };
  updateApplication(work.change, invoice.id, { ...identity, ...after });
  const action = stored === null ? 'application.created' : 'application.changed';
  recordEvent(work, action, ['invoice', invoiceTag], { before: before ?? undefined, after });
  return { ...identity, invoiceTag, faceValue };
}

/** Checks the form's own `tag`, the status and the version: 404 before 409. */
function requireCurrent(invoice: InvoiceRecord, form: ApplicationForm): void {
  if (form.tag !== undefined && !isSameTag(form.tag, invoice.application?.tag ?? null)) throw new AppError('NOT_FOUND');
  requireDraft(invoice);
  requireVersion(form.version, invoice.application?.version);
}

function judge(form: ApplicationForm, invoice: InvoiceRecord, tenorDays: number | undefined): ApplicationVerdict {
  const reference = invoice.application?.reference;
  return judgeApplication(form, { faceValue: invoice.faceValue, tenorDays, reference });
}

/** The failure of the first problem, with the fields of all problems. */
function refusal(problems: readonly ApplicationProblem[]): AppError {
  const code = problems[0]?.code ?? 'BAD_REQUEST';
  const concerned = problems.filter((problem) => problem.code === code);
  const fields = Object.fromEntries(concerned.map(({ field, message }) => [`application.${field}`, message]));
  return new AppError(code, { fields });
}

/** The terms and price of an accepted form. */
export function formTerms(form: ApplicationForm, { tenorDays, quoted }: Extract<ApplicationVerdict, { ok: true }>) {
  return {
    reference: form.reference.toLowerCase(),
    date: form.applicationDate,
    advance: form.amountAppliedFor,
    financingPeriodId: form.financingPeriodId,
    tenorDays,
    feeRateBps: quoted.feeRateBps,
    discountFee: quoted.discountFee,
    netProceeds: quoted.netProceeds,
  } satisfies ApplicationTerms;
}

function storedTerms(application: NonNullable<InvoiceRecord['application']>): ApplicationTerms {
  const { tag: _tag, version: _version, ...terms } = application;
  return terms;
}

/**
 * The errors that a save of this form would report, by field; stores nothing. Throws NOT_FOUND, NOT_EDITABLE and
 * STALE_VERSION like a save.
 */
export async function validateApplication({ platform, caller }: Context, form: ApplicationForm) {
  const invoice = await findInvoice(platform.db, caller, form.invoiceTag);
  requireCurrent(invoice, form);
  const verdict = judge(form, invoice, await selectTenorDays(platform.db, form.financingPeriodId));
  const fields: Record<string, string> = {};
  if (isFuture(caller, form.applicationDate)) fields.applicationDate = FUTURE_DATE;
  for (const { field, message } of verdict.ok ? [] : verdict.problems) fields[field] ??= message;
  if (await asSystem('references', () => isReferenceTaken(platform.db, form.reference, invoice.id)))
    fields.reference ??= failures.REFERENCE_TAKEN.msg;
  return { success: Object.keys(fields).length === 0, fields };
}
