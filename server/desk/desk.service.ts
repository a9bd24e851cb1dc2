import type { CollectionSummary } from '#contract/collections/schema.ts';
import { actionsOn } from '#contract/desk/case-actions.ts';
import {
  type CaseReply,
  type DeskCounts,
  type DeskFigures,
  jobOf,
  type Officer,
  type QueueBody,
  type QueueRow,
} from '#contract/desk/schema.ts';
import { WEEKS_SHOWN } from '#contract/figures/schema.ts';
import { refusalsOfNextPayout } from '#contract/payouts/officers.ts';
import { daysBetween, kampalaDate, midnightOf } from '#contract/time/calendar.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import { addWorkingTime } from '#contract/time/working-time.ts';
import { findCaseFacts } from '#server/approvals/case-facts.service.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import { findSummaries } from '#server/collections/collections.service.ts';
import { selectAllOfficers } from '#server/desk/assignments/assignments.queries.ts';
import { findKept, findKeptByWeek } from '#server/desk/sla/sla-kept.queries.ts';
import { weeksUpTo } from '#server/figures/periods.ts';
import { findCircumstances } from '#server/flags/circumstances.service.ts';
import { findFlags, findStage } from '#server/flags/flags.service.ts';
import { findRequests } from '#server/information-requests/information-requests.service.ts';
import { selectTaxRates } from '#server/invoices/invoices.queries.ts';
import { findExpectation, findInvoice } from '#server/invoices/invoices.service.ts';
import { findRests } from '#server/journal/journal.service.ts';
import { limitOf } from '#server/limits/limits.service.ts';
import { findRecorders } from '#server/payments/recorders.service.ts';
import { findUnderWay } from '#server/payout-accounts/payout-choices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { selectSteps } from '#server/steps/progress.queries.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { findApprovalVoided, findHistory, selectCase, selectContacts } from './case.queries.ts';
import { type ClockBasis, contactsOf, presentCase, presentFigures, presentQueuePage } from './desk.presenter.ts';
import { selectPending } from './pending.queries.ts';
import { findQueueCounts, findQueuePage, type QueueMoment, type QueuePageRow } from './queue.queries.ts';

/** Reads for the desk: queues, SLA figures, and everything that an officer needs to decide a case. */

/** 'Due within the hour' means an hour of working time. */
const SOON_MS = HOUR_MS;

async function clockBasis({ platform: { db, config }, caller: { now } }: Context): Promise<ClockBasis> {
  return { now, holidays: await selectHolidays(db), targetMs: config.decisionTargetMs };
}

function momentOf({ person, now }: SignedInCaller, { holidays }: ClockBasis): QueueMoment {
  const today = kampalaDate(now);
  const soon = addWorkingTime(now, SOON_MS, holidays);
  return { personId: person.id, now, soon, today, monthBegan: midnightOf(`${today.slice(0, 8)}01`) };
}

/** A page of a queue. */
export async function readQueue(context: Context, body: QueueBody): Promise<QueueRow[]> {
  const { platform, caller } = context;
  const basis = await clockBasis(context);
  const moment = momentOf(caller, basis);
  const [found, rates] = await Promise.all([findQueuePage(platform.db, body, moment), selectTaxRates(platform.db)]);
  const restOf = await findRests(
    platform.db,
    found.map((row) => ({ ...row, netProceeds: row.net_proceeds })),
  );
  const rows = found.map((row) => ({ ...row, surplusOwed: row.surplus_owed, restOwed: restOf(row.id) }));
  const [collections, pending, circumstancesOf] = await Promise.all([
    collectionsOf(platform, body, rows, moment.today),
    body.view === 'secondOfficer'
      ? selectPending(
          platform.db,
          rows.map(({ id }) => id),
        )
      : undefined,
    findCircumstances(platform, platform.db, rows, caller.now),
  ]);
  return presentQueuePage(rows, basis, { rates, collections, pending, circumstancesOf });
}

/** The collection records of the advances in a list of the collecting job. */
async function collectionsOf(
  { db }: Platform,
  { view }: QueueBody,
  rows: readonly QueuePageRow[],
  today: string,
): Promise<ReadonlyMap<number, CollectionSummary>> {
  if (jobOf(view) !== 'collect' || rows.length === 0) return new Map();
  const listed = rows.map(({ id, due_on: dueOn, repayment_reference: reference }) => ({
    id,
    reference,
    daysLate: daysBetween(dueOn ?? today, today),
  }));
  return findSummaries(db, listed, today);
}

/** The number of cases in each view, and how well the SLA was kept this month. */
export async function readCounts(context: Context): Promise<DeskCounts> {
  const { platform, caller } = context;
  const moment = momentOf(caller, await clockBasis(context));
  const [counts, kept] = await Promise.all([
    findQueueCounts(platform.db, moment),
    findKept(platform.db, moment.monthBegan, moment.now),
  ]);
  return { ...counts, decidedThisMonth: kept.decided, decidedInTimeThisMonth: kept.inTime };
}

/** How well the SLA was kept, this month and by week. */
export async function readFigures({ platform, caller: { now } }: Context): Promise<DeskFigures> {
  const today = kampalaDate(now);
  const weeks = weeksUpTo(today, WEEKS_SHOWN);
  const [thisMonth, byWeek] = await Promise.all([
    findKept(platform.db, midnightOf(`${today.slice(0, 8)}01`), now),
    findKeptByWeek(platform.db, midnightOf(weeks[0] ?? today), now),
  ]);
  return presentFigures(platform.config.decisionTargetMs, thisMonth, byWeek, weeks);
}

/** The officers, by name. */
export async function listOfficers({ platform }: Context): Promise<Officer[]> {
  return (await selectAllOfficers(platform.db)).map(({ tag, name }) => ({ tag, name }));
}

/** Everything that an officer needs to decide a case. Throws NOT_FOUND, also for a draft. */
export async function readCase(context: Context, tag: string): Promise<CaseReply> {
  const { platform, caller } = context;
  const { db } = platform;
  const invoice = await findInvoice(db, caller, tag);
  if (invoice.status === 'Draft' || invoice.application === null) throw new AppError('NOT_FOUND');
  const stage = await findStage(db, invoice);
  const [
    basis,
    row,
    { expectedCash },
    history,
    exposure,
    flags,
    facts,
    recorders,
    isVoided,
    underWay,
    steps,
    requests,
    contacts,
  ] = await Promise.all([
    clockBasis(context),
    selectCase(db, invoice.id),
    findExpectation(db, invoice),
    findHistory(db, invoice, kampalaDate(caller.now)),
    limitOf(platform, db, invoice.businessId, invoice.currencyId),
    findFlags(platform, db, invoice, stage, caller.now),
    findCaseFacts(context, db, { invoice }),
    findRecorders(db, caller, invoice),
    findApprovalVoided(db, invoice.id),
    invoice.status === 'Approved' ? findUnderWay(db, invoice) : undefined,
    selectSteps(db, invoice.id),
    findRequests(db, invoice.id),
    selectContacts(db, invoice),
  ]);
  return presentCase(row, basis, {
    application: invoice.application,
    steps,
    requests,
    contacts: contactsOf(invoice, contacts),
    restOwed: stage.restOwed,
    expectedCash,
    paymentDueOn: invoice.paymentDueOn,
    facts,
    actions: actionsOn({ ...facts, underWay, isAdministrator: caller.person.perms.includes('KADMIN') }),
    payout: refusalsOfNextPayout(facts, stage, recorders),
    isVoided,
    history,
    exposure,
    flags,
  });
}
