import type { Connection } from '#server/db/database.ts';

/** The number of days of a financing period; undefined if it does not exist. */
export async function selectTenorDays(connection: Connection, financingPeriodId: number): Promise<number | undefined> {
  const row = await connection
    .selectFrom('financing_periods')
    .select('days')
    .where('id', '=', financingPeriodId)
    .executeTakeFirst();
  return row?.days;
}
