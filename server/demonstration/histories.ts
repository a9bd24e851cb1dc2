import { randomUUID } from 'node:crypto';
import type { StepName } from '#contract/applications/lifecycle.ts';
import { formatAmount, minorToNumeric } from '#contract/money.ts';
import { balanceOf, dueOn, type StandingEntry, settledOn, stepOfEntry } from '#contract/payments/balance.ts';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time/durations.ts';
import { addWorkingTime, type Holidays, workingTimeBetween } from '#contract/time/working-time.ts';
import { acceptKeyFacts } from '#server/applications/key-facts.service.ts';
import { openRequest } from '#server/applications/steps/information-requests.service.ts';
import { type StepDetails, takeStep } from '#server/applications/steps/steps.service.ts';
import { submittedTerms } from '#server/applications/steps/submission.service.ts';
import { type Change, recordEvent } from '#server/db/change.ts';
import { flagDuplicates } from '#server/duplicates/duplicates.service.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { findInvoice, type InvoiceRecord } from '#server/invoices/invoices.service.ts';
import { insertEntry } from '#server/payments/payments.queries.ts';
import type { Platform } from '#server/platform.ts';
import type { DemonstrationInvoice, History } from './invoices.ts';

/** What became of the demonstration's invoices, by the very steps that people take, at the times when they took them. */

const MINOR_PER_UNIT = 100;
const PAID_AFTER_HOURS = 3;

type Receipt = NonNullable<History['receipts']>[number];
type Person = SignedInCaller['person'];

/** Who takes part. */
export interface Cast {
  readonly client: Person;
  readonly officer: Person;
  readonly admin: Person;
}

/** A submission, from whose moment everything else follows. */
export interface Story {
  readonly platform: Platform;
  readonly change: Change;
  readonly holidays: Holidays;
  readonly cast: Cast;
  readonly tag: string;
  readonly submittedAt: Date;
  /** Whether what is approved takes two officers, whatever its history says. */
  readonly needsTwo: boolean;
}

/** The moment before `now` since which so much working time has passed, to the minute. */
export function workingTimeBefore(now: Date, spanMs: number, holidays: Holidays): Date {
  let moment = now.getTime();
  while (workingTimeBetween(new Date(moment), now, holidays) < spanMs) moment -= MINUTE_MS;
  return new Date(moment);
}

/** Submits a draft and takes every step that its history tells of. */
export async function tellHistory(story: Story, { application, history }: DemonstrationInvoice): Promise<void> {
  if (history === undefined || application === undefined) return;
  await submit(story);
  const { status } = history;
  if (status === 'Submitted') return;
  if (status === 'Withdrawn') return step(story, story.cast.client, 0.25, 'withdraw');
  const isApproved = ['Approved', 'Disbursed', 'Settled'].includes(status);
  const twoOfficers = history.twoOfficers ?? (isApproved && story.needsTwo);
  await review(story, history, twoOfficers);
  if (status === 'In Review' || status === 'Info Requested') return;
  const { officer, admin } = story.cast;
  if (history.declined !== undefined) {
    const { reason, note } = history.declined;
    const set = { decline_reason: reason, decline_note: note, ...decidedBy(story, officer, 2) };
    return step(story, officer, 2, 'decline', { set, note, audit: { reason } });
  }
  const second = twoOfficers ? admin : officer;
  await step(story, second, 2, 'approve', { set: decidedBy(story, second, 2) });
  if (status === 'Approved') return;
  await disburse(story);
  for (const receipt of history.receipts ?? []) await receive(story, receipt);
}

/** The moment so many working hours after the submission. */
function after({ submittedAt, holidays }: Story, hours: number): Date {
  return addWorkingTime(submittedAt, hours * HOUR_MS, holidays);
}

function decidedBy(story: Story, person: Person, hours: number) {
  return { decided_at: after(story, hours), decided_by: person.id };
}

/** Somebody at the time when they did something. */
export function callerAt(person: Person, now: Date): SignedInCaller {
  return { person, now, ip: '127.0.0.1', requestId: 'demonstration', idempotencyKey: undefined };
}

async function step(story: Story, person: Person, hours: number, name: StepName, details?: StepDetails): Promise<void> {
  const caller = callerAt(person, hours === 0 ? story.submittedAt : after(story, hours));
  const invoice = await findInvoice(story.change, caller, story.tag);
  await takeStep(story.platform, story.change, caller, invoice, name, details);
}

async function submit(story: Story): Promise<void> {
  const { change, cast, tag, submittedAt } = story;
  const caller = callerAt(cast.client, submittedAt);
  const invoice = await findInvoice(change, caller, tag);
  const application = requireApplication(invoice);
  const keyFacts = acceptKeyFacts(change, caller, { ...invoice, application }, undefined);
  await step(story, cast.client, 0, 'submit', {
    set: { submitted_at: submittedAt, submitted_by: cast.client.id },
    audit: submittedTerms(invoice, application, keyFacts),
  });
  await flagDuplicates(change, invoice, submittedAt);
}

/** Taken and reviewed; asked about, or approved by the first of two officers, where the history says so. */
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
  const documents = await openRequest(change, caller, invoice, { question, typeIds: [id] });
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
  const event = { action: 'case.taken', subjectType: 'invoice', subjectTag: tag } as const;
  recordEvent(change, caller, { ...event, before: { holder: null }, after: { holder: person.tag } });
}

/** Pays the net proceeds out: another officer than the one who may have approved alone. */
async function disburse(story: Story): Promise<void> {
  const now = after(story, PAID_AFTER_HOURS);
  const { netProceeds } = requireApplication(
    await findInvoice(story.change, callerAt(story.cast.officer, now), story.tag),
  );
  await pay(story, now, { kind: 'disbursement', amount: netProceeds, date: kampalaDate(now) });
}

/** The buyer pays, so many days after the disbursement; it is recorded when somebody is at work. */
async function receive(story: Story, { amount, days }: Receipt): Promise<void> {
  const date = addDays(kampalaDate(after(story, PAID_AFTER_HOURS)), days);
  const now = addWorkingTime(new Date(`${date}T09:00:00+03:00`), 0, story.holidays);
  await pay(story, now, { kind: 'receipt', amount: amount * MINOR_PER_UNIT, date });
}

/** Adds an entry to the ledger with the step that it takes (server/payments/payments.service.ts does so for people). */
async function pay(story: Story, now: Date, entry: StandingEntry): Promise<void> {
  const { platform, change, cast, tag } = story;
  const by = entry.kind === 'disbursement' ? cast.admin : cast.officer;
  const caller = callerAt(by, now);
  const invoice = await findInvoice(change, caller, tag);
  const { advance, tenorDays } = requireApplication(invoice);
  const ledger = change.selectFrom('ledger_entries').where('invoice_id', '=', invoice.id);
  const earlier = await ledger.select(['kind', 'amount', 'paid_on as date']).orderBy('id').execute();
  const standing = [...earlier, entry];
  const balance = balanceOf(advance, standing);
  const name = stepOfEntry(entry.kind, invoice.status, balance);
  const isReceipt = entry.kind === 'receipt';
  const entered = {
    kind: entry.kind,
    paid_on: entry.date,
    method: isReceipt ? 'bank' : 'mobileMoney',
    reference: `${isReceipt ? 'BK' : 'MM'}-${entry.date.replaceAll('-', '')}-${invoice.id}`,
    payer: isReceipt ? 'buyer' : null,
  } as const;
  const entryTag = randomUUID();
  insertEntry(change, {
    ...entered,
    tag: entryTag,
    amount: minorToNumeric(entry.amount),
    invoice_id: invoice.id,
    recorded_at: now,
    recorded_by: by.id,
  });
  await takeStep(platform, change, caller, invoice, name, {
    set: {
      due_on: dueOn(tenorDays, standing),
      outstanding: minorToNumeric(balance.outstanding),
      surplus_owed: minorToNumeric(balance.surplusOwed),
      settled_on: settledOn(advance, standing),
      ...(name === 'settle' ? { settled_at: now } : {}),
    },
    note: `${invoice.currencyCode} ${formatAmount(entry.amount)}`,
    audit: { entry: { tag: entryTag, ...entered, amount: entry.amount }, balance },
  });
}

function requireApplication({ application, invoiceNumber }: InvoiceRecord): NonNullable<InvoiceRecord['application']> {
  if (application === null) throw new Error(`nothing was applied for with ${invoiceNumber}`);
  return application;
}
