import type { Connection } from '#server/db/database.ts';
import { StartError } from '#server/installation/connect.ts';
import { migrationNames, refuseOlder } from './migrate.ts';
import { selectApplied } from './record.ts';

/** A database's state: the pending migrations, and the first unknown one. */
export interface Progress {
  readonly pending: readonly string[];
  readonly unknown: string | undefined;
  readonly isEmpty: boolean;
}

/** Reads a database's state; changes nothing. Throws {@link StartError} for a database of a release before 1.1.0. */
export async function findProgress(db: Connection): Promise<Progress> {
  const applied = await selectApplied(db);
  await refuseOlder(db, applied);
  const done = applied.map(({ name }) => name);
  return {
    pending: migrationNames.filter((name) => !done.includes(name)),
    unknown: done.find((name) => !migrationNames.includes(name)),
    isEmpty: done.length === 0,
  };
}

/**
 * Throws {@link StartError} unless this version's server was started on the database: tools migrate nothing. Tools that
 * only copy may work on an older one.
 */
export async function refuseUnmigrated(db: Connection, mayBeOlder = false): Promise<void> {
  const { pending, unknown, isEmpty } = await findProgress(db);
  if (isEmpty) {
    throw new StartError(
      'the database is empty: start the server on it once, or name the one that it uses. Nothing was changed.',
    );
  }
  if (unknown !== undefined) {
    throw new StartError(
      `the database was made by another version of Kasente (its migration ${unknown} is not known here): use that version’s tools.`,
    );
  }
  if (pending.length > 0 && !mayBeOlder) {
    throw new StartError(
      `the database is of an older version (${pending.length} migrations are missing, ${pending[0]} is the first): start this version’s server on it once, or use that version’s tools. Nothing was changed.`,
    );
  }
}
