import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import type { Log } from '#server/observability/logging.ts';

/**
 * Enforces row-level security (docs/decisions/0019-row-security.md). The policies (0059-baseline.sql) apply to everyone
 * except the owner of the tables. Scoped requests therefore run as another role, which can't log in and has only the
 * rights that the policies need.
 */

/** Roles belong to a PostgreSQL server, and several of its databases may share this one. */
export const CLIENT_ROLE = 'kasente_client';

/** Tables without row-level security that every client may read. */
export const referenceTables = [
  'sectors',
  'districts',
  'currencies',
  'financing_periods',
  'fee_modes',
  'document_types',
  'public_holidays',
  'journal_accounts',
  'tax_rates',
] as const satisfies readonly (keyof Tables)[];

/**
 * Whether requests can be confined to their scope. If so, how to set the server's role; if not, why, for the operator.
 */
export type Enforcement =
  | { readonly ownRole: string; readonly problem?: undefined }
  | { readonly ownRole?: undefined; readonly problem: string };

type Facts = {
  readonly login: string;
  /** 'none', unless the settings of the login role name another role. */
  readonly own: string;
  readonly makesRoles: boolean;
  readonly exists: boolean;
  /** Whether the policies apply to it. */
  readonly isHeld: boolean;
  readonly mayBecome: boolean;
};

async function selectFacts(connection: Kysely<Tables>): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select login.rolname as login, current_setting('role') as own, login.rolsuper or login.rolcreaterole as "makesRoles",
      client.oid is not null as exists,
      coalesce(login.rolsuper or pg_has_role(login.oid, client.oid, 'MEMBER'), false) as "mayBecome",
      coalesce(not client.rolsuper and not client.rolbypassrls
        and not pg_has_role(client.oid, (select relowner from pg_class where oid = to_regclass('invoices')), 'USAGE'),
        false) as "isHeld"
    from pg_roles as login left join pg_roles as client on client.rolname = ${CLIENT_ROLE}
    where login.rolname = session_user`.execute(connection);
  const [facts] = rows;
  if (facts === undefined) throw new Error('the database does not know who is connected');
  return facts;
}

/** Checks whether scoped requests can run as the role of the policies. */
export async function findEnforcement(connection: Kysely<Tables>): Promise<Enforcement> {
  const { login, own, exists, isHeld, mayBecome } = await selectFacts(connection);
  if (exists && isHeld && mayBecome) return { ownRole: own };
  const give = `grant ${CLIENT_ROLE} to "${login}"`;
  const asked = exists ? give : `create role ${CLIENT_ROLE} nologin; ${give}`;
  return {
    problem:
      exists && !isHeld
        ? `the role ${CLIENT_ROLE} may see every row: take SUPERUSER, BYPASSRLS and the tables' owner from it`
        : `the database's role "${login}" may not make the role ${CLIENT_ROLE}; have an administrator run: ${asked};`,
  };
}

interface Reporting {
  readonly db: Database;
  readonly config: Config;
  readonly log: Log;
}

/** Warns at the start if requests can't be confined. In production it logs an error, but the server still starts. */
export async function reportEnforcement({ db, config, log }: Reporting): Promise<void> {
  const { problem } = await findEnforcement(db);
  if (problem !== undefined)
    log[config.production ? 'error' : 'warn']({ problem }, 'row-level security is not in force');
}

/**
 * Creates the role if possible, and grants it rights on the tables. Runs at each start, because a restored or moved
 * database may lack the role. Doesn't throw if rights are missing: {@link findEnforcement} reports them.
 */
export async function prepareClientRole(db: Database): Promise<void> {
  await db.inTransaction(async (change) => {
    await sql`select pg_advisory_xact_lock(hashtext('kasente client role'))`.execute(change);
    const { exists, makesRoles, mayBecome } = await selectFacts(change);
    if (!exists && makesRoles) await attempt(change, sql.raw(`create role ${CLIENT_ROLE} nologin noinherit`));
    if (!mayBecome && makesRoles)
      await attempt(change, sql.raw(`execute format('grant ${CLIENT_ROLE} to %I', session_user)`));
    if ((await selectFacts(change)).exists) await grantTables(change, CLIENT_ROLE, 'secured tables');
  });
}

/** Another database's server may grant it at the same time, or an administrator may have revoked the right. */
export async function attempt(change: Change, statement: RawBuilder<unknown>): Promise<void> {
  await sql`do $$ begin ${statement}; exception
    when insufficient_privilege or duplicate_object or unique_violation or undefined_object then null; end $$`.execute(
    change,
  );
}

/**
 * Grants a role rights on the tables, either those with row-level security or all, but never update or delete on
 * append-only tables, nor anything on the list of migrations. Also grants it the views, which show only what the role
 * may see of their tables (`security_invoker`). Executes only what differs, so a start changes nothing that is already
 * right.
 */
export async function grantTables(
  change: Change,
  role: string,
  which: 'secured tables' | 'every table',
): Promise<void> {
  await sql`do $$
    declare
      relation record; allowed text[]; wanted text;
      grantee constant text := ${sql.lit(role)};
    begin
      if not has_schema_privilege(grantee, current_schema(), 'USAGE') then
        execute format('grant usage on schema %I to %I', current_schema(), grantee);
      end if;
      for relation in
        select oid::regclass as name, relrowsecurity as secured, relname in (${sql.join(referenceTables.map((table) => sql.lit(table)))}) as fixed,
          relname like 'kysely%' as of_migrations,
          relkind = 'v' or exists (select from pg_trigger
            where tgrelid = pg_class.oid and tgfoid = 'refuse_change()'::regprocedure) as added_to
        from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v')
          and not exists (select from pg_depend
            where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
      loop
        allowed := case
          when relation.of_migrations then '{}'::text[]
          when relation.added_to then '{SELECT,INSERT}'
          when relation.secured or ${sql.lit(which === 'every table')} then '{SELECT,INSERT,UPDATE,DELETE}'
          when relation.fixed then '{SELECT}'
          else '{}' end;
        foreach wanted in array '{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,TRIGGER}'::text[] loop
          if wanted = any (allowed) and not has_table_privilege(grantee, relation.name, wanted) then
            execute format('grant %s on %s to %I', wanted, relation.name, grantee);
          elsif not wanted = any (allowed) and has_table_privilege(grantee, relation.name, wanted) then
            execute format('revoke %s on %s from %I', wanted, relation.name, grantee);
          end if;
        end loop;
      end loop;
    end $$`.execute(change);
}
