import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import type { SweptPage } from '#server/jobs/sweeping.ts';

/** Paid out applications whose fee has days up to the due date that are not posted yet. */
export function selectUnearned(connection: Connection, { today, after, limit }: SweptPage) {
  return (
    connection
      .selectFrom('invoices')
      .where('id', '>', after)
      // Must match the condition of the index, which leaves out fully earned fees.
      .where(
        sql<boolean>`status in ('Disbursed', 'Settled') and (fee_earned_until is null or fee_earned_until < due_on)`,
      )
      .where((where) => where.or([where('fee_earned_until', 'is', null), where('fee_earned_until', '<', today)]))
      .select(['id', 'tag'])
      .orderBy('id')
      .limit(limit)
      .execute()
  );
}

/** Stores the day up to which a locked application's fee is posted. */
export function keepEarnedUntil(change: Change, id: number, day: string): void {
  change.send(change.updateTable('invoices').set({ fee_earned_until: day }).where('id', '=', id));
}
