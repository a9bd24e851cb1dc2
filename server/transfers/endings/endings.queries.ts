import type { Insertable } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { TransferEndings } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** Officers' proposals on transfers whose provider is silent. */

function openEndings(connection: Connection) {
  return connection
    .selectFrom('transfer_endings as ending')
    .innerJoin('persons', 'persons.id', 'ending.proposed_by')
    .where('ending.confirmed_at', 'is', null)
    .where('ending.dropped_at', 'is', null)
    .select(['ending.id', 'ending.tag', 'ending.transfer_id as transferId', 'ending.outcome', 'ending.reason'])
    .select(['ending.provider_reference as providerReference', 'ending.proposed_at as proposedAt'])
    .select(['ending.proposed_by as proposedBy', personName('persons').as('proposedByName')]);
}

/** All open proposals, of which there are few. */
export function selectOpenEndings(connection: Connection) {
  return openEndings(connection).execute();
}
export type OpenEnding = Awaited<ReturnType<typeof selectOpenEndings>>[number];

/** The open proposal about a transfer. */
export function selectOpenEnding(connection: Connection, transferId: number): Promise<OpenEnding | undefined> {
  return openEndings(connection).where('ending.transfer_id', '=', transferId).executeTakeFirst();
}

type Proposed = Omit<Insertable<TransferEndings>, 'id' | 'confirmed_at' | 'confirmed_by' | 'dropped_at' | 'dropped_by'>;

/** Stores a proposal. */
export function insertEnding(change: Change, proposed: Proposed): void {
  change.send(change.insertInto('transfer_endings').values(proposed));
  setEnding(change, proposed.transfer_id, true);
}

/** Marks a proposal as confirmed. */
export function markConfirmed(change: Change, id: number, by: { readonly at: Date; readonly person: number }): void {
  const confirmed = { confirmed_at: by.at, confirmed_by: by.person };
  change.send(change.updateTable('transfer_endings').set(confirmed).where('id', '=', id));
}

/** Drops the open proposal about a transfer; without a person, because the provider has answered. */
export function dropEnding(change: Change, transferId: number, at: Date, personId: number | null = null): void {
  change.send(
    change
      .updateTable('transfer_endings')
      .set({ dropped_at: at, dropped_by: personId })
      .where('transfer_id', '=', transferId)
      .where('confirmed_at', 'is', null)
      .where('dropped_at', 'is', null),
  );
  setEnding(change, transferId, false);
}

function setEnding(change: Change, transferId: number, is_ending: boolean): void {
  change.send(change.updateTable('transfers').set({ is_ending }).where('id', '=', transferId));
}
