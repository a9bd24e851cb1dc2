import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** When a case last reached its status: after a reversed payout, an approval's days start again. */
const since = sql<Date>`(select max(step.at) from application_steps as step
  where step.invoice_id = invoices.id and step.to_status = invoices.status and step.from_status <> step.to_status)`;

/** An approval or a counter-offer that may have lapsed. */
export interface Waiting {
  readonly tag: string;
  readonly since: Date;
}

/** Cases approved or counter-offered before that moment, oldest first. */
export async function selectWaiting(connection: Connection, before: Date, limit: number): Promise<readonly Waiting[]> {
  // Literals, so that plans can use the indexes on unpaid and on undecided cases.
  const { rows } = await sql<Waiting>`
    select tag, since from (
      select tag, ${since} as since from invoices where status = 'Approved' and decided_at < ${before}
      union all
      select tag, ${since} from invoices where status = 'Counter-offered') as waiting
    where since < ${before} order by since, tag limit ${limit}`.execute(connection);
  return rows;
}

/** When a locked case reached its status. */
export async function selectSince(connection: Connection, id: number): Promise<Date | null> {
  const row = await connection
    .selectFrom('invoices')
    .where('id', '=', id)
    .select(since.$castTo<Date | null>().as('since'))
    .executeTakeFirst();
  return row?.since ?? null;
}
