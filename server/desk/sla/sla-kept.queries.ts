import { sql } from 'kysely';
import { undecidedStatuses } from '#contract/applications/lifecycle.ts';
import type { Connection } from '#server/db/database.ts';

/** How well the SLA was kept in a period. */
export interface KeptRow {
  /** The week's Monday; null for the whole period. */
  readonly week: string | null;
  readonly decided: number;
  readonly inTime: number;
  /** Undecided and past the deadline. */
  readonly stillLate: number;
  /** The median working time to a decision, in milliseconds. */
  readonly medianMs: number | null;
}

/** A decision exactly at the deadline is in time; a decision after we told the client about the delay is late. */
const keptColumns = sql`count(decided_at)::int as decided,
  (count(*) filter (where decided_at <= decide_by and promise_missed_at is null))::int as "inTime",
  (count(*) filter (where decided_at is null))::int as "stillLate",
  percentile_cont(0.5) within group (order by clock_used_ms) as "medianMs"`;

/** Statuses are literals, so that the plan can use the partial index of undecided cases. */
const undecided = sql`status in (${sql.join(undecidedStatuses.map((status) => sql.lit(status)))})`;

/** Decisions, and undecided cases whose deadline passed between the two times, each read as a range of its index. */
const slaCases = (since: Date, passedSince: Date | null, now: Date) => sql`(
  select decided_at as moment, decided_at, decide_by, promise_missed_at, clock_used_ms
  from invoices where decided_at >= ${since}
  union all
  select decide_by, null, decide_by, null, null
  from invoices where ${undecided} and decide_by < ${now} and decide_by >= coalesce(${passedSince}, '-infinity'::timestamptz)
) as sla_cases`;

/** Decisions since a time, and all cases that are late now. */
export function selectKept(since: Date, now: Date) {
  return sql<KeptRow>`select null as week, ${keptColumns} from ${slaCases(since, null, now)}`;
}

/** By week from Monday in Kampala: the week of the decision, or of a deadline that passed without one. */
export function selectKeptByWeek(since: Date, now: Date) {
  return sql<KeptRow>`
    select date_trunc('week', moment at time zone 'Africa/Kampala')::date as week, ${keptColumns}
    from ${slaCases(since, since, now)} group by week`;
}

export async function findKept(connection: Connection, since: Date, now: Date): Promise<KeptRow> {
  const [row] = (await selectKept(since, now).execute(connection)).rows;
  return row ?? { week: null, decided: 0, inTime: 0, stillLate: 0, medianMs: null };
}

export async function findKeptByWeek(connection: Connection, since: Date, now: Date): Promise<KeptRow[]> {
  return (await selectKeptByWeek(since, now).execute(connection)).rows;
}
