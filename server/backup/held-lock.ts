import type { Pool, PoolClient } from 'pg';
import { codeOf } from '#server/machine/error-codes.ts';
import { BackupError } from './backup-error.ts';

/** A lock held by a transaction on its own connection, which also works through PgBouncer. */
export interface Held {
  /** Throws if the lock was lost because its connection was. */
  check(): Promise<void>;
  release(): Promise<void>;
}

const ALONE_WITHIN_MS = 10_000;

/**
 * Takes an exclusive advisory lock by that name. Waits for a holder that soon releases it, and throws {@link
 * BackupError} with `whenTaken` otherwise.
 */
export async function holdLock(pool: Pool, name: string, whenTaken: string): Promise<Held> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await client.query(`set local lock_timeout = ${ALONE_WITHIN_MS}`);
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [name]);
  } catch (error) {
    client.release(true);
    throw codeOf(error) === '55P03' ? new BackupError(whenTaken) : error;
  }
  return { check: () => check(client), release: () => release(client) };
}

async function check(client: PoolClient): Promise<void> {
  await client.query('select 1');
}

/** Never throws: a transaction ends with its connection. */
async function release(client: PoolClient): Promise<void> {
  const broken = await client.query('commit').then(
    () => false,
    () => true,
  );
  client.release(broken);
}
