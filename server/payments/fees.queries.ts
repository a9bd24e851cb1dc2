import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

interface Page {
  readonly today: string;
  /** The id after which the page begins. */
  readonly after: number;
  readonly limit: number;
}

/** Applications that are paid out, with days until the due date that are not posted. */
export function selectUnearned(connection: Connection, { today, after, limit }: Page) {
  return (
    connection
      .selectFrom('invoices')
      .where('id', '>', after)
      // As the index has it, which holds nothing that is fully earned.
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

/** Keeps until when a locked application's fee is posted. */
export function keepEarnedUntil(change: Change, id: number, day: string): void {
  change.send(change.updateTable('invoices').set({ fee_earned_until: day }).where('id', '=', id));
}
