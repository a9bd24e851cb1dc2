import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/db/database.ts';
import { prepareClientRole } from '#server/db/roles/row-security.ts';
import { prepareServerRole, SERVER_ROLE } from '#server/db/roles/server-role.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { prepareJobs } from '#server/jobs/jobs.ts';
import { migrateTo } from '#server/migrations/migrate.ts';
import { queues } from '#server/queues.ts';
import { full } from '#server/testing/evidence/record.ts';
import { TEMPLATE_DATABASE } from './test-database.ts';

/** Vitest's global setup: one embedded cluster per run, with a migrated template that each test file copies. */
export default async function startCluster(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-test-'));
  // If this is root, PostgreSQL runs as another user, who must be able to enter.
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    database: TEMPLATE_DATABASE,
    // Its databases last for seconds, those of a proof for up to an hour: nothing is worth saving from a crash.
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
  await opened.close();
  const { host, port, user } = postgres.connection;
  project.provide('cluster', { host, port, user });
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
