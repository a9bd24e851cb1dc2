import { type RawBuilder, sql } from 'kysely';
import { undecidedStatuses } from '#contract/applications/lifecycle.ts';
import type { DeskCounts, QueueMark, QueueView } from '#contract/desk/schema.ts';
import { type OverdueBucket, overdueBucketNames, overdueBuckets } from '#contract/payments/buckets.ts';
import { readRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { COUNTED_ROWS } from '#contract/product.ts';
import { searchWords } from '#contract/text/search.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { Connection } from '#server/db/database.ts';
import { hasWords } from '#server/db/search-words.ts';
import { acknowledgedFacts, openDuplicateCount } from '#server/flags/flags.queries.ts';
import { isDueThisWeek, isOwed, isPastDue } from '#server/invoices/due.ts';
import { isOfficer } from '#server/sessions/officers.ts';
import { selectCaseRows } from './case-rows.queries.ts';
import { isPending } from './pending.queries.ts';

/** Who reads the queues, and when. */
export interface QueueMoment {
  readonly personId: number;
  readonly now: Date;
  /** Cases are 'due soon' if they are due by this time. */
  readonly soon: Date;
  /** Today in Kampala (YYYY-MM-DD). */
  readonly today: string;
  /** The start of the month in Kampala. */
  readonly monthBegan: Date;
}

/** A page of a queue; `page` counts from 1. */
export interface QueuePage {
  readonly view: QueueView;
  readonly searchPhrase: string;
  readonly page: number;
  readonly size: number;
}

/** Statuses are literals, so that a generic plan can use the partial indexes. */
const undecided = sql<boolean>`invoices.status in (${sql.join(undecidedStatuses.map((status) => sql.lit(status)))})`;
const settled = sql<boolean>`invoices.status = 'Settled'`;
const withSurplus = sql<boolean>`invoices.surplus_owed > 0`;

/**
 * A first approval waits for the second one as long as the person who gave it is an officer
 * (contract/desk/case-facts.ts).
 */
const firstApproved = sql<boolean>`first_approved_by in (select persons.id from persons where ${isOfficer('persons')})`;

/** Each order matches an index. A paused clock has no deadline and comes last. */
const byTimeLeft = sql`invoices.decide_by, invoices.id`;
const byDecision = sql`invoices.decided_at, invoices.id`;
const byNewestDecision = sql`invoices.decided_at desc, invoices.id desc`;
const bySettlement = sql`invoices.settled_at, invoices.id`;
const byNewestSettlement = sql`invoices.settled_at desc, invoices.id desc`;
const byDueDate = sql`invoices.due_on, invoices.id`;
/** No index has this order, because few cases wait for another officer. */
const byTimeLeftThenDueDate = sql`case when ${undecided} then invoices.decide_by end, invoices.due_on, invoices.id`;

/** Each part uses its own indexes. */
const waitsForSecond = sql<boolean>`invoices.id in (
  select invoices.id from invoices where ${undecided} and ${firstApproved}
  union all select invoices.id from invoices where ${isPending})`;

interface ViewRule {
  readonly holds: RawBuilder<boolean>;
  readonly order: RawBuilder<unknown>;
}

/** The rows of each view, and their order. */
function ruleOf(view: QueueView, moment: QueueMoment): ViewRule {
  const { personId, now, soon, today, monthBegan } = moment;
  const waiting = (condition: RawBuilder<boolean>): ViewRule => ({
    holds: sql<boolean>`${undecided} and ${condition}`,
    order: byTimeLeft,
  });
  switch (view) {
    case 'undecided':
      return { holds: undecided, order: byTimeLeft };
    case 'mine':
      return waiting(sql<boolean>`invoices.holder_id = ${personId}`);
    case 'unassigned':
      return waiting(sql<boolean>`invoices.holder_id is null`);
    case 'dueSoon':
      return waiting(sql<boolean>`invoices.decide_by >= ${now} and invoices.decide_by <= ${soon}`);
    case 'late':
      return waiting(sql<boolean>`invoices.decide_by < ${now}`);
    case 'secondOfficer':
      return { holds: waitsForSecond, order: byTimeLeftThenDueDate };
    case 'toDisburse':
      return { holds: sql<boolean>`invoices.status = 'Approved'`, order: byDecision };
    case 'surplusOwed':
      return { holds: withSurplus, order: bySettlement };
    case 'disbursed':
      return { holds: isOwed, order: byDueDate };
    case 'overdue':
      return { holds: sql<boolean>`${isOwed} and ${isPastDue(today)}`, order: byDueDate };
    case 'days1To7':
    case 'days8To30':
    case 'days31To60':
    case 'days61To90':
    case 'daysOver90':
      return { holds: sql<boolean>`${isOwed} and ${isInBucket(view, today)}`, order: byDueDate };
    case 'dueThisWeek':
      return { holds: sql<boolean>`${isOwed} and ${isDueThisWeek(today)}`, order: byDueDate };
    case 'decidedThisMonth':
      return { holds: sql<boolean>`invoices.decided_at >= ${monthBegan}`, order: byNewestDecision };
    case 'settledThisMonth':
      return { holds: sql<boolean>`${settled} and invoices.settled_at >= ${monthBegan}`, order: byNewestSettlement };
  }
}

/** Whether an advance's due date falls in the days of a bucket. */
function isInBucket(bucket: OverdueBucket, today: string): RawBuilder<boolean> {
  const { from, to } = overdueBuckets[bucket];
  const until = sql<boolean>`due_on <= ${addDays(today, -from)}`;
  return to === null ? until : sql<boolean>`due_on >= ${addDays(today, -to)} and ${until}`;
}

/**
 * The mark for an officer's attention, from the last step: submitted and unassigned, or answered by the client with no
 * action since.
 */
const mark = sql<QueueMark | null>`(
  select case when step = 'submit' and invoices.holder_id is null then 'new' when step = 'answerRequest' then 'answered' end
  from application_steps where invoice_id = invoices.id order by id desc limit 1)`;

/** A page of a queue in one statement; every row carries the total, up to {@link COUNTED_ROWS}. */
export function selectQueuePage(connection: Connection, { page, size, ...which }: QueuePage, moment: QueueMoment) {
  const { holds, order } = ruleOf(which.view, moment);
  const listed = connection.selectFrom('invoices').select('invoices.id').where(holds).where(matches(connection, which));
  const total = sql<number>`(select count(*)::int from (${listed.limit(COUNTED_ROWS)}) as counted)`;
  const ids = listed
    .orderBy(order)
    .limit(sql.lit(size))
    .offset((page - 1) * size);
  return selectCaseRows(connection)
    .innerJoin(ids.as('page'), 'page.id', 'invoices.id')
    .orderBy(order)
    .select([
      'invoices.invoice_date',
      'invoices.payment_due_on',
      'invoices.vat',
      'invoices.tenor_days',
      'buyer.withholds_tax',
      'buyer.withholds_vat',
    ])
    .select(openDuplicateCount.as('duplicates'))
    .select(acknowledgedFacts.as('acknowledged'))
    .select(mark.as('mark'))
    .select(total.as('total'));
}

export type QueuePageRow = Awaited<ReturnType<ReturnType<typeof selectQueuePage>['execute']>>[number];

/**
 * Compares number, client, buyer and repayment reference row by row, because a queue is a small part of all invoices.
 */
function matches(
  connection: Connection,
  { searchPhrase: phrase }: Pick<QueuePage, 'searchPhrase'>,
): RawBuilder<boolean> {
  if (phrase === '') return sql<boolean>`true`;
  const named = connection
    .selectFrom('businesses')
    .select('businesses.id')
    .where(hasWords('businesses.search_form', searchWords(phrase)));
  const read = readRepaymentReference(phrase);
  const reference = typeof read === 'object' ? read.reference : null;
  return sql<boolean>`(invoices.repayment_reference = ${reference} or strpos(lower(invoices.invoice_number), lower(${phrase})) > 0
    or invoices.buyer_id in (${named}) or invoices.business_id in (${named}))`;
}

/** A page of a queue; the list ends at {@link COUNTED_ROWS}, like its count. */
export async function findQueuePage(connection: Connection, page: QueuePage, moment: QueueMoment) {
  if ((page.page - 1) * page.size >= COUNTED_ROWS) return [];
  return selectQueuePage(connection, page, moment).execute();
}

/** The count of each view, except those of server/desk/sla/sla-kept.queries.ts. */
export type QueueCounts = Omit<DeskCounts, 'decidedThisMonth' | 'decidedInTimeThisMonth'>;

/** The counts of the views: one statement, each part from its partial index. */
export function selectQueueCounts({ personId, now, soon, today, monthBegan }: QueueMoment) {
  return sql<QueueCounts>`
    with waiting as (select holder_id, decide_by, first_approved_by from invoices where ${undecided}),
    deciding as (
      select count(*)::int as undecided,
        count(*) filter (where holder_id = ${personId})::int as mine,
        count(*) filter (where holder_id is null)::int as unassigned,
        count(*) filter (where decide_by >= ${now} and decide_by <= ${soon})::int as "dueSoon",
        count(*) filter (where decide_by < ${now})::int as late,
        (count(*) filter (where ${firstApproved}) + (select count(*) from invoices where ${isPending}))::int as "secondOfficer"
      from waiting),
    collecting as (
      select count(*)::int as disbursed,
        count(*) filter (where ${isPastDue(today)})::int as overdue,
        ${sql.join(overdueBucketNames.map((name) => sql`count(*) filter (where ${isInBucket(name, today)})::int as ${sql.id(name)}`))},
        count(*) filter (where ${isDueThisWeek(today)})::int as "dueThisWeek"
      from invoices where ${isOwed})
    select deciding.*, collecting.*,
      (select count(*)::int from invoices where status = 'Approved') as "toDisburse",
      (select count(*)::int from invoices where ${withSurplus}) as "surplusOwed",
      (select count(*)::int from invoices where ${settled} and settled_at >= ${monthBegan}) as "settledThisMonth"
    from deciding, collecting`;
}

export async function findQueueCounts(connection: Connection, moment: QueueMoment): Promise<QueueCounts> {
  const [row] = (await selectQueueCounts(moment).execute(connection)).rows;
  if (row === undefined) throw new Error('a count has one row');
  return row;
}
