import { sql } from 'kysely';
import { anchorAudit } from '#server/audit/audit.service.ts';
import { demonstrationLogins, demonstrationNewcomer } from '#server/config/demonstration-people.ts';
import type { Connection } from '#server/db/database.ts';
import { removeDiscarded } from '#server/documents/store/stored-files.service.ts';
import { refuseUnknownStore, settleInstallation } from '#server/installation/installation.ts';
import { prepareJobs } from '#server/jobs/jobs.ts';
import { migrate, migrateTo } from '#server/migrations/migrate.ts';
import type { Platform } from '#server/platform/platform.ts';
import { queues } from '#server/queues.ts';
import { demonstrationBuyers, demonstrationClients } from './invoices.ts';
import { seedDemonstration } from './seed.ts';

/** Installs and resets the demonstration in an operator's database (`npm run demonstration`). */

/** Why nothing was done. The message is a sentence. */
export class DemonstrationError extends Error {}

/**
 * Seeds the demonstration into a database without people. Runs as the owner of the tables. Throws {@link
 * DemonstrationError} in production, because its passwords are public, and if there are people; StartError for another
 * database's store.
 */
export async function createDemonstration(platform: Platform): Promise<void> {
  refuseProduction(platform);
  await refuseUnknownStore(platform);
  await migrate(platform.db);
  await fill(platform);
}

async function fill(platform: Platform): Promise<void> {
  await prepareJobs(platform.pool, queues);
  if (!(await seedDemonstration(platform))) {
    throw new DemonstrationError(
      `somebody is in the database ${await databaseName(platform.db)} already: reset puts the demonstration back as it was.`,
    );
  }
  await anchorAudit(platform);
}

/**
 * Resets the demonstration: empties the database and its document store, and seeds it again. Throws {@link
 * DemonstrationError} in production, while anybody else is connected, and if people or businesses exist that the
 * demonstration did not create, unless `everythingIn` names the database; StartError for another database's store, such
 * as production's beside a copy of its database.
 */
export async function resetDemonstration(platform: Platform, everythingIn: string | undefined): Promise<void> {
  refuseProduction(platform);
  const name = await databaseName(platform.db);
  if (everythingIn !== undefined && everythingIn !== name)
    throw new DemonstrationError(`the settings name the database ${name}, not ${everythingIn}.`);
  const tag = await refuseUnknownStore(platform);
  await refuseWhileUsed(platform);
  if (await isMade(platform.db)) {
    const strangers = await findStrangers(platform.db);
    if (strangers.length > 0 && everythingIn === undefined) {
      throw new DemonstrationError(
        `${strangers.length} people and businesses in the database ${name} are not the demonstration's, such as ${strangers[0]}. To delete them and all that is theirs: npm run demonstration -- reset --everything-in ${name}`,
      );
    }
    await empty(platform, tag);
  }
  await migrate(platform.db);
  await fill(platform);
}

function refuseProduction({ config }: Platform): void {
  if (config.production)
    throw new DemonstrationError('the demonstration’s passwords are public: never use it in production.');
}

async function databaseName(connection: Connection): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(connection);
  return rows[0]?.name ?? '';
}

async function isMade(connection: Connection): Promise<boolean> {
  const { rows } = await sql<{ made: boolean }>`select to_regclass('persons') is not null as made`.execute(connection);
  return rows[0]?.made === true;
}

/**
 * Throws while anybody else is connected: a running server would keep using dropped tables. Its connections have no
 * fixed name, so every other backend counts.
 */
async function refuseWhileUsed({ db, pool }: Platform): Promise<void> {
  const others = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and usesysid is not null
      and coalesce(backend_type, 'client backend') = 'client backend' and pid <> all(${await ownBackends(pool)})`.execute(
    db,
  );
  if (others.rows.length > 0)
    throw new DemonstrationError('somebody else is connected to this database: stop servers, tools and psql first.');
}

/** Every connection of the pool. Existing ones are returned before another is opened. */
async function ownBackends(pool: Platform['pool']): Promise<number[]> {
  const clients = await Promise.all(Array.from({ length: Math.max(pool.totalCount, 1) }, () => pool.connect()));
  try {
    const answers = clients.map((client) => client.query<{ pid: number }>('select pg_backend_pid() as pid'));
    return (await Promise.all(answers)).flatMap(({ rows }) => rows.map(({ pid }) => pid));
  } finally {
    for (const client of clients) client.release();
  }
}

/** People by their usernames and businesses by their names. */
async function findStrangers(connection: Connection): Promise<readonly string[]> {
  const people = [...demonstrationLogins, demonstrationNewcomer].map(({ username }) => username);
  const businesses = [...demonstrationClients, ...demonstrationBuyers].map(({ name }) => name);
  const persons = await connection
    .selectFrom('persons')
    .where('username', 'not in', people)
    .select('username')
    .execute();
  const others = await connection.selectFrom('businesses').where('name', 'not in', businesses).select('name').execute();
  return [...persons.map(({ username }) => username), ...others.map(({ name }) => name)];
}

/**
 * Recreates every table in one transaction, with the tag of the store's mark, so that the command can always be run
 * again. The documents' files are discarded in the same transaction, and removed now or by a server's sweep.
 */
async function empty(platform: Platform, tag: string | undefined): Promise<void> {
  const keys = await platform.db.inTransaction(async (change) => {
    const files = await selectFiles(change);
    await dropEverything(change);
    await migrateTo(change, undefined);
    if (tag !== undefined) await settleInstallation(change, platform.sealer, tag);
    for (const storage_key of files) await change.insertInto('discarded_files').values({ storage_key }).execute();
    return files;
  });
  for (const key of keys) await removeDiscarded(platform, key);
}

/** Keys of documents and of discarded files, such as those of an earlier attempt. */
async function selectFiles(connection: Connection): Promise<string[]> {
  const rows = await connection
    .selectFrom('documents')
    .select('storage_key')
    .union(connection.selectFrom('discarded_files').select('storage_key'))
    .execute();
  return rows.map(({ storage_key }) => storage_key);
}

async function dropEverything(change: Connection): Promise<void> {
  await sql`drop schema if exists pgboss cascade`.execute(change);
  await sql`do $$
    declare one record;
    begin
      for one in select c.oid::regclass as name from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      loop execute format('drop table if exists %s cascade', one.name); end loop;
      for one in select p.oid::regprocedure as name from pg_proc p
        where p.pronamespace = current_schema()::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop execute format('drop function if exists %s cascade', one.name); end loop;
    end $$`.execute(change);
}
