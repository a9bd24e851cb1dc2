import { sql } from 'kysely';
import type { Change } from '#server/db/transaction.ts';

/**
 * Does the work, and rolls it back unless it is real. The same statements take the same time, so timing doesn't reveal
 * whether a username is known.
 */
export async function doInConstantTime(change: Change, meant: boolean, work: () => Promise<unknown>): Promise<void> {
  await sql`savepoint constant_time`.execute(change);
  await work();
  await (meant ? sql`release savepoint constant_time` : sql`rollback to savepoint constant_time`).execute(change);
}
