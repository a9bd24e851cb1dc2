import { sql } from 'kysely';
import { undecidedStatuses } from '#contract/applications/lifecycle.ts';
import type { Connection } from '#server/db/database.ts';

/** How the promise was kept in a stretch of time. */
export interface KeptRow {
  /** The week's Monday; null for the whole stretch. */
  readonly week: string | null;
  readonly decided: number;
  readonly inTime: number;
  /** Not decided although the promise has passed. */
  readonly stillLate: number;
  /** The working time that a decision took in the middle, in milliseconds. */
  readonly medianMs: number | null;
}

/** A decision at the promised moment is in time, one after the client was told that it is missed is not. */
const keptColumns = sql`count(decided_at)::int as decided,
  (count(*) filter (where decided_at <= decide_by and promise_missed_at is null))::int as "inTime",
  (count(*) filter (where decided_at is null))::int as "stillLate",
  percentile_cont(0.5) within group (order by clock_used_ms) as "medianMs"`;

/** States stand in the statement itself, so that its plan knows the partial index of what is undecided. */
const undecided = sql`status in (${sql.join(undecidedStatuses.map((status) => sql.lit(status)))})`;

/** A range of the index of decisions, and one of the index of what is undecided: whose promise passed between the two moments. */
const promises = (since: Date, passedSince: Date | null, now: Date) => sql`(
  select decided_at as moment, decided_at, decide_by, promise_missed_at, clock_used_ms
  from invoices where decided_at >= ${since}
  union all
  select decide_by, null, decide_by, null, null
  from invoices where ${undecided} and decide_by < ${now} and decide_by >= coalesce(${passedSince}, '-infinity'::timestamptz)
) as promises`;

/** What was decided since, and all that is late now, however long. */
export function selectKept(since: Date, now: Date) {
  return sql<KeptRow>`select null as week, ${keptColumns} from ${promises(since, null, now)}`;
}

/** By the weeks from Monday in Kampala: of the decision, or of the promise that has passed without one. */
export function selectKeptByWeek(since: Date, now: Date) {
  return sql<KeptRow>`
    select date_trunc('week', moment at time zone 'Africa/Kampala')::date as week, ${keptColumns}
    from ${promises(since, since, now)} group by week`;
}

export async function findKept(connection: Connection, since: Date, now: Date): Promise<KeptRow> {
  const [row] = (await selectKept(since, now).execute(connection)).rows;
  return row ?? { week: null, decided: 0, inTime: 0, stillLate: 0, medianMs: null };
}

export async function findKeptByWeek(connection: Connection, since: Date, now: Date): Promise<KeptRow[]> {
  return (await selectKeptByWeek(since, now).execute(connection)).rows;
}
