import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Connection } from '#server/db/database.ts';

/**
 * Records which migrations were run, and which releases work on the database after each, for releases that do not know
 * one (docs/decisions/0035-releases.md).
 */

/** Release 1.1.0's last migration, under whose name the baseline is recorded. */
export const BASELINE = '0059-messages-about';

/**
 * A migration. It only adds, so that earlier releases keep working; if it removes or changes what they use, it exports
 * the oldest release that works after it, such as '1.1.0'.
 */
export interface ReleasedMigration extends Migration {
  readonly oldestRelease?: string;
}

export interface AppliedMigration {
  readonly name: string;
  /** The oldest release that works after it; null if all do. */
  readonly oldestRelease: string | null;
}

/** The baseline and the migrations since that were run, in order; none in an empty database or one of before 1.1.0. */
export async function selectApplied(connection: Connection): Promise<AppliedMigration[]> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('kysely_applied') is not null as there`.execute(connection);
  if (found[0]?.there !== true) return [];
  const { rows } = await sql<AppliedMigration>`select name, oldest_release as "oldestRelease" from kysely_applied
    where name >= ${BASELINE} collate "C" order by name collate "C"`.execute(connection);
  return rows;
}

/** Names without those of the migrations that the baseline replaced, such as in a backup by 1.1.0. */
export function sinceBaseline(names: readonly string[]): string[] {
  return names.filter((name) => name >= BASELINE);
}

/** Serialises migrations until the transaction ends; release 0.1.0 takes this lock too. */
export async function lockRecord(change: Connection): Promise<void> {
  await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(change);
}

/** Creates the record, and the one that release 0.1.0 reads. */
export async function prepareRecord(change: Connection): Promise<void> {
  await lockRecord(change);
  await sql`create table if not exists kysely_migration (
    name varchar(255) primary key, timestamp varchar(255) not null)`.execute(change);
  await sql`create table if not exists kysely_applied (
    name varchar(255) primary key, timestamp varchar(255) not null, oldest_release text)`.execute(change);
}

/** Records a migration and the releases that work after it, in its transaction. */
export async function recordApplied(change: Connection, name: string, migration: ReleasedMigration): Promise<void> {
  const { oldestRelease = null } = migration;
  await sql`insert into kysely_applied (name, timestamp, oldest_release)
    values (${name}, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ${oldestRelease})`.execute(
    change,
  );
  if (oldestRelease === null) return;
  // Release 0.1.0 does not start with an unknown migration in its record.
  await sql`insert into kysely_migration (name, timestamp)
    select name, timestamp from kysely_applied where name = ${name} on conflict do nothing`.execute(change);
}

/** Whether a release is older than another; both like '1.10.2', ignoring what follows a hyphen. */
export function isOlder(release: string, other: string): boolean {
  const [ours, theirs] = [numbersOf(release), numbersOf(other)];
  const differing = ours.findIndex((number, place) => number !== theirs[place]);
  return differing !== -1 && (ours[differing] ?? 0) < (theirs[differing] ?? 0);
}

function numbersOf(release: string): number[] {
  const [numbers = ''] = release.split('-');
  return numbers.split('.').map(Number);
}
