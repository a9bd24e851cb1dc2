import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Connection } from '#server/db/database.ts';

/**
 * Which migrations were run, and which releases work on a database after each: a release that does not know a migration
 * reads it there (docs/decisions/0035-releases.md).
 */

/** Release 0.1.0 read another record, in which a migration that it does not know keeps it from starting. */
const LAST_OF_RELEASE_0_1_0 = '0024-held-texts';

/**
 * A migration of ours. It only adds, so that the releases before go on working beside it; where it takes away or changes what
 * they use, it exports the oldest release that works after it, such as '1.1.0'.
 */
export interface ReleasedMigration extends Migration {
  readonly oldestRelease?: string;
}

export interface AppliedMigration {
  readonly name: string;
  /** The oldest release that works after it; null where every one does. */
  readonly oldestRelease: string | null;
}

/** What was run, in order; nothing where there is no schema. */
export async function selectApplied(connection: Connection): Promise<AppliedMigration[]> {
  const [isThere, isOlder] = await Promise.all([
    hasTable(connection, 'kysely_applied'),
    hasTable(connection, 'kysely_migration'),
  ]);
  if (!isThere && !isOlder) return [];
  const { rows } = isThere
    ? await sql<AppliedMigration>`select name, oldest_release as "oldestRelease" from kysely_applied
        order by name collate "C"`.execute(connection)
    : await sql<AppliedMigration>`select name, null as "oldestRelease" from kysely_migration
        order by name collate "C"`.execute(connection);
  return rows;
}

async function hasTable(connection: Connection, name: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass(${name}) is not null as there`.execute(connection);
  return rows[0]?.there === true;
}

/** Until the transaction ends no other server's migrations come in between; release 0.1.0 takes this lock, too. */
export async function lockRecord(change: Connection): Promise<void> {
  await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(change);
}

/** Makes both records, the one from the other where release 0.1.0 or an earlier commit made the database. */
export async function prepareRecord(change: Connection): Promise<void> {
  await lockRecord(change);
  await sql`create table if not exists kysely_migration (
    name varchar(255) primary key, timestamp varchar(255) not null)`.execute(change);
  await sql`create table if not exists kysely_applied (
    name varchar(255) primary key, timestamp varchar(255) not null, oldest_release text)`.execute(change);
  await sql`insert into kysely_applied (name, timestamp)
    select name, timestamp from kysely_migration on conflict do nothing`.execute(change);
}

/** Notes that a migration was run, and which releases work after it; in the transaction that ran it. */
export async function recordApplied(change: Connection, name: string, migration: ReleasedMigration): Promise<void> {
  const { oldestRelease = null } = migration;
  await sql`insert into kysely_applied (name, timestamp, oldest_release)
    values (${name}, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), ${oldestRelease})`.execute(
    change,
  );
  if (name > LAST_OF_RELEASE_0_1_0 && oldestRelease === null) return;
  await sql`insert into kysely_migration (name, timestamp)
    select name, timestamp from kysely_applied where name = ${name} on conflict do nothing`.execute(change);
}

/** Whether a release is older than another; both like '1.10.2', what follows a hyphen is left aside. */
export function isOlder(release: string, other: string): boolean {
  const [ours, theirs] = [numbersOf(release), numbersOf(other)];
  const differing = ours.findIndex((number, place) => number !== theirs[place]);
  return differing !== -1 && (ours[differing] ?? 0) < (theirs[differing] ?? 0);
}

function numbersOf(release: string): number[] {
  const [numbers = ''] = release.split('-');
  return numbers.split('.').map(Number);
}
