import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** When somebody got their present role. */
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

export function findStandings(connection: Connection, ids: readonly number[]): Promise<Standing[]> {
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
    .execute();
}

/** Whether anybody else is an officer, or was one at any recorded time: each condition is that of an index. */
export async function hasOtherOfficer(connection: Connection, personId: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select
    exists (select from persons where permissions && array['KADMIN', 'KSTAF'] and id <> ${personId})
    or exists (select from persons where officer_since is not null and id <> ${personId}) as found`.execute(connection);
  return rows[0]?.found ?? false;
}
