import { offeredTenors } from '#contract/applications/quote.ts';
import type { EarningSpan } from '#contract/journal/earning.ts';
import { formatAmount, minorToNumeric } from '#contract/money.ts';
import { type Extension, extensionOf } from '#contract/offers/extension.ts';
import { hasLapsed } from '#contract/offers/offer.ts';
import type { AcceptOfferBody, ExtensionBody, ExtensionReply } from '#contract/offers/schema.ts';
import { paidOutOn, type StandingEntry } from '#contract/payments/balance.ts';
import { isStaff } from '#contract/permissions.ts';
import { daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import { endReminders } from '#server/collections/reminders.service.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice, lockCase, lockInvoice } from '#server/invoices/invoices.service.ts';
import { type StandingRow, selectStanding } from '#server/journal/journal.queries.ts';
import { postEntry, type TellingEntry } from '#server/journal/journal.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { selectTenorDays } from '#server/reference/reference.queries.ts';
import { canonicalDigest } from '#server/secrets/canonical-digest.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { requireStep, takeStep } from '#server/steps/steps.service.ts';
import { type ExtensionRow, insertExtension, selectExtensions, updateExtension } from './extensions.queries.ts';
import { presentExtension } from './offers.presenter.ts';

/**
 * More time to pay back (docs/decisions/0046-paying-back.md): a client asks or an officer offers, another officer
 * agrees, and the client accepts the key facts. Everything here happens once per Idempotency-Key.
 */

/** The accepted extensions, and the open one. */
interface Found {
  readonly accepted: number;
  readonly open: ExtensionRow | undefined;
}

/** The accepted extensions of an application, and the open one. */
export async function findExtensions(connection: Connection, { id }: InvoiceRecord): Promise<Found> {
  const rows = await selectExtensions(connection, id);
  return {
    accepted: rows.filter(({ version }) => version !== null).length,
    open: rows.find(({ closedAt }) => closedAt === null),
  };
}

/** The accepted extensions, oldest first. */
export async function findAccepted(connection: Connection, { id }: Pick<InvoiceRecord, 'id'>) {
  const rows = await selectExtensions(connection, id);
  return rows.flatMap(({ closedAt, tenorDays, dueOn, fee }) =>
    closedAt === null || dueOn === null || fee === null
      ? []
      : [{ acceptedAt: closedAt, acceptedOn: kampalaDate(closedAt), tenorDays, dueOn, fee }],
  );
}

/**
 * The periods in which the fees of an application's extensions are earned: from the day of the entry to the due date of
 * the extension. A fee charged after its due date is earned at once.
 */
export async function findExtensionSpans(
  connection: Connection,
  invoice: Pick<InvoiceRecord, 'id'>,
  standing: readonly StandingEntry[],
): Promise<EarningSpan[]> {
  const accepted = await findAccepted(connection, invoice);
  return standing
    .filter(({ kind }) => kind === 'extension')
    .flatMap(({ date: from, amount: fee }) => {
      const dueOn = accepted.findLast(({ acceptedOn }) => acceptedOn <= from)?.dueOn ?? from;
      return dueOn > from ? [{ from, days: daysBetween(from, dueOn), fee }] : [];
    });
}

/**
 * Ends the open extension of a locked application whose payout or receipt is reversed, because officers agreed when
 * less was outstanding. A client's request stays if the payout does. Returns whether the client had been told of an
 * offer.
 */
export async function endExtension(
  work: Changing,
  invoice: InvoiceRecord,
  reversed: 'disbursement' | 'receipt',
): Promise<boolean> {
  const { change, caller } = work;
  const { open } = await findExtensions(change, invoice);
  if (open === undefined || (reversed === 'receipt' && open.offeredBy === null)) return false;
  updateExtension(change, open.id, { closed_at: caller.now, closed_by: caller.person.id });
  recordEvent(work, 'extension.ended', ['invoice', invoice.tag], { after: { reversed } });
  return open.agreedAt !== null;
}

/** Whether there is a debt to extend. A written off amount is no longer outstanding. */
function isExtendable({ status, case: { outstanding } }: InvoiceRecord): boolean {
  return status === 'Disbursed' && (outstanding ?? 0) > 0;
}

/** Returns the extensions. Throws STEP_NOT_ALLOWED unless something is owed. */
async function requireExtendable(change: Change, invoice: InvoiceRecord): Promise<Found> {
  if (!isExtendable(invoice)) throw new AppError('STEP_NOT_ALLOWED');
  return findExtensions(change, invoice);
}

async function requireTenor(connection: Connection, { financingPeriodId }: ExtensionBody): Promise<number> {
  const tenorDays = await selectTenorDays(connection, financingPeriodId);
  if (tenorDays === undefined || !offeredTenors.includes(tenorDays))
    throw fieldError('TENOR_NOT_OFFERED', 'financingPeriodId');
  return tenorDays;
}

/** The terms of an extension, if it were agreed today, of a paid out application. */
async function priceToday(
  connection: Connection,
  { case: { outstanding, dueOn } }: InvoiceRecord,
  { tenorDays }: Pick<ExtensionRow, 'tenorDays'>,
  now: Date,
): Promise<Extension> {
  const today = kampalaDate(now);
  // Neither is null once paid out, by the constraint invoices_disbursed_whole.
  const owed = { outstanding: outstanding ?? 0, dueOn: dueOn ?? today };
  return extensionOf(owed, tenorDays, { today, holidays: await selectHolidays(connection) });
}

/**
 * The state of an application's request for more time. Clients do not see what only officers have said. Throws
 * NOT_FOUND.
 */
export async function readExtension({ platform, caller }: Context, tag: string): Promise<ExtensionReply> {
  const { db, config } = platform;
  const invoice = await findInvoice(db, caller, tag);
  const { open, accepted } = await findExtensions(db, invoice);
  const extendable = isExtendable(invoice);
  const staff = isStaff(caller.person);
  // The client sees an offer that they did not ask for only once officers agree on it.
  const isUnasked = open?.askedBy === null && open.agreedAt === null;
  const mayAsk = extendable && open === undefined && accepted < config.extensionsMaximum;
  if (open === undefined || !extendable) return { state: 'none', mayAsk, ownOffer: false, reason: null, offer: null };
  // A client no longer sees a lapsed offer, but an officer may still withdraw it.
  if (!staff && (isUnasked || isOver(platform, open, caller.now)))
    return { state: 'none', mayAsk: false, ownOffer: false, reason: null, offer: null };
  const stage = open.agreedAt === null ? (open.offeredBy === null ? 'asked' : 'offered') : 'agreed';
  const isShown = stage === 'agreed' || staff;
  return {
    // An offer that waits for a second officer is not binding yet.
    state: stage === 'offered' && !staff ? 'asked' : stage,
    mayAsk,
    ownOffer: staff && open.offeredBy === caller.person.id,
    reason: isShown ? open.reason : null,
    offer: isShown ? presentExtension(platform, invoice, await priceToday(db, invoice, open, caller.now)) : null,
  };
}

/**
 * Whether an agreed offer has lapsed. It lapses after as many days as an approval, because months later the officers
 * might not agree any more.
 */
function isOver({ config }: Platform, { agreedAt }: ExtensionRow, now: Date): boolean {
  return agreedAt !== null && hasLapsed(agreedAt, config.offerValidDays, now);
}

/** Throws EXTENSION_USED if no more extensions are allowed. */
function requireLeft({ config }: Platform, { accepted }: Found): void {
  if (accepted >= config.extensionsMaximum) throw new AppError('EXTENSION_USED');
}

/** Records a client's request. Throws NOT_FOUND, STEP_NOT_ALLOWED, EXTENSION_USED, EXTENSION_OPEN; TENOR_NOT_OFFERED. */
export function askExtension(context: Context, tag: string, body: ExtensionBody) {
  const { platform, caller } = context;
  return doOnce(context, { name: 'askExtension', input: [tag, body] }, async (work) => {
    const { change } = work;
    const invoice = await lockInvoice(work, tag);
    requireStep('askExtension', invoice);
    const found = await requireExtendable(change, invoice);
    requireLeft(platform, found);
    if (found.open !== undefined) throw new AppError('EXTENSION_OPEN');
    const tenorDays = await requireTenor(change, body);
    const { financingPeriodId, reason } = body;
    const terms = { financing_period_id: financingPeriodId, tenor_days: tenorDays, reason };
    insertExtension(change, { invoice_id: invoice.id, ...terms, asked_at: caller.now, asked_by: caller.person.id });
    await takeStep(work, invoice, 'askExtension', { note: `${tenorDays} days. ${reason}` });
  });
}

/**
 * Records an officer's offer, with or without a request. Throws NOT_FOUND, OWN_BUSINESS, STEP_NOT_ALLOWED, NEW_OFFICER,
 * EXTENSION_USED, EXTENSION_OPEN; TENOR_NOT_OFFERED.
 */
export function offerExtension(context: Context, tag: string, body: ExtensionBody) {
  return doOnce(context, { name: 'offerExtension', input: [tag, body] }, async (work) => {
    const invoice = await lockCase(work, tag);
    requireStep('offerExtension', invoice);
    const [found] = await together(requireExtendable(work.change, invoice), requireStanding(work));
    requireLeft(context.platform, found);
    if (found.open !== undefined && found.open.offeredBy !== null) throw new AppError('EXTENSION_OPEN');
    const tenorDays = await requireTenor(work.change, body);
    await placeExtension(work, invoice, { body, tenorDays, open: found.open });
  });
}

interface Offered {
  readonly body: ExtensionBody;
  readonly tenorDays: number;
  /** The client's request, if there is one. */
  readonly open?: ExtensionRow | undefined;
}

/** Makes an offer on a locked and checked application. */
export async function placeExtension(
  work: Work,
  invoice: InvoiceRecord,
  { body: { financingPeriodId, reason }, tenorDays, open }: Offered,
): Promise<void> {
  const { change, caller } = work;
  const terms = { financing_period_id: financingPeriodId, tenor_days: tenorDays, reason };
  const offered = { ...terms, offered_at: caller.now, offered_by: caller.person.id };
  if (open === undefined) insertExtension(change, { invoice_id: invoice.id, ...offered });
  else updateExtension(change, open.id, offered);
  await takeStep(work, invoice, 'offerExtension', { note: `${tenorDays} days. ${reason}` });
}

/**
 * Records a second officer's agreement to the key facts that they read; then the client may accept. Throws NOT_FOUND,
 * OWN_BUSINESS, STEP_NOT_ALLOWED, NEW_OFFICER, EXTENSION_CLOSED, OWN_EXTENSION; OFFER_CHANGED if the key facts differ,
 * for example because of a newer offer.
 */
export function agreeExtension(context: Context, tag: string, { keyFactsVersion }: AcceptOfferBody) {
  return doOnce(context, { name: 'agreeExtension', input: [tag, keyFactsVersion] }, async (work) => {
    const invoice = await lockCase(work, tag);
    requireStep('agreeExtension', invoice);
    const [{ open }] = await together(requireExtendable(work.change, invoice), requireStanding(work));
    if (open === undefined || open.offeredBy === null || open.agreedAt !== null) throw new AppError('EXTENSION_CLOSED');
    if (open.offeredBy === context.caller.person.id) throw new AppError('OWN_EXTENSION');
    await agreeTo(work, invoice, { open, seen: keyFactsVersion });
  });
}

interface Read {
  readonly open: ExtensionRow;
  /** The version of the key facts that the officer read; undefined if they did not need to. */
  readonly seen?: string;
}

/** Agrees to an offer on a locked and checked application. Throws OFFER_CHANGED. */
export async function agreeTo(work: Work, invoice: InvoiceRecord, { open, seen }: Read): Promise<void> {
  const { platform, change, caller } = work;
  const extension = await priceToday(change, invoice, open, caller.now);
  if (seen !== undefined && presentExtension(platform, invoice, extension).version !== seen)
    throw new AppError('OFFER_CHANGED');
  updateExtension(change, open.id, { agreed_at: caller.now, agreed_by: caller.person.id });
  const { fee, toPayBack, dueOn } = extension;
  await takeStep(work, invoice, 'agreeExtension', {
    news: { amount: fee, outstanding: toPayBack, dueOn },
  });
}

/**
 * Refuses a request or withdraws an offer, and tells the client if they know of it. Throws NOT_FOUND, OWN_BUSINESS,
 * STEP_NOT_ALLOWED, EXTENSION_CLOSED.
 */
export function withdrawExtension(context: Context, tag: string) {
  return doOnce(context, { name: 'withdrawExtension', input: tag }, async (work) => {
    const invoice = await lockCase(work, tag);
    requireStep('withdrawExtension', invoice);
    const { open } = await findExtensions(work.change, invoice);
    if (open === undefined) throw new AppError('EXTENSION_CLOSED');
    updateExtension(work.change, open.id, { closed_at: context.caller.now, closed_by: context.caller.person.id });
    const isHeardOf = open.askedBy !== null || open.agreedAt !== null;
    await takeStep(work, invoice, isHeardOf ? 'withdrawExtension' : 'dropExtension');
  });
}

/**
 * Records the client's acceptance: the fee is owed, and the due date moves. Throws NOT_FOUND, STEP_NOT_ALLOWED,
 * EXTENSION_CLOSED, OFFER_CHANGED if the key facts differ from today's.
 */
export function acceptExtension(context: Context, tag: string, { keyFactsVersion }: AcceptOfferBody) {
  return doOnce(context, { name: 'acceptExtension', input: [tag, keyFactsVersion] }, async (work) => {
    const invoice = await lockInvoice(work, tag);
    requireStep('acceptExtension', invoice);
    const { open } = await requireExtendable(work.change, invoice);
    if (open === undefined || open.agreedAt === null || isOver(context.platform, open, context.caller.now))
      throw new AppError('EXTENSION_CLOSED');
    await extend(work, invoice, { open, seen: keyFactsVersion });
  });
}

/** Extends a locked and checked application by its agreed offer. Throws OFFER_CHANGED. */
export async function extend(work: Work, invoice: InvoiceRecord, { open, seen }: Read): Promise<void> {
  const { platform, change, caller } = work;
  const extension = await priceToday(change, invoice, open, caller.now);
  const { fee, toPayBack, dueOn, tenorDays } = extension;
  const { version, facts } = presentExtension(platform, invoice, extension);
  if (seen !== undefined && version !== seen) throw new AppError('OFFER_CHANGED');
  const standing = await selectStanding(change, invoice.tag);
  const entry = fee === 0 ? undefined : post(work, invoice, { fee, standing });
  updateExtension(change, open.id, {
    closed_at: caller.now,
    closed_by: caller.person.id,
    version,
    facts: JSON.stringify(facts),
    fee: minorToNumeric(fee),
    due_on: dueOn,
  });
  await endReminders(change, invoice);
  await takeStep(work, invoice, 'acceptExtension', {
    // Once the due date has moved, the day of the payout can no longer be derived from it.
    set: { due_on: dueOn, outstanding: minorToNumeric(toPayBack), paid_out_on: paidOutOn(standing) },
    note: `${tenorDays} days, ${invoice.currencyCode} ${formatAmount(fee)}`,
    audit: {
      ...(entry === undefined ? {} : { entry }),
      tenorDays,
      dueOn,
      keyFacts: { version, sha256: canonicalDigest(facts) },
    },
    news: { amount: fee, outstanding: toPayBack, dueOn },
  });
}

/** Posts the fee, which is owed on top of the advance and earned day by day. */
function post(
  work: Changing,
  invoice: InvoiceRecord,
  { fee, standing }: { readonly fee: number; readonly standing: readonly StandingRow[] },
): TellingEntry {
  const { application } = invoice;
  if (application === null) throw new AppError('STEP_NOT_ALLOWED');
  const entry = { kind: 'extension', amount: fee, date: kampalaDate(work.caller.now) } as const;
  return postEntry(work, { invoice, application, standing }, entry);
}
