import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { SERVER_ROLE } from '#server/db/roles/server-role.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's embedded cluster (testing/test-cluster.ts). */
    cluster: { readonly host: string; readonly port: number; readonly user: string };
    /** The template's empty tables, and its sequences still at their start. */
    unused: { readonly tables: readonly string[]; readonly sequences: readonly string[] };
  }
}

export const TEMPLATE_DATABASE = 'kasente_template';

/** A private database, copied from the migrated template; `drop` deletes it. */
export interface TestDatabase extends OpenDatabase {
  readonly name: string;
  /** Connects as the owner of the tables, for statements that the server's role may not run. */
  readonly owner: OpenDatabase;
  /** Deletes the rows that tests made, even in append-only tables, but none of the template's; ids start again. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

/** Copies the template into a new database of the run's cluster. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template ${TEMPLATE_DATABASE} strategy file_copy`);
  const opened = openDatabase({ ...inject('cluster'), user: SERVER_ROLE, database: name }, () => undefined);
  const owner = openDatabase({ ...inject('cluster'), database: name }, () => undefined);
  return {
    ...opened,
    name,
    owner,
    empty: async () => {
      const { tables, sequences } = inject('unused');
      await owner.pool.query(
        [
          'begin',
          'set local session_replication_role = replica', // skips triggers and foreign keys
          ...tables.map((table) => `delete from ${table}`),
          `select setval(name, 1, false) from unnest('{${sequences.join()}}'::regclass[]) as name
            where pg_sequence_last_value(name) is not null`,
          'commit',
        ].join(';'),
      );
    },
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
