import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/db/database.ts';
import { prepareClientRole } from '#server/db/roles/row-security.ts';
import { prepareServerRole, SERVER_ROLE } from '#server/db/roles/server-role.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { prepareJobs } from '#server/jobs/jobs.ts';
import { migrateTo } from '#server/migrations/migrate.ts';
import { queues } from '#server/queues.ts';
import { full } from '#testing/evidence/record.ts';
import { TEMPLATE_DATABASE } from './test-database.ts';

/** Vitest's global setup: one embedded cluster per run, with a migrated template that each test file copies. */
export default async function startCluster(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-test-'));
  // If this is root, PostgreSQL runs as another user, who needs access.
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    database: TEMPLATE_DATABASE,
    // The databases last for seconds, or an hour for a proof; nothing in them needs to survive a crash.
    settings: {
      max_connections: '300',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: full ? 'on' : 'off',
    },
  });
  const opened = openDatabase(postgres.connection, () => undefined);
  // Without the comparison with schema.json, which a new migration changes.
  await opened.db.inTransaction((change) => migrateTo(change, undefined));
  await prepareClientRole(opened.db);
  await prepareJobs(opened.pool, queues);
  await prepareServerRole(opened.db, { role: SERVER_ROLE, password: undefined });
  project.provide('unused', await unusedIn(opened.pool));
  await opened.close();
  const { host, port, user } = postgres.connection;
  project.provide('cluster', { host, port, user });
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The tables that migrations leave empty, and the sequences that they leave at their start. */
async function unusedIn(pool: Pool): Promise<ProvidedContext['unused']> {
  const { rows } = await pool.query<ProvidedContext['unused']>(
    `select
      (select array_agg(format('%I.%I', schemaname, tablename)) from pg_tables
        where schemaname in ('public', 'pgboss') and (xpath('/row/n/text()',
          query_to_xml(format('select count(*) as n from %I.%I', schemaname, tablename), false, true, '')))[1]::text = '0') as tables,
      (select array_agg(format('%I.%I', schemaname, sequencename)) from pg_sequences where last_value is null) as sequences`,
  );
  return rows[0] ?? { tables: [], sequences: [] };
}
