import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { SERVER_ROLE } from '#server/db/roles/server-role.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's embedded cluster (testing/test-cluster.ts). */
    cluster: { readonly host: string; readonly port: number; readonly user: string };
  }
}

export const TEMPLATE_DATABASE = 'kasente_template';

/** A database of one's own, copied from the migrated template; dropped with `drop`. */
export interface TestDatabase extends OpenDatabase {
  readonly name: string;
  /** The owner of the tables, for what the server's own role must not do. */
  readonly owner: OpenDatabase;
  drop(): Promise<void>;
}

/** Copies the template into a fresh database on the run's cluster. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template ${TEMPLATE_DATABASE}`);
  const opened = openDatabase({ ...inject('cluster'), user: SERVER_ROLE, database: name }, () => undefined);
  const owner = openDatabase({ ...inject('cluster'), database: name }, () => undefined);
  return {
    ...opened,
    name,
    owner,
    drop: async () => {
      await opened.close();
      await owner.close();
      await administer(`drop database ${name} with (force)`);
    },
  };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ ...inject('cluster'), database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
