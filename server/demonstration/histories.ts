import { randomUUID } from 'node:crypto';
import type { StepName } from '#contract/applications/lifecycle.ts';
import { quote } from '#contract/applications/quote.ts';
import { MINOR_PER_UNIT, minorToNumeric } from '#contract/money.ts';
import { offerValidUntil } from '#contract/offers/offer.ts';
import { balanceOf } from '#contract/payments/balance.ts';
import type { Payment } from '#contract/payments/payment.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time/durations.ts';
import { addWorkingTime, type Holidays, workingTimeBetween } from '#contract/time/working-time.ts';
import { submittedTerms } from '#server/applications/steps/submission.service.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { flagDuplicates } from '#server/flags/duplicates.service.ts';
import { openRequest } from '#server/information-requests/information-requests.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findExpectation, findInvoice } from '#server/invoices/invoices.service.ts';
import { currentFacts, recordAcceptance } from '#server/key-facts/key-facts.service.ts';
import { agreeTo, extend, findDebt, placeExtension } from '#server/offers/extensions.service.ts';
import { placeOffer } from '#server/offers/offers.service.ts';
import { openAccount } from '#server/payments/entries.service.ts';
import { recordPayment } from '#server/payments/payments.service.ts';
import { placeProposal, selectOpenProposal } from '#server/payments/proposals/proposals.queries.ts';
import { writeOff } from '#server/payments/proposals/write-offs.service.ts';
import { insertPayout } from '#server/payout-accounts/payout-holds.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import { type StepDetails, takeStep } from '#server/steps/steps.service.ts';
import type { DemonstrationInvoice, History } from './invoices.ts';
import type { SeededAccount } from './payout-accounts.ts';

/** The histories of the demonstration's invoices: the same steps that people take, with their times. */

const PREPARED_AFTER_HOURS = 2.5;
const PAID_AFTER_HOURS = 3;

type Receipt = NonNullable<History['receipts']>[number];
type Person = SignedInCaller['person'];

/** The people involved. */
export interface Cast {
  readonly client: Person;
  readonly officer: Person;
  readonly admin: Person;
}

/** A submission. All other times are relative to it. */
export interface Story {
  readonly platform: Platform;
  readonly change: Change;
  readonly holidays: Holidays;
  readonly cast: Cast;
  /** The account for the client's payouts. */
  readonly payee: SeededAccount;
  readonly tag: string;
  readonly submittedAt: Date;
  /** Whether its approval needs two officers, whatever its history says. */
  readonly needsTwo: boolean;
}

/** The latest moment, to the minute, since which this much working time has passed until `now`. */
export function workingTimeBefore(now: Date, spanMs: number, holidays: Holidays): Date {
  let moment = now.getTime();
  while (workingTimeBetween(new Date(moment), now, holidays) < spanMs) moment -= MINUTE_MS;
  return new Date(moment);
}

/** Submits a draft and takes every step of its history. */
export async function playHistory(story: Story, { application, history }: DemonstrationInvoice): Promise<void> {
  if (history === undefined || application === undefined) return;
  await submit(story);
  const { status } = history;
  if (status === 'Submitted') return;
  if (status === 'Withdrawn') return step(story, story.cast.client, 0.25, 'withdraw');
  const isApproved = ['Approved', 'Cancelled', 'Lapsed', 'Disbursed', 'Settled'].includes(status);
  const twoOfficers = history.twoOfficers ?? (isApproved && story.needsTwo);
  await review(story, history, twoOfficers);
  if (status === 'In Review' || status === 'Info Requested') return;
  if (history.offered !== undefined) return offer(story, history.offered);
  const { officer, admin } = story.cast;
  if (history.declined !== undefined) {
    const { reason, note } = history.declined;
    const set = { decline_reason: reason, decline_note: note, ...decidedBy(story, officer, 2) };
    return step(story, officer, 2, 'decline', { set, note, audit: { reason } });
  }
  const second = twoOfficers ? admin : officer;
  await step(story, second, 2, 'approve', { set: decidedBy(story, second, 2) });
  if (history.isPrepared) await prepare(story);
  if (status === 'Approved') return;
  if (status === 'Cancelled') return step(story, officer, 3, 'cancelApproval', { note: TAKEN_BACK });
  if (status === 'Lapsed') return lapse(story);
  await disburse(story);
  if (history.extended !== undefined) await extendTerm(story, history.extended);
  if (history.writtenOff !== undefined) await giveUp(story, history.writtenOff);
  for (const receipt of history.receipts ?? []) await receive(story, receipt);
}

const TAKEN_BACK = 'The buyer says that the goods were sent back. Apply again once that is settled.';

/** Offers other terms than those applied for. The client hasn't answered yet. */
async function offer(story: Story, { reason, ...offered }: NonNullable<History['offered']>): Promise<void> {
  const { platform, change, cast, tag, needsTwo } = story;
  const caller = callerAt(cast.officer, after(story, 1.5));
  const { tenorDays } = offered;
  const period = change.selectFrom('financing_periods').select('id').where('days', '=', tenorDays);
  const { id: financingPeriodId } = await period.executeTakeFirstOrThrow();
  const invoice = await findInvoice(change, caller, tag);
  const advance = offered.advance * MINOR_PER_UNIT;
  const quoted = quote({ faceValue: invoice.faceValue, advance, tenorDays });
  const terms = { advance, financingPeriodId, tenorDays, ...quoted };
  await placeOffer({ platform, change, caller }, invoice, { terms, needsTwo, reason });
}

/** Lapses the approval on the morning after its last day. No person does it. */
async function lapse(story: Story): Promise<void> {
  const { platform, change, cast, tag } = story;
  const day = addDays(offerValidUntil(after(story, 2), platform.config.offerValidDays), 1);
  const caller = callerAt(cast.officer, new Date(`${day}T00:15:00+03:00`));
  const invoice = await findInvoice(change, caller, tag);
  await takeStep({ platform, change, caller: { ...caller, person: null } }, invoice, 'lapse');
}

/** The moment some working hours after the submission. */
function after({ submittedAt, holidays }: Story, hours: number): Date {
  return addWorkingTime(submittedAt, hours * HOUR_MS, holidays);
}

function decidedBy(story: Story, person: Person, hours: number) {
  return { decided_at: after(story, hours), decided_by: person.id };
}

/** A caller at the time of a step. */
export function callerAt(person: Person, now: Date): SignedInCaller {
  return { person, now, ip: '127.0.0.1', requestId: 'demonstration', idempotencyKey: undefined };
}

async function step(story: Story, person: Person, hours: number, name: StepName, details?: StepDetails): Promise<void> {
  const caller = callerAt(person, hours === 0 ? story.submittedAt : after(story, hours));
  const invoice = await findInvoice(story.change, caller, story.tag);
  await takeStep({ platform: story.platform, change: story.change, caller }, invoice, name, details);
}

async function submit(story: Story): Promise<void> {
  const { change, cast, tag, submittedAt } = story;
  const { lateChargeBps } = story.platform.config.repayment;
  const caller = callerAt(cast.client, submittedAt);
  const invoice = await findInvoice(change, caller, tag);
  const application = requireApplication(invoice);
  const basis = {
    expectation: await findExpectation(change, invoice),
    holidays: story.holidays,
    paidTo: story.payee.label,
  };
  const shown = currentFacts(story.platform, { ...invoice, application }, basis, submittedAt);
  const keyFacts = recordAcceptance({ change, caller }, invoice, shown);
  await step(story, cast.client, 0, 'submit', {
    set: { submitted_at: submittedAt, submitted_by: cast.client.id, late_charge_bps: lateChargeBps },
    audit: submittedTerms(invoice, application, keyFacts, lateChargeBps),
  });
  await flagDuplicates(change, invoice, submittedAt);
}

/** Assigns and reviews the case. Depending on the history, asks a question, or gives the first of two approvals. */
async function review(story: Story, { asked, status }: History, twoOfficers: boolean): Promise<void> {
  const { officer, admin } = story.cast;
  await take(story, officer, 0.5);
  await step(story, officer, 0.75, 'startReview');
  if (asked !== undefined) await ask(story, asked);
  if (!twoOfficers) return;
  const first = { first_approved_by: officer.id, first_approved_at: after(story, 1.5) };
  await step(story, officer, 1.5, 'approveFirst', { set: { ...first, holder_id: null, held_since: null } });
  if (status !== 'In Review') await take(story, admin, 1.75);
}

async function ask(story: Story, { question, document }: NonNullable<History['asked']>): Promise<void> {
  const { change, cast, tag } = story;
  const caller = callerAt(cast.officer, after(story, 1));
  const types = change.selectFrom('document_types').select('id').where('name', '=', document);
  const { id } = await types.executeTakeFirstOrThrow();
  const invoice = await findInvoice(change, caller, tag);
  const documents = await openRequest({ change, caller }, invoice, { question, typeIds: [id] });
  await step(story, cast.officer, 1, 'requestInformation', { note: question, audit: { documents } });
}

async function take(story: Story, person: Person, hours: number): Promise<void> {
  const { change, tag } = story;
  const caller = callerAt(person, after(story, hours));
  const invoice = await findInvoice(change, caller, tag);
  await change
    .updateTable('invoices')
    .set({ holder_id: person.id, held_since: caller.now })
    .where('id', '=', invoice.id)
    .execute();
  const held = { before: { holder: null }, after: { holder: person.tag } };
  recordEvent({ change, caller }, 'case.taken', ['invoice', tag], held);
}

/** Prepares the payout as the officer. Returns its tag and amount. */
async function prepare(story: Story): Promise<{ readonly tag: string; readonly amount: number }> {
  const { change, cast, payee, tag: invoiceTag } = story;
  const caller = callerAt(cast.officer, after(story, PREPARED_AFTER_HOURS));
  const invoice = await findInvoice(change, caller, invoiceTag);
  const amount = payoutAmount(requireApplication(invoice).netProceeds, invoice.currencyCode);
  const [tag, reference] = [randomUUID(), randomUUID()];
  insertPayout(change, {
    tag,
    reference,
    invoice_id: invoice.id,
    kind: 'disbursement',
    account_id: payee.id,
    amount: minorToNumeric(amount),
    prepared_at: caller.now,
    prepared_by: cast.officer.id,
  });
  recordPayout(story, caller, 'prepared', { payout: tag, kind: 'disbursement', amount, account: payee.tag, reference });
  return { tag, amount };
}

function recordPayout({ change, tag }: Story, caller: SignedInCaller, what: string, after: object): void {
  recordEvent({ change, caller }, `payout.${what}`, ['invoice', tag], { after });
}

/** Pays out the net proceeds: the officer prepares, the administrator releases. */
async function disburse(story: Story): Promise<void> {
  const { change, cast, payee } = story;
  const payout = await prepare(story);
  const caller = callerAt(cast.admin, after(story, PAID_AFTER_HOURS));
  const date = kampalaDate(caller.now);
  const sent = { kind: 'disbursement', amount: payout.amount, method: 'mtn', to: payee.label, date } as const;
  const entry = await pay(story, caller.now, cast.admin, sent);
  const released = { released_at: caller.now, released_by: cast.admin.id, entry_tag: entry };
  await change.updateTable('payouts').set(released).where('tag', '=', payout.tag).execute();
  recordPayout(story, caller, 'released', { payout: payout.tag, entry });
}

/**
 * Offers more time as the officer. If the history continues, the administrator agrees and the client accepts within a
 * morning.
 */
async function extendTerm(
  story: Story,
  { tenorDays, reason, days, isOffered }: NonNullable<History['extended']>,
): Promise<void> {
  const { platform, change, cast, tag } = story;
  const period = change.selectFrom('financing_periods').select('id').where('days', '=', tenorDays);
  const { id: financingPeriodId } = await period.executeTakeFirstOrThrow();
  const openTo = async (person: Person, hours: number) => {
    const caller = callerAt(person, onDay(story, days, hours));
    const invoice = await findInvoice(change, caller, tag);
    return { caller, invoice, open: (await findDebt({ platform, caller }, change, invoice)).open };
  };
  const offered = await openTo(cast.officer, 0);
  const body = { financingPeriodId, reason };
  await placeExtension({ platform, change, caller: offered.caller }, offered.invoice, { body, tenorDays });
  if (isOffered) return;
  for (const [person, hours, take] of [
    [cast.admin, 0.5, agreeTo],
    [cast.client, 1, extend],
  ] as const) {
    const { caller, invoice, open } = await openTo(person, hours);
    if (open === undefined) throw new Error(`nothing was offered for ${invoice.invoiceNumber}`);
    await take({ platform, change, caller }, invoice, open);
  }
}

/** Proposes a write-off as the officer. If the history continues, the administrator confirms it. */
async function giveUp(story: Story, { reason, days, isProposed }: NonNullable<History['writtenOff']>): Promise<void> {
  const { change, cast, tag } = story;
  const proposer = callerAt(cast.officer, onDay(story, days, 0));
  const account = await openAccount({ change, caller: proposer }, tag);
  const { outstanding } = balanceOf(account.application.advance, account.standing);
  placeProposal({ change, caller: proposer }, account.invoice, { kind: 'writeOff', amount: outstanding, reason });
  if (isProposed) return;
  const proposal = await selectOpenProposal(change, account.invoice.id);
  if (proposal === undefined) throw new Error(`nothing was proposed for ${account.invoice.invoiceNumber}`);
  writeOff({ change, caller: callerAt(cast.admin, onDay(story, days, 1)) }, account, proposal);
}

/** The morning of a day after the disbursement, or some working hours later. */
function onDay(story: Story, days: number, hours: number): Date {
  const date = addDays(kampalaDate(after(story, PAID_AFTER_HOURS)), days);
  return addWorkingTime(new Date(`${date}T09:00:00+03:00`), hours * HOUR_MS, story.holidays);
}

/** Records the buyer's payment some days after the disbursement, during working hours. */
async function receive(story: Story, { amount, days }: Receipt): Promise<void> {
  const date = addDays(kampalaDate(after(story, PAID_AFTER_HOURS)), days);
  const now = onDay(story, days, 0);
  const receipt = { kind: 'receipt', amount: amount * MINOR_PER_UNIT, method: 'bank', payer: 'buyer', date } as const;
  await pay(story, now, story.cast.officer, receipt);
}

type Unreferenced = Payment extends infer One ? (One extends Payment ? Omit<One, 'reference'> : never) : never;

/** Records a payment as people do. Returns its tag. */
async function pay({ platform, change, tag }: Story, now: Date, by: Person, given: Unreferenced): Promise<string> {
  const caller = callerAt(by, now);
  const account = await openAccount({ change, caller }, tag);
  const { invoice } = account;
  const reference = `${given.method === 'bank' ? 'BK' : 'MM'}-${given.date.replaceAll('-', '')}-${invoice.id}`;
  const recorded = await recordPayment({ platform, change, caller }, account, { ...given, reference });
  return recorded.tag;
}

function requireApplication({ application, invoiceNumber }: InvoiceRecord): NonNullable<InvoiceRecord['application']> {
  if (application === null) throw new Error(`nothing was applied for with ${invoiceNumber}`);
  return application;
}
