import { sql } from 'kysely';
import type { Connection } from '#server/platform/database.ts';

/** How the promise was kept in a stretch of time. */
export interface KeptRow {
  /** The week's Monday; null for the whole stretch. */
  readonly week: string | null;
  readonly decided: number;
  readonly inTime: number;
  /** The working time that a decision took in the middle, in milliseconds. */
  readonly medianMs: number | null;
}

/** A decision at the promised moment is in time, one after the client was told that it is missed is not. */
const keptColumns = sql`count(*)::int as decided,
  (count(*) filter (where decided_at <= decide_by and promise_missed_at is null))::int as "inTime",
  percentile_cont(0.5) within group (order by clock_used_ms) as "medianMs"`;

/** What was decided since; one range of an index that holds all that is asked. */
export function selectKept(since: Date) {
  return sql<KeptRow>`select null as week, ${keptColumns} from invoices where decided_at >= ${since}`;
}

/** What was decided since, by the weeks from Monday in Kampala; weeks without a decision have no row. */
export function selectKeptByWeek(since: Date) {
  return sql<KeptRow>`
    select date_trunc('week', decided_at at time zone 'Africa/Kampala')::date as week, ${keptColumns}
    from invoices where decided_at >= ${since} group by week`;
}

export async function findKept(connection: Connection, since: Date): Promise<KeptRow> {
  const [row] = (await selectKept(since).execute(connection)).rows;
  return row ?? { week: null, decided: 0, inTime: 0, medianMs: null };
}

export async function findKeptByWeek(connection: Connection, since: Date): Promise<KeptRow[]> {
  return (await selectKeptByWeek(since).execute(connection)).rows;
}
