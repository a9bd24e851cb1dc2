import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** Whether a statement of the query is still being matched. */
export const isBeingMatched = sql<boolean>`not exists (
  select from matched_statements where matched_statements.statement_id = statements.id)`;

/** The ids of statements that are still being matched: all, or only the one with this tag. */
export async function selectUnmatched(connection: Connection, tag?: string): Promise<number[]> {
  const unmatched = connection.selectFrom('statements').where(isBeingMatched).select('id');
  const rows = await (tag === undefined ? unmatched : unmatched.where('tag', '=', tag)).execute();
  return rows.map(({ id }) => id);
}

/** Records that statements have been matched. */
export function insertMatched(change: Change, ids: readonly number[], now: Date): void {
  change.send(
    change
      .insertInto('matched_statements')
      .values(ids.map((id) => ({ statement_id: id, matched_at: now })))
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** The number of a statement's lines that entered suspense, and how many of them Kasente has credited. */
export const progressOf = {
  toMatch: sql<number>`(select count(*)::integer from statement_lines as line join suspense on line_id = line.id
    where line.statement_id = statements.id)`,
  matched: sql<number>`(select count(distinct line.id)::integer from statement_lines as line
    join journal_entries as entry on entry.statement_line_id = line.id
    where line.statement_id = statements.id and entry.kind = 'receipt' and entry.recorded_by is null)`,
};

/** The progress of a statement's matching, with what is left to assign and the payouts by file that it ended. */
export function selectMatching(connection: Connection, tag: string) {
  return connection
    .selectFrom('statements')
    .where('statements.tag', '=', tag)
    .select(isBeingMatched.as('isBeingMatched'))
    .select([progressOf.toMatch.as('toMatch'), progressOf.matched.as('matched')])
    .select(
      sql<number>`(select count(*)::integer from statement_lines as line join suspense on line_id = line.id
        where line.statement_id = statements.id and suspense.amount > 0)`.as('toAssign'),
    )
    .select(
      sql<number>`(select count(*)::integer from statement_lines as line
        join transfers on transfers.rail = line.rail and transfers.provider_reference = line.provider_id
        where line.statement_id = statements.id and line.amount = -transfers.amount
          and transfers.batch_id is not null and transfers.state = 'succeeded'
          and transfers.known_at >= statements.imported_at)`.as('paid'),
    )
    .executeTakeFirst();
}
