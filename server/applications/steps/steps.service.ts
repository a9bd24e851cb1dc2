import type { Updateable } from 'kysely';
import { type StepName, statusTraits, stepAllowed, steps } from '#contract/applications/lifecycle.ts';
import { moveClock } from '#contract/applications/sla.ts';
import { isClient } from '#contract/permissions.ts';
import { type Change, recordEvent } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { AppError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import { findColleagues, findWitnesses } from '#server/people/standing/colleagues.service.ts';
import type { Platform } from '#server/platform.ts';
import { type StepNews, stepMessage } from './step-messages.ts';
import { insertStep, moveInvoice, selectHolidays } from './steps.queries.ts';

export { slaMissedMessage } from './step-messages.ts';

/** What goes with a step. */
export interface StepDetails {
  /** Columns of the invoice that the step sets beside status, clock and hold. */
  readonly set?: Updateable<Tables['invoices']>;
  /** What the timeline keeps of it: what the officer wrote, or how much was paid. */
  readonly note?: string;
  /** What the audit keeps of it. */
  readonly audit?: Record<string, unknown>;
  /** What the client's message says of it beyond the invoice. */
  readonly news?: StepNews;
}

/**
 * Takes a step on an invoice whose row is locked: the one way in which a status changes. Moves the clock of the promise,
 * gives up the hold on what is decided, keeps the step in timeline and audit, and tells the client where the table says
 * so; all in the transaction at hand. Throws STEP_NOT_ALLOWED where the state does not allow it; where the step is the
 * holder's, CASE_NOT_TAKEN where nobody has the case and CASE_TAKEN where another officer has. What the step needs
 * beyond that is the calling service's.
 */
export async function takeStep(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  name: StepName,
  details: StepDetails = {},
): Promise<void> {
  const step = steps[name];
  requireStep(name, invoice);
  if (step.by === 'assignee') requireAssignee(caller, invoice);
  const moved = {
    status: step.to,
    ...(await movedClock(platform, change, caller, invoice, name)),
    ...(statusTraits[step.to].undecided ? {} : { holder_id: null, held_since: null }),
    ...details.set,
  };
  moveInvoice(change, invoice, moved);
  insertStep(change, {
    invoice_id: invoice.id,
    step: name,
    from_status: invoice.status,
    to_status: step.to,
    at: caller.now,
    by_person: caller.person.id,
    note: details.note ?? null,
  });
  recordEvent(change, caller, {
    action: `application.${name}`,
    subjectType: 'invoice',
    subjectTag: invoice.tag,
    before: { status: invoice.status },
    after: { status: step.to, ...(details.note === undefined ? {} : { note: details.note }), ...details.audit },
  });
  if (step.tellsClient)
    await tellClient(platform, change, caller, invoice, name, { ...details.news, ...clockNews(moved) });
}

/** Throws STEP_NOT_ALLOWED unless the table allows the step in the invoice's state. */
export function requireStep(name: StepName, invoice: InvoiceRecord): void {
  if (!stepAllowed(name, invoice.status)) throw new AppError('STEP_NOT_ALLOWED');
}

/** Throws unless the caller has the case: CASE_NOT_TAKEN where nobody has, CASE_TAKEN where another officer has. */
export function requireAssignee({ person }: SignedInCaller, { case: { assigneeId } }: InvoiceRecord): void {
  if (assigneeId === null) throw new AppError('CASE_NOT_TAKEN');
  if (assigneeId !== person.id) throw new AppError('CASE_TAKEN');
}

async function movedClock(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
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

/**
 * Everybody who belongs to the client's business ({@link findWitnesses}) where the table says so, else whom {@link selectAddressees} names. At
 * submission it is the caller who submits it.
 */
async function tellClient(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  name: StepName,
  news: StepNews,
): Promise<void> {
  const { businessId } = invoice;
  const submittedBy = invoice.case.submittedBy ?? caller.person.id;
  const usernames =
    'tellsEverybody' in steps[name]
      ? (await findWitnesses(platform, change, businessId, caller.now)).map(({ username }) => username)
      : await selectAddressees(change, { businessId, submittedBy });
  const situation = { ...news, now: caller.now, by: caller.person, support: platform.config.support };
  // What a client does is held to so many texts an hour; what officers decide is told at once.
  const cause = steps[name].by === 'client' ? { causedBy: caller.person.id } : {};
  for (const username of usernames)
    await queueMessage(platform, change, { ...stepMessage(name, username, invoice, situation), ...cause });
}

/** Of which client an application is, and who submitted it. */
interface Submitted {
  readonly businessId: number;
  readonly submittedBy: number | null;
}

/**
 * The usernames of those who are told what becomes of an application: whoever submitted it while they act for its client,
 * else everybody who does. Who was deactivated, or acts for another business, is told nothing of this one's.
 */
export async function selectAddressees(
  connection: Connection,
  { businessId, submittedBy }: Submitted,
): Promise<string[]> {
  const acting = (await findColleagues(connection, businessId)).filter(isClient);
  const submitter = acting.filter(({ id }) => id === submittedBy);
  return (submitter.length > 0 ? submitter : acting).map(({ username }) => username);
}
