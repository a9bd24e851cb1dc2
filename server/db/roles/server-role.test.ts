import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { startHere, temporaryFolder } from '#server/embedded-postgres/launcher.harness.ts';
import { connectDatabase, StartError } from '#server/installation/connect.ts';
import { migrate } from '#server/migrations/migrate.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { appOfFile } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import { CLIENT_ROLE } from './row-security.ts';
import { findExcess, prepareServerRole, SERVER_ROLE } from './server-role.ts';

const test = appOfFile();

/** Attacks by somebody with the server's connection. Each would allow an unnoticed change of the log. */
const attempts = [
  'alter table audit_events disable trigger all',
  'alter table audit_events disable trigger audit_events_append_only',
  'drop trigger audit_events_append_only on audit_events',
  'alter table ledger_entries disable row level security',
  'alter table invoices drop constraint invoices_two_officers',
  'alter table audit_events owner to kasente_server',
  'alter function chain_audit_event() owner to kasente_server',
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'create table other (id integer)',
  'create function other() returns integer language sql as $$ select 1 $$',
  'drop table audit_anchors',
  'drop policy own_rows on invoices',
  'create role other',
  'alter role kasente_server superuser',
  'set session_replication_role = replica',
  'set session authorization kasente',
  'set role kasente',
  'update kysely_migration set name = name',
  'update kysely_applied set oldest_release = null',
  "select pg_read_file('/etc/passwd')",
  "copy audit_events to program 'cat'",
];

/** The append-only tables, according to the database's triggers. */
async function appendOnlyTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct tgrelid::regclass::text as name from pg_trigger
    where tgfoid = 'refuse_change()'::regprocedure order by 1`.execute(test.database.owner.db);
  return rows.map(({ name }) => name);
}

async function refusals(statements: readonly string[], { db }: Pick<OpenDatabase, 'db'>): Promise<string[]> {
  const undone = new Error('undone');
  const allowed: string[] = [];
  for (const statement of statements) {
    const attempt = db.inTransaction(async (change) => {
      await sql.raw(statement).execute(change);
      throw undone;
    });
    const error: unknown = await attempt.catch((thrown: unknown) => thrown);
    if (error === undone) allowed.push(statement);
    else if (!(error instanceof pg.DatabaseError && error.code === '42501')) throw error;
  }
  return allowed;
}

/** A column to update in tables without an id. */
const withoutId: Readonly<Record<string, string>> = {
  audit_anchor_heads: 'sequence = 1',
  key_facts_acceptances: "version = ''",
  counter_offer_acceptances: "version = ''",
  journal_lines: 'amount = 1',
  matched_statements: 'matched_at = now()',
  repayment_reminders: 'day = 0',
};

describe('the server’s role', () => {
  it('can’t disable or alter anything, or change append-only tables', async () => {
    const tables = await appendOnlyTables();
    expect(tables).toEqual(
      expect.arrayContaining([
        'audit_events',
        'audit_anchors',
        'application_steps',
        'journal_entries',
        'journal_lines',
      ]),
    );
    const changes = tables.flatMap((table) => [
      `update ${table} set ${withoutId[table] ?? 'id = default'}`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
      `alter table ${table} disable trigger user`,
    ]);
    const tried = [...attempts, ...changes];
    // The canary: the owner can do much of it, so the statements themselves are valid.
    const asOwner = [
      'drop table audit_anchors cascade',
      ...attempts.filter((text) => /^(alter table|drop trigger)/.test(text)),
    ];
    expect(await refusals(asOwner, test.database.owner)).toEqual(asOwner);
    canaryFound('server-role', `${asOwner.length} statements that the tables' owner may run`);
    expect(await refusals(tried, test.platform)).toEqual([]);
    for (const role of [SERVER_ROLE, CLIENT_ROLE]) {
      const { rows } =
        await sql`select relname, privilege_type from pg_class, aclexplode(relacl) join pg_roles r on r.oid = grantee
        where rolname = ${role} and (privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
          or (privilege_type in ('UPDATE', 'DELETE') and relname in (${sql.join(tables)})))`.execute(
          test.database.owner.db,
        );
      // Ids of messages are reserved before the messages are written.
      const ids = { relname: 'messages_id_seq', privilege_type: 'USAGE' };
      expect(rows, role).toEqual(role === SERVER_ROLE ? [ids] : []);
    }
    expect(await findExcess(test.platform.db)).toBeUndefined();
    proved(
      'server-role',
      `${tried.length} statements refused to the server's role, on ${tables.length} append-only tables among them`,
    );
  });

  it('is prepared while another server reads the schema, without a deadlock', async () => {
    const { owner } = test.database;
    const role = `kasente_server_${randomUUID().slice(0, 8)}`;
    const { rows } = await sql<{ table: string }>`
      select relname as table from pg_class where relnamespace = current_schema()::regnamespace and relrowsecurity
        and relname <> 'imported_lines'`.execute(owner.db);
    let preparing: Promise<void> | undefined;
    await owner.db.inTransaction(async (change) => {
      await sql`select from imported_lines limit 0`.execute(change);
      preparing = prepareServerRole(owner.db, { role, password: 'Prepared-here-1' });
      await until(async () => {
        const { rows: waiting } = await sql`select from pg_locks where not granted
          and relation = 'imported_lines'::regclass`.execute(owner.db);
        return waiting.length > 0;
      });
      for (const { table } of rows) await sql`select from ${sql.table(table)} limit 0`.execute(change);
    });
    await preparing;
    const policies = await sql`select from pg_policies where policyname = ${`every row for ${role}`}`.execute(owner.db);
    expect(policies.rows).toHaveLength(rows.length + 1);
    await sql`drop owned by ${sql.id(role)}`.execute(owner.db);
    await sql`drop role ${sql.id(role)}`.execute(owner.db);
  });

  it('sees every row through an index, as the owner does', async () => {
    const plan = async ({ db }: Pick<OpenDatabase, 'db'>): Promise<string> => {
      const { rows } = await db.inTransaction(async (change) => {
        await sql`set local enable_seqscan = off`.execute(change);
        return sql<Record<string, string>>`explain (costs off)
          select id from businesses where lower(name) like '%one%'`.execute(change);
      });
      return JSON.stringify(rows);
    };
    const own = await plan(test.platform);
    expect(own).toContain('Index');
    expect(own).toBe(await plan(test.database.owner));
  });
});

describe('a start', () => {
  it('switches an older embedded database from the owner to the server’s role', async () => {
    const dataDir = await temporaryFolder();
    const postgres = await startHere(dataDir);
    const before = openDatabase(postgres.connection, () => undefined);
    await migrate(before.db);
    await before.pool.query(`grant select, insert, update, delete on all tables in schema public to ${CLIENT_ROLE}`);
    await before.close();
    const { opened, lines } = await connect({ DATA_DIR: dataDir });
    try {
      expect(await whoIs(opened)).toBe(SERVER_ROLE);
      expect(lines).toEqual([]);
      expect(await findExcess(opened.db)).toBeUndefined();
      const { rows } = await opened.pool.query(
        `select has_table_privilege('${CLIENT_ROLE}', 'audit_events', 'UPDATE') as client`,
      );
      expect(rows).toEqual([{ client: false }]);
    } finally {
      await opened.close();
    }
  });

  it('creates the role in an operator’s database if it may, or logs what to do', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'hba'));
    const hba = join(folder, 'hba/pg_hba.conf');
    const asked = ['maker', 'plain', 'runner', 'kasente_server_maker'].map(
      (role) => `local all ${role} scram-sha-256\n`,
    );
    await writeFile(hba, [...asked, 'local all all trust\n'].join(''));
    const postgres = await startHere(join(folder, 'data'), { settings: { fsync: 'off', hba_file: hba } });
    const { host, port } = postgres.connection;
    const urlOf = (role: string, database: string, password = `of ${role}`): string =>
      `postgres://${role}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
    const administrator = new pg.Client(postgres.connection);
    await administrator.connect();
    try {
      await administrator.query(`create role maker login createrole password 'of maker'`);
      await administrator.query(`create role plain login password 'of plain'`);
      await administrator.query('create database maker owner maker');
      await administrator.query('create database plain owner plain');

      const made = await connect({ DATABASE_URL: urlOf('maker', 'maker') });
      expect(await whoIs(made.opened)).toBe('kasente_server_maker');
      expect(made.lines).toEqual([]);
      await made.opened.close();

      // If the owner's password changes, the server's changes, too.
      await administrator.query(`alter role maker password 'new'`);
      const renewed = await connect({ DATABASE_URL: urlOf('maker', 'maker', 'new') });
      expect(await whoIs(renewed.opened)).toBe('kasente_server_maker');
      await renewed.opened.close();

      const refused = await connect({ DATABASE_URL: urlOf('plain', 'plain') });
      expect(await whoIs(refused.opened)).toBe('plain');
      expect(refused.lines).toEqual([
        expect.objectContaining({
          msg: 'the server works as the owner of its tables',
          problem: expect.stringContaining('DATABASE_OWNER_URL'),
        }),
      ]);
      await refused.opened.close();

      // Executes the advice in the message.
      await administrator.query(
        `create role runner login noinherit password 'of runner'; grant ${CLIENT_ROLE} to runner`,
      );
      await administrator.query(`grant ${CLIENT_ROLE} to plain`);
      const done = await connect({
        DATABASE_URL: urlOf('runner', 'plain'),
        DATABASE_OWNER_URL: urlOf('plain', 'plain'),
      });
      expect(await whoIs(done.opened)).toBe('runner');
      expect(done.lines).toEqual([]);
      await done.opened.close();

      const [runner, plain] = [urlOf('runner', 'plain'), urlOf('plain', 'plain')];
      const wrong: [url: string, ownerUrl: string, sentence: RegExp][] = [
        [urlOf('runner', 'plain', 'wrong'), plain, /^DATABASE_URL: the server's role "runner" cannot log in/],
        [urlOf('nobody', 'plain'), plain, /^DATABASE_URL: the server's role "nobody" cannot log in/],
        ['postgres://runner:x@127.0.0.1:1/plain', plain, /^the database 127\.0\.0\.1:1\/plain .* that DATABASE_URL is/],
        [urlOf('runner', 'absent'), plain, /^the database .*\/absent cannot be used .* that DATABASE_URL is right/],
        [urlOf('runner', 'maker'), plain, /^DATABASE_URL and DATABASE_OWNER_URL name different databases/],
        [urlOf('kasente', 'plain', ''), plain, /^DATABASE_URL: the role "kasente" may do everything/],
        [runner, urlOf('plain', 'plain', 'wrong'), /that DATABASE_OWNER_URL is right/],
        [runner, 'postgres://plain:x@127.0.0.1:1/plain', /that DATABASE_OWNER_URL is right/],
        [plain, runner, /^DATABASE_OWNER_URL names the role "runner", but "plain" owns the tables/],
        [plain, urlOf('maker', 'plain', 'new'), /^DATABASE_OWNER_URL names the role "maker", but "plain" owns/],
      ];
      for (const [DATABASE_URL, DATABASE_OWNER_URL, sentence] of wrong) {
        const error: unknown = await connect({ DATABASE_URL, DATABASE_OWNER_URL }).catch((thrown: unknown) => thrown);
        expect(error, String(sentence)).toBeInstanceOf(StartError);
        expect(error).toHaveProperty('message', expect.stringMatching(sentence));
      }
      await expect(connect({ DATABASE_URL: runner })).rejects.toThrow(
        /^DATABASE_URL names the role "runner", but "plain" owns the tables/,
      );
      await administrator.query('create database others');
      await expect(connect({ DATABASE_URL: urlOf('plain', 'others') })).rejects.toThrow(
        /^DATABASE_URL names the role "plain", which may not create tables in the database "others"/,
      );
    } finally {
      await administrator.end();
    }
  });
});

/** Connects as a server's start does. Also returns the logged warnings. */
async function connect(env: Record<string, string>): Promise<{ opened: OpenDatabase; lines: unknown[] }> {
  const lines: unknown[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const opened = await connectDatabase(readConfig(env), log, () => undefined, {
    prepare: async ({ db }) => {
      await migrate(db);
    },
  });
  return { opened, lines };
}

async function whoIs({ pool }: OpenDatabase): Promise<unknown> {
  const { rows } = await pool.query<{ name: string }>('select session_user::text as name');
  return rows[0]?.name;
}
