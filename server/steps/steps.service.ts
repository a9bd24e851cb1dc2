import type { Updateable } from 'kysely';
import { type StepName, statusAfter, statusTraits, steps } from '#contract/applications/lifecycle.ts';
import { moveClock } from '#contract/applications/sla.ts';
import { type Assignment, isAssignee, refusalsToTake } from '#contract/applications/step-rules.ts';
import { isClient } from '#contract/permissions.ts';
import { refusalsBy } from '#contract/refusals/refusal.ts';
import { refuseFirst } from '#server/calls/app-error.ts';
import type { Actor } from '#server/calls/caller.ts';
import { type Changing, recordEvent } from '#server/changes/change.ts';
import { accountsIn } from '#server/config/setting-groups.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { together } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { submissionsOf } from '#server/messages/channels/text-turns.ts';
import { type Batch, openBatch, queueMessages } from '#server/messages/messages.service.ts';
import { selectColleagues } from '#server/people/standing/colleagues.queries.ts';
import { findWitnesses } from '#server/people/standing/colleagues.service.ts';
import type { Work } from '#server/platform/work.ts';
import { newsOf, type StepNews, stepMessage } from './step-messages.ts';
import { insertStep, moveInvoice, selectHolidays } from './steps.queries.ts';

/** The details of a step. */
export interface StepDetails {
  /** Columns of the invoice to set, besides status, clock and assignment. */
  readonly set?: Updateable<Tables['invoices']>;
  /** The timeline's note: the officer's words, or the amount paid. */
  readonly note?: string;
  /** Additional fields for the audit log. */
  readonly audit?: Record<string, unknown>;
  /** The content of the client's message that the invoice does not have. */
  readonly news?: StepNews;
  /** The result of {@link beginTelling}, if the caller has started it already. */
  readonly telling?: Promise<Telling> | Telling;
}

/**
 * Takes a step on a locked invoice; this is the only way to change a status. Moves the SLA clock, assigns an unassigned
 * case to the officer who takes an assignee's step on it, ends the assignment of a decided case, records the step in
 * timeline and audit log, and tells the client if the step table says so, all in the current transaction. Throws
 * CASE_TAKEN for an assignee's step if another officer has the case, STEP_NOT_ALLOWED by the table. The calling service
 * checks any other requirements of a step.
 */
export async function takeStep(
  work: Work<Actor>,
  invoice: InvoiceRecord,
  name: StepName,
  details: StepDetails = {},
): Promise<void> {
  const { change, caller } = work;
  const step = steps[name];
  requireStep(caller, name, invoice);
  // Everything is read before anything is written, so that all writes go with the COMMIT, in whatever order replies
  // arrive.
  const [clock, telling] = await together(
    movedClock(work, invoice, name),
    step.tells !== 'nobody' ? (details.telling ?? beginTelling(work, invoice, name)) : undefined,
  );
  if (step.by === 'assignee' && invoice.case.assigneeId === null) assignCase(work, invoice);
  const to = statusAfter(name, invoice.status);
  const moved = {
    status: to,
    ...clock,
    ...(statusTraits[to].undecided ? {} : { holder_id: null, held_since: null }),
    ...details.set,
  };
  moveInvoice(change, invoice, moved);
  insertStep(change, {
    invoice_id: invoice.id,
    step: name,
    from_status: invoice.status,
    to_status: to,
    at: caller.now,
    by_person: caller.person?.id ?? null,
    note: details.note ?? null,
  });
  recordEvent(work, `application.${name}`, ['invoice', invoice.tag], {
    before: { status: invoice.status },
    after: { status: to, ...(details.note === undefined ? {} : { note: details.note }), ...details.audit },
  });
  if (telling !== undefined) {
    const news = { ...details.news, ...clockNews(moved) };
    await notifyClient(work, { invoice, name, news, telling });
  }
}

/** Assigns a locked, unassigned case to the caller. */
export function assignCase(work: Changing<Actor>, { id, tag }: InvoiceRecord): void {
  const { change, caller } = work;
  if (caller.person === null) return;
  moveInvoice(change, { id }, { holder_id: caller.person.id, held_since: caller.now });
  recordEvent(work, 'case.taken', ['invoice', tag], {
    before: { holder: null },
    after: { holder: caller.person.tag },
  });
}

function assignmentOf({ person }: Actor, { status, case: { assigneeId } }: InvoiceRecord): Assignment {
  return { status, assigneeId, me: person?.id ?? null };
}

/** Throws what {@link takeStep} would throw, before something is written for the step. */
export function requireStep(caller: Actor, name: StepName, invoice: InvoiceRecord): void {
  refuseFirst(refusalsToTake(name, assignmentOf(caller, invoice)));
}

/** Throws unless the caller is the assignee: CASE_NOT_TAKEN if there is none, CASE_TAKEN if it is another officer. */
export function requireAssignee(caller: Actor, invoice: InvoiceRecord): void {
  refuseFirst(refusalsBy([isAssignee], assignmentOf(caller, invoice)));
}

async function movedClock(
  { platform, change, caller }: Work<Actor>,
  { case: { clock, targetMs } }: InvoiceRecord,
  name: StepName,
): Promise<Updateable<Tables['invoices']>> {
  const step = steps[name];
  if (!('clock' in step)) return {};
  const target = step.clock === 'starts' ? platform.config.decisionTargetMs : (targetMs ?? 0);
  const moved = moveClock(clock, step.clock, {
    now: caller.now,
    targetMs: target,
    holidays: await selectHolidays(change),
  });
  return {
    decision_target_ms: target,
    clock_runs_since: moved.runsSince,
    clock_used_ms: moved.usedMs,
    decide_by: moved.decideBy,
  };
}

function clockNews({ decide_by: decideBy }: Updateable<Tables['invoices']>): StepNews {
  return decideBy instanceof Date ? { decideBy } : {};
}

/** The data needed to tell a client about a step. */
export interface Telling {
  readonly readers: readonly string[];
  readonly batch: Batch;
}

/**
 * Starts the reads for telling the client about a step, so that they go with the reads that decide the step. If a
 * client's own step is not taken after this, the transaction must be rolled back, because waiting texts have already
 * been replaced.
 */
export function beginTelling(work: Work<Actor>, invoice: InvoiceRecord, name: StepName): Promise<Telling> {
  const { platform, change, caller } = work;
  const me = caller.person?.id;
  const isOwn = name === 'submit' && me !== undefined;
  const about = [newsOf(invoice), ...(isOwn ? [submissionsOf(me, invoice.businessId)] : [])];
  // Texts about a client's own steps are limited per hour; officers' decisions are sent at once.
  const causedBy = steps[name].by === 'client' ? me : undefined;
  const telling = together(findReaders(work, invoice, name), openBatch(platform, change, { about, causedBy })).then(
    ([readers, batch]) => ({ readers, batch }),
  );
  telling.catch(() => undefined); // a refusal of the step may be thrown before anyone awaits this
  return telling;
}

async function notifyClient(
  { platform, change, caller }: Work<Actor>,
  { invoice, name, news, telling: { readers, batch } }: StepNotification,
): Promise<void> {
  const { support } = platform.config;
  const accounts = accountsIn(platform.config, invoice.currencyCode);
  const situation = { ...news, now: caller.now, by: caller.person, support, accounts };
  const messages = readers.map((username) => stepMessage(name, username, invoice, situation));
  await queueMessages(platform, change, batch, messages);
}

/** A step to tell the client about. */
interface StepNotification {
  readonly invoice: InvoiceRecord;
  readonly name: StepName;
  readonly news: StepNews;
  readonly telling: Telling;
}

/**
 * The recipients of a step's message: everyone in the client's business ({@link findWitnesses}) if the step table says
 * so, or else {@link selectAddressees}. For a submission, the submitter is the caller.
 */
async function findReaders(
  { platform, change, caller }: Work<Actor>,
  { businessId, case: { submittedBy } }: InvoiceRecord,
  name: StepName,
): Promise<string[]> {
  if (steps[name].tells !== 'everybody')
    return selectAddressees(change, { businessId, submittedBy: submittedBy ?? caller.person?.id ?? null });
  const witnesses = await findWitnesses(platform, change, businessId, caller.now);
  return witnesses.map(({ username }) => username);
}

/** The client of an application, and the person who submitted it. */
interface Submitted {
  readonly businessId: number;
  readonly submittedBy: number | null;
}

/**
 * The usernames to tell: the submitter while they act for the client, or else everyone who does. A person who was
 * deactivated or moved to another business is not told.
 */
export async function selectAddressees(
  connection: Connection,
  { businessId, submittedBy }: Submitted,
): Promise<string[]> {
  const acting = (await selectColleagues(connection, businessId)).filter(isClient);
  const submitter = acting.filter(({ id }) => id === submittedBy);
  return (submitter.length > 0 ? submitter : acting).map(({ username }) => username);
}
