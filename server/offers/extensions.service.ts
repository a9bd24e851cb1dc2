import type { EarningSpan } from '#contract/journal/earning.ts';
import { formatAmount, minorToNumeric } from '#contract/money.ts';
import { type Extension, extensionOf } from '#contract/offers/extension.ts';
import {
  decideAgreement,
  decideExtension,
  decideWithdrawal,
  type ExtendableDebt,
  isKnownToClient,
  refusalsToAskExtension,
  refusalsToOfferExtension,
  shownToClient,
  shownToOfficer,
} from '#contract/offers/extension-steps.ts';
import type { AcceptOfferBody, ExtensionBody, ExtensionReply } from '#contract/offers/schema.ts';
import { paidOutOn, type StandingEntry } from '#contract/payments/balance.ts';
import { isStaff } from '#contract/permissions.ts';
import { daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import { AppError, orRefuse, refuseFirst } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import { endReminders } from '#server/collections/reminders.service.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice, lockCase, lockInvoice } from '#server/invoices/invoices.service.ts';
import { type StandingRow, selectStanding } from '#server/journal/journal.queries.ts';
import { postEntry, type TellingEntry } from '#server/journal/journal.service.ts';
import { lockNewUntil } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { selectTenorDays } from '#server/reference/reference.queries.ts';
import { canonicalDigest } from '#server/secrets/canonical-digest.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { takeStep } from '#server/steps/steps.service.ts';
import { type ExtensionRow, insertExtension, selectExtensions, updateExtension } from './extensions.queries.ts';
import { type ExtensionKeyFacts, presentExtension } from './offers.presenter.ts';

/**
 * More time to pay back (docs/decisions/0046-paying-back.md): a client asks or an officer offers, another officer
 * agrees, and the client accepts the key facts. Everything here happens once per Idempotency-Key.
 */

/** An open extension, with its price and key facts if it were accepted today. */
type PricedExtension = ExtensionRow & { readonly price: Extension; readonly keyFacts: ExtensionKeyFacts };

/** The facts about an application and its extensions on which every action is decided. */
export async function findDebt(
  { platform, caller: { person, now } }: Context,
  connection: Connection,
  invoice: InvoiceRecord,
): Promise<ExtendableDebt<PricedExtension>> {
  const { config } = platform;
  const { rows, holidays, standing } = await gather({
    rows: selectExtensions(connection, invoice.id),
    holidays: selectHolidays(connection),
    standing: selectStanding(connection, invoice.tag),
  });
  const open = rows.find(({ closedAt }) => closedAt === null);
  const today = kampalaDate(now);
  const priceOpen = (row: ExtensionRow): PricedExtension => {
    const { outstanding, dueOn } = invoice.case;
    // Neither is null once paid out, by the constraint invoices_disbursed_whole.
    const owed = { outstanding: outstanding ?? 0, dueOn: dueOn ?? today };
    const price = extensionOf(owed, row.tenorDays, { today, holidays });
    return { ...row, price, keyFacts: presentExtension(platform, invoice, { extension: price, standing }) };
  };
  return {
    now,
    me: person.id,
    status: invoice.status,
    outstanding: invoice.case.outstanding,
    accepted: rows.filter(({ version }) => version !== null).length,
    maximum: config.extensionsMaximum,
    open: open && priceOpen(open),
    validDays: config.offerValidDays,
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
  const open = (await selectExtensions(change, invoice.id)).find(({ closedAt }) => closedAt === null);
  if (open === undefined || (reversed === 'receipt' && open.offeredBy === null)) return false;
  updateExtension(change, open.id, { closed_at: caller.now, closed_by: caller.person.id });
  recordEvent(work, 'extension.ended', ['invoice', invoice.tag], { after: { reversed } });
  return open.agreedAt !== null;
}

/**
 * The state of an application's extension, and what the caller may do about it. Clients do not see an offer until the
 * officers have agreed on it. Throws NOT_FOUND.
 */
export async function readExtension(context: Context, tag: string): Promise<ExtensionReply> {
  const { platform, caller } = context;
  const invoice = await findInvoice(platform.db, caller, tag);
  const debt = await findDebt(context, platform.db, invoice);
  const staff = isStaff(caller.person);
  const shown = staff ? shownToOfficer(debt) : shownToClient(debt);
  const open = shown.state === 'agreed' || (staff && shown.state !== 'none') ? debt.open : undefined;
  return { ...shown, reason: open?.reason ?? null, offer: open?.keyFacts ?? null };
}

/** Records a client's request, by `refusalsToAskExtension`. Throws NOT_FOUND. */
export function askExtension(context: Context, tag: string, body: ExtensionBody) {
  return doOnce(context, { name: 'askExtension', input: [tag, body] }, async (work) => {
    const { change, caller } = work;
    const invoice = await lockInvoice(work, tag);
    const { debt, offered } = await gather({
      debt: findDebt(work, change, invoice),
      offered: findTenor(change, body),
    });
    refuseFirst(refusalsToAskExtension({ ...debt, offered }));
    const terms = termsOf(body, offered);
    insertExtension(change, { invoice_id: invoice.id, ...terms, asked_at: caller.now, asked_by: caller.person.id });
    await takeStep(work, invoice, 'askExtension', { note: `${offered.tenorDays} days. ${body.reason}` });
  });
}

/** A period's tenor; 0, which is never offered, if there is no such period. */
async function findTenor(connection: Connection, { financingPeriodId }: ExtensionBody) {
  return { tenorDays: (await selectTenorDays(connection, financingPeriodId)) ?? 0 };
}

function termsOf({ financingPeriodId, reason }: ExtensionBody, { tenorDays }: Pick<ExtensionRow, 'tenorDays'>) {
  return { financing_period_id: financingPeriodId, tenor_days: tenorDays, reason };
}

/** Records an officer's offer, by `refusalsToOfferExtension`. Throws NOT_FOUND, OWN_BUSINESS. */
export function offerExtension(context: Context, tag: string, body: ExtensionBody) {
  return doOnce(context, { name: 'offerExtension', input: [tag, body] }, async (work) => {
    const invoice = await lockCase(work, tag);
    const { debt, ...facts } = await gather({
      debt: findDebt(work, work.change, invoice),
      newUntil: lockNewUntil(work),
      offered: findTenor(work.change, body),
    });
    refuseFirst(refusalsToOfferExtension({ ...debt, ...facts }));
    await placeExtension(work, invoice, { body, ...facts.offered, open: debt.open });
  });
}

interface Offered {
  readonly body: ExtensionBody;
  readonly tenorDays: number;
  /** The client's request, if there is one. */
  readonly open?: ExtensionRow | undefined;
}

/** Makes an offer on a locked and checked application. */
export async function placeExtension(work: Work, invoice: InvoiceRecord, { body, tenorDays, open }: Offered) {
  const { change, caller } = work;
  const offered = { ...termsOf(body, { tenorDays }), offered_at: caller.now, offered_by: caller.person.id };
  if (open === undefined) insertExtension(change, { invoice_id: invoice.id, ...offered });
  else updateExtension(change, open.id, offered);
  await takeStep(work, invoice, 'offerExtension', { note: `${tenorDays} days. ${body.reason}` });
}

/**
 * Records a second officer's agreement to the key facts that they read, by `decideAgreement`; then the client may
 * accept. Throws NOT_FOUND, OWN_BUSINESS.
 */
export function agreeExtension(context: Context, tag: string, { keyFactsVersion: seen }: AcceptOfferBody) {
  return doOnce(context, { name: 'agreeExtension', input: [tag, seen] }, async (work) => {
    const invoice = await lockCase(work, tag);
    const { debt, newUntil } = await gather({
      debt: findDebt(work, work.change, invoice),
      newUntil: lockNewUntil(work),
    });
    const keyFacts = { seen, today: debt.open?.keyFacts.version };
    await agreeTo(work, invoice, orRefuse(decideAgreement({ ...debt, newUntil, keyFacts })));
  });
}

/** Agrees to an offer on a locked and checked application. */
export async function agreeTo(work: Work, invoice: InvoiceRecord, { id, price }: PricedExtension): Promise<void> {
  const { change, caller } = work;
  updateExtension(change, id, { agreed_at: caller.now, agreed_by: caller.person.id });
  const { fee, toPayBack, dueOn } = price;
  await takeStep(work, invoice, 'agreeExtension', {
    news: { amount: fee, outstanding: toPayBack, dueOn },
  });
}

/**
 * Refuses a request or withdraws an offer, by `decideWithdrawal`, and tells the client if they know of it. Throws
 * NOT_FOUND, OWN_BUSINESS.
 */
export function withdrawExtension(context: Context, tag: string) {
  return doOnce(context, { name: 'withdrawExtension', input: tag }, async (work) => {
    const invoice = await lockCase(work, tag);
    const open = orRefuse(decideWithdrawal(await findDebt(work, work.change, invoice)));
    updateExtension(work.change, open.id, { closed_at: context.caller.now, closed_by: context.caller.person.id });
    await takeStep(work, invoice, isKnownToClient(open) ? 'withdrawExtension' : 'dropExtension');
  });
}

/** Records the client's acceptance, by `decideExtension`: the fee is owed, and the due date moves. Throws NOT_FOUND. */
export function acceptExtension(context: Context, tag: string, { keyFactsVersion: seen }: AcceptOfferBody) {
  return doOnce(context, { name: 'acceptExtension', input: [tag, seen] }, async (work) => {
    const invoice = await lockInvoice(work, tag);
    const debt = await findDebt(work, work.change, invoice);
    const keyFacts = { seen, today: debt.open?.keyFacts.version };
    await extend(work, invoice, orRefuse(decideExtension({ ...debt, keyFacts })));
  });
}

/** Extends a locked and checked application by its agreed offer. */
export async function extend(work: Work, invoice: InvoiceRecord, { id, price, keyFacts }: PricedExtension) {
  const { change, caller } = work;
  const { fee, toPayBack, dueOn, tenorDays } = price;
  const { version, facts } = keyFacts;
  const standing = await selectStanding(change, invoice.tag);
  const entry = fee === 0 ? undefined : post(work, invoice, { fee, standing });
  updateExtension(change, id, {
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
