import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** When a person got their present role, and from whom. */
export interface Standing {
  readonly id: number;
  /** The officer who last activated or moved them; null for the command line, or if it was before we recorded this. */
  readonly placedBy: number | null;
  readonly placedAt: Date | null;
  /** Null if they never were an officer, or if it was before we recorded this. */
  readonly officerSince: Date | null;
  /** Made an officer on the command line when there was no other officer. */
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

/** Whether anybody else is an officer, or was one at any recorded time. Each condition matches an index. */
export async function hasOtherOfficer(connection: Connection, personId: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select
    exists (select from persons where permissions && array['KADMIN', 'KSTAF'] and id <> ${personId})
    or exists (select from persons where officer_since is not null and id <> ${personId}) as found`.execute(connection);
  return rows[0]?.found ?? false;
}
