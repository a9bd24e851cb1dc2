import { type RawBuilder, sql } from 'kysely';
import { undecidedStatuses } from '#contract/applications/lifecycle.ts';
import type { QueueView } from '#contract/desk/schema.ts';
import { COUNTED_ROWS } from '#contract/product.ts';
import { type CaseRow, selectCaseRows } from '#server/desk/case-rows.queries.ts';
import type { Connection } from '#server/platform/database.ts';
import { likePattern } from '#server/platform/like-pattern.ts';

/** Who looks at the queues, and when. */
export interface QueueMoment {
  readonly personId: number;
  readonly now: Date;
  /** What is due until then is due soon. */
  readonly soon: Date;
  /** Today in Kampala (YYYY-MM-DD). */
  readonly today: string;
  /** When the month began in Kampala. */
  readonly monthBegan: Date;
}

/** Which part of a queue, `page` counted from 1. */
export interface QueuePage {
  readonly view: QueueView;
  readonly searchPhrase: string;
  readonly page: number;
  readonly size: number;
}

/** States stand in the statement itself, so that a plan made for any values knows the partial indexes. */
const undecided = sql<boolean>`invoices.status in (${sql.join(undecidedStatuses.map((status) => sql.lit(status)))})`;
const disbursed = sql<boolean>`invoices.status = 'Disbursed'`;

/** Each order is that of an index. A clock that stands still has no moment and comes last. */
const byTimeLeft = sql`invoices.decide_by, invoices.id`;
const byDecision = sql`invoices.decided_at, invoices.id`;
const byNewestDecision = sql`invoices.decided_at desc, invoices.id desc`;
const byDueDate = sql`invoices.due_on, invoices.id`;

interface ViewRule {
  readonly holds: RawBuilder<boolean>;
  readonly order: RawBuilder<unknown>;
}

/** What each view shows, and in which order. */
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
    case 'free':
      return waiting(sql<boolean>`invoices.holder_id is null`);
    case 'dueSoon':
      return waiting(sql<boolean>`invoices.decide_by >= ${now} and invoices.decide_by <= ${soon}`);
    case 'late':
      return waiting(sql<boolean>`invoices.decide_by < ${now}`);
    case 'secondApproval':
      return waiting(sql<boolean>`invoices.first_approved_by is not null`);
    case 'toDisburse':
      return { holds: sql<boolean>`invoices.status = 'Approved'`, order: byDecision };
    case 'disbursed':
      return { holds: disbursed, order: byDueDate };
    case 'overdue':
      return { holds: sql<boolean>`${disbursed} and invoices.due_on < ${today}`, order: byDueDate };
    case 'decidedThisMonth':
      return { holds: sql<boolean>`invoices.decided_at >= ${monthBegan}`, order: byNewestDecision };
  }
}

/** How many of an invoice's twins there are: a flag stands on one of the two, or on both. */
const flagCount = sql<number>`(select count(distinct (kind, other))::int from (
  select kind, other_invoice_id as other from invoice_flags where invoice_id = invoices.id
  union all select kind, invoice_id from invoice_flags where other_invoice_id = invoices.id) as flags)`;

/** A page of a queue in one statement; every row carries how many there are, up to {@link COUNTED_ROWS}. */
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
    .select(flagCount.as('flags'))
    .select(total.as('total'));
}

export type QueuePageRow = CaseRow & { readonly flags: number; readonly total: number };

/** Number, client and buyer are looked at row by row: a queue is a small part of all invoices. */
function matches(
  connection: Connection,
  { searchPhrase: phrase }: Pick<QueuePage, 'searchPhrase'>,
): RawBuilder<boolean> {
  if (phrase === '') return sql<boolean>`true`;
  const named = connection
    .selectFrom('businesses')
    .select('businesses.id')
    .where(sql<boolean>`lower(businesses.name) like lower(${likePattern(phrase)})`);
  return sql<boolean>`(strpos(lower(invoices.invoice_number), lower(${phrase})) > 0
    or invoices.buyer_id in (${named}) or invoices.business_id in (${named}))`;
}

/** A page of a queue; a list ends where its count does. */
export async function findQueuePage(
  connection: Connection,
  page: QueuePage,
  moment: QueueMoment,
): Promise<QueuePageRow[]> {
  if ((page.page - 1) * page.size >= COUNTED_ROWS) return [];
  return selectQueuePage(connection, page, moment).execute();
}

/** How many there are in the queues; one statement, each part from its partial index. */
export function selectQueueCounts({ personId, now, soon, today }: QueueMoment) {
  return sql<QueueCounts>`
    with waiting as (select holder_id, decide_by, first_approved_by from invoices where ${undecided}),
    queues as (
      select count(*)::int as undecided,
        count(*) filter (where holder_id = ${personId})::int as mine,
        count(*) filter (where decide_by >= ${now} and decide_by <= ${soon})::int as "dueSoon",
        count(*) filter (where decide_by < ${now})::int as late,
        count(*) filter (where first_approved_by is not null)::int as "secondApproval"
      from waiting)
    select queues.*,
      (select count(*)::int from invoices where status = 'Approved') as "toDisburse",
      (select count(*)::int from invoices where ${disbursed} and due_on < ${today}) as overdue
    from queues`;
}

export interface QueueCounts {
  readonly undecided: number;
  readonly mine: number;
  readonly dueSoon: number;
  readonly late: number;
  readonly secondApproval: number;
  readonly toDisburse: number;
  readonly overdue: number;
}

export async function findQueueCounts(connection: Connection, moment: QueueMoment): Promise<QueueCounts> {
  const [row] = (await selectQueueCounts(moment).execute(connection)).rows;
  if (row === undefined) throw new Error('a count has one row');
  return row;
}
