import { sql } from 'kysely';
import type { Change } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';

/** Since when somebody is what they are. */
export interface Standing {
  readonly id: number;
  /** The officer who activated or moved them last; null: the command line, or longer ago than is known. */
  readonly placedBy: number | null;
  readonly placedAt: Date | null;
  /** Null: longer than is known, or never. */
  readonly officerSince: Date | null;
  /** Made by the command line when there was no other officer. */
  readonly isFirstOfficer: boolean;
}

function selectStandings(connection: Connection, ids: readonly number[]) {
  return connection
    .selectFrom('persons')
    .where('id', 'in', [...ids])
    .select([
      'id',
      'placed_by as placedBy',
      'placed_at as placedAt',
      'officer_since as officerSince',
      'first_officer as isFirstOfficer',
    ])
    .orderBy('id');
}

export function findStandings(connection: Connection, ids: readonly number[]): Promise<Standing[]> {
  return selectStandings(connection, ids).execute();
}

/** Nobody activates, moves or promotes them until the transaction ends: whoever does holds the row (`lockActorAndSubject`). */
export function lockStandings(change: Change, ids: readonly number[]): Promise<Standing[]> {
  return selectStandings(change, ids).forShare().execute();
}

/** Whether anybody else is an officer, or became one since that is known: each condition is that of an index. */
export async function hasOtherOfficer(connection: Connection, personId: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select
    exists (select from persons where permissions && array['KADMIN', 'KSTAF'] and id <> ${personId})
    or exists (select from persons where officer_since is not null and id <> ${personId}) as found`.execute(connection);
  return rows[0]?.found ?? false;
}
