import {
  type BuyerLateBody,
  type CollectionBody,
  type CollectionSummary,
  PAST_DATE,
  type RepaymentReply,
} from '#contract/collections/schema.ts';
import { minorToNumeric } from '#contract/money.ts';
import { isStaff } from '#contract/permissions.ts';
import { kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import { accountsIn } from '#server/config/setting-groups.ts';
import type { Connection } from '#server/db/database.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice, lockCase, lockInvoice } from '#server/invoices/invoices.service.ts';
import { selectStandingOf } from '#server/journal/journal.queries.ts';
import type { Context } from '#server/platform/work.ts';
import { presentRepayment, presentSummary } from './collections.presenter.ts';
import { insertCollectionEntry, selectEntries } from './collections.queries.ts';
import { endReminders } from './reminders.service.ts';

/** How an application is paid back: a client's own, or any for staff. Throws NOT_FOUND, also before its submission. */
export async function readRepayment({ platform, caller }: Context, tag: string): Promise<RepaymentReply> {
  const { db, config } = platform;
  const invoice = await findInvoice(db, caller, tag);
  if (invoice.case.submittedAt === null) throw new AppError('NOT_FOUND');
  const [entries, standing] = await Promise.all([selectEntries(db, [invoice.id]), selectStandingOf(db, [invoice.id])]);
  const record = { entries, standing, today: kampalaDate(caller.now) };
  return presentRepayment(invoice, record, {
    isStaff: isStaff(caller.person),
    accounts: accountsIn(config, invoice.currencyCode),
  });
}

/** An advance in a list of the desk. */
interface Listed {
  readonly id: number;
  readonly reference: string;
  readonly daysLate: number;
}

/** The collection records of some advances for officers, by invoice id. */
export async function findSummaries(
  connection: Connection,
  rows: readonly Listed[],
  today: string,
): Promise<ReadonlyMap<number, CollectionSummary>> {
  const ids = rows.map(({ id }) => id);
  const [entries, standing] = await Promise.all([selectEntries(connection, ids), selectStandingOf(connection, ids)]);
  const summaryOf = (row: Listed): CollectionSummary =>
    presentSummary(row, {
      entries: entries.filter((entry) => entry.invoice_id === row.id),
      standing: standing.filter((entry) => entry.invoiceId === row.id),
      today,
    });
  return new Map(rows.map((row) => [row.id, summaryOf(row)]));
}

/**
 * Records a client's statement, up to the due date, that their buyer will pay late. The due date stays. Throws
 * NOT_FOUND; STEP_NOT_ALLOWED unless paid out, ALREADY_DUE; BAD_REQUEST for a date up to the due date.
 */
export function tellBuyerLate(context: Context, tag: string, { date, reason }: BuyerLateBody) {
  return doOnce(context, { name: 'tellBuyerLate', input: { tag, date, reason } }, async (work) => {
    const invoice = await lockInvoice(work, tag);
    const { dueOn } = invoice.case;
    if (invoice.status !== 'Disbursed' || dueOn === null) throw new AppError('STEP_NOT_ALLOWED');
    if (kampalaDate(context.caller.now) > dueOn) throw new AppError('ALREADY_DUE');
    if (date <= dueOn) throw fieldError('BAD_REQUEST', 'date', `Choose a date after ${sayDate(dueOn)}`);
    add(work, invoice, { kind: 'buyerLate', note: reason, day: date });
  });
}

/**
 * Records what an officer did or learned, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS; STEP_NOT_ALLOWED
 * unless paid out; BAD_REQUEST for a past day or more than the outstanding amount; ALREADY_DISPUTED, NOT_DISPUTED.
 */
export function addCollectionEntry(context: Context, tag: string, body: CollectionBody) {
  return doOnce(context, { name: 'addCollectionEntry', input: { tag, body } }, async (work) => {
    const invoice = await lockCase(work, tag);
    if (invoice.status !== 'Disbursed') throw new AppError('STEP_NOT_ALLOWED');
    // We read under the row's lock, so that of two concurrent disputes one is refused.
    const entries = await selectEntries(work.change, [invoice.id]);
    const disputed = entries.find(({ kind }) => kind === 'dispute' || kind === 'disputeEnded')?.kind === 'dispute';
    if (body.kind === 'dispute' && disputed) throw new AppError('ALREADY_DISPUTED');
    if (body.kind === 'disputeEnded' && !disputed) throw new AppError('NOT_DISPUTED');
    refusePast(body, kampalaDate(context.caller.now));
    if (body.kind === 'promise' && body.amount > (invoice.case.outstanding ?? 0))
      throw fieldError('BAD_REQUEST', 'amount', 'Enter what is still owed, or less');
    putOnRecord(work, invoice, body);
    if (body.kind === 'dispute') await endReminders(work.change, invoice);
  });
}

/** Records what an officer did or learned, without further checks. */
export function putOnRecord(work: Changing, invoice: InvoiceRecord, body: CollectionBody) {
  add(work, invoice, columnsOf(body));
}

function refusePast(body: CollectionBody, today: string): void {
  if (body.kind === 'promise' && body.date < today) throw fieldError('BAD_REQUEST', 'date', PAST_DATE);
  if (body.kind !== 'contact' || body.nextOn === undefined) return;
  if (body.nextOn < today) throw fieldError('BAD_REQUEST', 'nextOn', PAST_DATE);
  if (body.nextStep === undefined) throw fieldError('BAD_REQUEST', 'nextStep', 'Say what to do next');
}

type Added = Pick<
  Parameters<typeof insertCollectionEntry>[1],
  'kind' | 'note' | 'day' | 'amount' | 'channel' | 'next_step'
>;

function columnsOf(body: CollectionBody): Added {
  switch (body.kind) {
    case 'contact': {
      const { kind, channel, note, nextStep, nextOn } = body;
      return { kind, channel, note, next_step: nextStep ?? null, day: nextOn ?? null };
    }
    case 'promise':
      return { kind: body.kind, day: body.date, amount: minorToNumeric(body.amount) };
    default:
      return { kind: body.kind, note: body.note };
  }
}

function add(work: Changing, { id, tag }: InvoiceRecord, added: Added): void {
  const { change, caller } = work;
  insertCollectionEntry(change, { ...added, invoice_id: id, at: caller.now, by_person: caller.person.id });
  recordEvent(work, `collection.${added.kind}`, ['invoice', tag], { after: added });
}
