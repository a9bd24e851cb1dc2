import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { RetryingPool } from '#server/db/retrying-pool.ts';

/**
 * Detects an unsuitable pooler in front of PostgreSQL before the first request: one that gives each statement another
 * connection, or that loses prepared statements between transactions, as PgBouncer did before 1.21.
 */

const WAY_OUT =
  'Set pool_mode = session; or pool_mode = transaction with PgBouncer 1.21 or later and max_prepared_statements above 0; or name PostgreSQL itself in DATABASE_URL';

/**
 * Returns a message about an unsuitable pooler, or undefined. Changes nothing. Throws all other errors of PostgreSQL.
 */
export async function findUnfitPooler(pool: Pick<RetryingPool, 'connect'>): Promise<string | undefined> {
  const clients: PoolClient[] = [];
  try {
    const one = await pool.connect();
    clients.push(one);
    const other = await pool.connect();
    clients.push(other);
    const reason = await findUnfit(one, other);
    return reason && `the pooler that DATABASE_URL names ${reason}. ${WAY_OUT}.`;
  } finally {
    // Closes the connection with its prepared statements, and with a transaction that may still be open.
    for (const client of clients) client.release(true);
  }
}

/**
 * Runs two transactions on one connection, with another connection's transaction in between. A pooler that shares
 * connections mixes up their statements.
 */
async function findUnfit(one: PoolClient, other: PoolClient): Promise<string | undefined> {
  const probe = { name: `kasente_probe_${randomBytes(8).toString('hex')}`, text: 'select $1::int as one', values: [1] };
  try {
    await one.query(probe);
    await other.query('begin');
    await other.query('select 1'); // a pooler with a connection per statement has refused the transaction by now
    await other.query(probe);
    await one.query(probe);
    await other.query('commit');
    await one.query(probe);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The errors of PgBouncer and PostgreSQL for unsuitable poolers; other errors have other causes. */
function reasonOf(error: unknown): string {
  const [code, message] = error instanceof Error ? [Reflect.get(error, 'code'), error.message] : [undefined, ''];
  // "prepared statement … does not exist", "… already exists"
  if (code === '26000' || code === '42P05') return 'loses prepared statements between two transactions';
  if (/transaction blocks not allowed|statement pooling/i.test(message)) {
    return 'gives each statement another connection (pool_mode = statement)';
  }
  throw error;
}
