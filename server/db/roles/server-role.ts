import { createHmac } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { attempt, CLIENT_ROLE, grantTables } from './row-security.ts';

/**
 * The login role of requests and background work (docs/decisions/0019-row-security.md). It reads and writes rows but
 * owns nothing, so it can't disable a trigger, truncate a table, or change append-only tables. Migrations and
 * command-line tools run as the owner.
 */

/** In the embedded PostgreSQL, which needs no password. */
export const SERVER_ROLE = 'kasente_server';

/** PostgreSQL truncates longer names. */
const LONGEST_NAME = 63;

/** The server's login: the role, and a password if the owner has one. */
export interface ServerLogin {
  readonly role: string;
  readonly password: string | undefined;
}

/**
 * The role for an operator's database. It is named after the database, so one installation's server has no rights on
 * another's database. Its password is derived from the owner's, so every server of the database can compute it and none
 * stores it.
 */
export function serverLogin(ownerUrl: string): ServerLogin {
  const { pathname, password } = new URL(ownerUrl);
  const database = decodeURIComponent(pathname.slice(1));
  const role = `${SERVER_ROLE}_${database}`.slice(0, LONGEST_NAME);
  if (password === '') return { role, password: undefined };
  const key = createHmac('sha256', decodeURIComponent(password));
  return { role, password: key.update(`kasente server role ${database}`).digest('base64url') };
}

/** A login with a URL chosen by the operator, who knows the password. */
export function loginOf(serverUrl: string): ServerLogin {
  return { role: decodeURIComponent(new URL(serverUrl).username), password: undefined };
}

/** The same URL with another login. */
export function urlFor(ownerUrl: string, { role, password }: ServerLogin): string {
  const who = [role, ...(password === undefined ? [] : [password])].map(encodeURIComponent).join(':');
  return ownerUrl.replace(/^([^:/]+:\/\/)(?:[^@/?#]*@)?/, (_, scheme: string) => `${scheme}${who}@`);
}

/**
 * Creates the role if possible, and grants it rights on the tables. Runs as the owner at each start, after the
 * migrations. Doesn't throw if rights are missing: {@link findExcess} reports the result.
 */
export async function prepareServerRole(owner: Database, login: ServerLogin): Promise<void> {
  await owner.inTransaction(async (change) => {
    await sql`select pg_advisory_xact_lock(hashtext('kasente server role'))`.execute(change);
    const role = sql.id(login.role);
    if (!(await exists(change, login.role))) await attempt(change, sql`create role ${role} ${optionsOf(login)}`);
    if (!(await exists(change, login.role))) return;
    await attempt(change, sql`grant ${sql.id(CLIENT_ROLE)} to ${role}`);
    await grantTables(change, login.role, 'every table');
    await grantMessageIds(change, login.role);
    await grantJobs(change, login.role);
  });
  await letSeeEveryRow(owner, login.role);
}

/** Sets the role's password if it was derived from an earlier password of the owner. */
export async function renewPassword(owner: Database, login: ServerLogin): Promise<void> {
  await owner.inTransaction(async (change) => {
    await attempt(change, sql`alter role ${sql.id(login.role)} ${optionsOf(login)}`);
  });
}

function optionsOf({ password }: ServerLogin) {
  return sql`login noinherit${password === undefined ? sql`` : sql` password ${sql.lit(password)}`}`;
}

async function exists(connection: Kysely<Tables>, role: string): Promise<boolean> {
  const { rows } = await sql`select from pg_roles where rolname = ${role}`.execute(connection);
  return rows.length > 0;
}

/** Ids of messages are reserved before the messages are written. */
async function grantMessageIds(change: Change, role: string): Promise<void> {
  await sql`do $$ declare ids constant text := pg_get_serial_sequence('messages', 'id'); begin
    if not has_sequence_privilege(${sql.lit(role)}, ids, 'USAGE') then
      execute format('grant usage on sequence %s to %I', ids, ${sql.lit(role)});
    end if;
  end $$`.execute(change);
}

/** The library's schema, created by the owner. */
async function grantJobs(change: Change, role: string): Promise<void> {
  await sql`do $$ begin
    if to_regnamespace('pgboss') is null then return; end if;
    if exists (select from pg_class where relnamespace = to_regnamespace('pgboss') and relkind in ('r', 'p')
      and not (has_schema_privilege(${sql.lit(role)}, relnamespace, 'USAGE')
        and has_table_privilege(${sql.lit(role)}, oid, 'DELETE'))) then
      grant usage on schema pgboss to ${sql.id(role)};
      grant select, insert, update, delete on all tables in schema pgboss to ${sql.id(role)};
      grant usage on all sequences in schema pgboss to ${sql.id(role)};
    end if;
  end $$`.execute(change);
}

/**
 * Lets staff and background work see every row. PostgreSQL folds 'true' away while planning, so the policy doesn't
 * prevent index use. Each policy gets its own transaction: one transaction would lock all tables, and could deadlock
 * with another server that is starting and reading the schema.
 */
async function letSeeEveryRow(owner: Database, role: string): Promise<void> {
  const policy = sql`left(${sql.lit(`every row for ${role}`)}, 63)`;
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relrowsecurity and exists (select from pg_roles where rolname = ${role})
      and not exists (select from pg_policy where polrelid = pg_class.oid and polname = ${policy})`.execute(owner);
  for (const { table } of rows) {
    const created = sql`execute format('create policy %I on %I to %I using (true) with check (true)',
      ${policy}, ${sql.lit(table)}, ${sql.lit(role)})`;
    await owner.inTransaction((change) => attempt(change, created));
  }
}

/** The owner of the tables (null before the first migration), and the rights of the connected role. */
export async function findOwnership(connection: Kysely<Tables>) {
  const { rows } = await sql<{
    role: string;
    database: string;
    owner: string | null;
    mayOwn: boolean | null;
    mayCreate: boolean | null;
  }>`
    select current_user as role, current_database() as database, pg_get_userbyid(relowner) as owner,
      pg_has_role(relowner, 'USAGE') as "mayOwn",
      has_schema_privilege(current_schema(), 'CREATE') as "mayCreate"
    from (select 1) as once left join pg_class on oid = to_regclass('audit_events')`.execute(connection);
  return rows[0] ?? { role: '', database: '', owner: null, mayOwn: false, mayCreate: false };
}

/** Equal for two connections to the same database of the same running PostgreSQL. */
export async function identify(connection: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ database: string }>`
    select pg_postmaster_start_time()::text || ' ' || oid as database from pg_database
    where datname = current_database()`.execute(connection);
  return rows[0]?.database;
}

/** Describes rights that a server's login lacks or must not have; undefined if all is right. */
export async function findExcess(server: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{
    role: string;
    isSuperuser: boolean;
    owns: boolean;
    mayMakeTables: boolean;
    mayRead: boolean;
  }>`
    select login.rolname as role, login.rolsuper or login.rolcreaterole as "isSuperuser",
      pg_has_role(login.oid, (select relowner from pg_class where oid = to_regclass('audit_events')), 'MEMBER') as owns,
      has_schema_privilege(login.oid, current_schema(), 'CREATE') as "mayMakeTables",
      pg_has_role(login.oid, (select oid from pg_roles where rolname = ${CLIENT_ROLE}), 'MEMBER')
        and exists (select from pg_policy where polrelid = to_regclass('invoices') and login.oid = any (polroles)) as "mayRead"
    from pg_roles as login where login.rolname = session_user`.execute(server);
  const [found] = rows;
  if (found === undefined) return 'the database does not know who is connected';
  const { role, isSuperuser, owns, mayMakeTables, mayRead } = found;
  if (isSuperuser) return `the role "${role}" may do everything or make roles`;
  if (owns) return `the role "${role}" owns the tables`;
  if (mayMakeTables) return `the role "${role}" may make tables: run "revoke create on schema public from public"`;
  if (!mayRead) return `the role "${role}" cannot become ${CLIENT_ROLE}`;
  return undefined;
}

/** The statements for the administrator, and the setting for the operator, if the server can't create its role. */
export function howToMakeServerRole({ role }: ServerLogin): string {
  return `have an administrator run: create role "${role}" login noinherit password '…'; grant ${CLIENT_ROLE} to "${role}"; then name that role in DATABASE_URL and today's in DATABASE_OWNER_URL`;
}
