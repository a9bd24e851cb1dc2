import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { isAway } from '#server/db/connect/database-away.ts';
import { breakOff, serverOf } from './sockets.ts';

/** After how long in use a connection's PostgreSQL is checked. */
const SUSPICIOUS_MS = 1_000;
const LOOK_EVERY_MS = 1_000;
const ASK_WITHIN_MS = 2_000;
/** A busy machine may be late once. */
const FAILURES = 2;

/**
 * A lost machine closes no connections: statements would hang for a quarter of an hour, until the network gives up. So
 * while connections are long in use, another one to the same PostgreSQL is tried; after two failures all of its
 * connections are dropped, and `fellSilent` is called with it. Returns a function that ends the watch.
 */
export function watchForSilence(
  pool: pg.Pool,
  settings: pg.ClientConfig,
  fellSilent: (server: pg.ClientConfig | undefined) => void,
): () => void {
  const inUseSince = new Map<pg.PoolClient, number>();
  pool.on('connect', (client) => inUseSince.set(client, Number.POSITIVE_INFINITY));
  pool.on('acquire', (client) => inUseSince.set(client, performance.now()));
  pool.on('release', (_error, client) => inUseSince.set(client, Number.POSITIVE_INFINITY));
  pool.on('remove', (client) => inUseSince.delete(client));

  const look = async (): Promise<void> => {
    const longAgo = performance.now() - SUSPICIOUS_MS;
    const suspects = [...inUseSince].filter(([, since]) => since < longAgo);
    for (const server of new Set(suspects.map(([client]) => serverOf(client)))) {
      if (await answers({ ...settings, ...server })) continue;
      fellSilent(server);
      for (const client of inUseSince.keys()) if (serverOf(client) === server) breakOff(client);
    }
  };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Whether PostgreSQL accepts a connection or refuses it itself: either way it is there. */
async function answers(settings: pg.ClientConfig): Promise<boolean> {
  for (let failures = 0; failures < FAILURES; failures += 1) {
    const client = new pg.Client({ ...settings, connectionTimeoutMillis: ASK_WITHIN_MS });
    client.on('error', () => undefined); // connect() fails with it
    try {
      await client.connect();
      return true;
    } catch (error) {
      if (!isAway(error)) return true;
    } finally {
      client.end().catch(() => undefined);
    }
  }
  return false;
}
