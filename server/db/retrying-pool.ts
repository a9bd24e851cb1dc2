import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { asAway, DatabaseAway, inRetryBudget, isAway, retryBudgetLeftMs } from '#server/db/connect/database-away.ts';
import { watchForSilence } from './silence-watch.ts';
import { SocketClient } from './sockets.ts';

/** Called once when PostgreSQL goes away, and once, with the seconds it took, when it is back. */
export interface AwayReport {
  away(reason: string): void;
  back(seconds: number): void;
}

/** How often a waiting caller checks whether PostgreSQL is back. */
const LOOK_EVERY_MS = 50;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (remove?: unknown) => void,
) => void;

/**
 * A pool whose callers wait up to 3 s for a PostgreSQL that is away: nothing was sent yet, so nothing can happen twice.
 * One caller tries for all of them. Of several servers it uses the one that accepts writes, like libpq's
 * `target_session_attrs=read-write`. A PostgreSQL that was never reached is not waited for.
 */
export class RetryingPool extends pg.Pool {
  readonly #servers: readonly pg.ClientConfig[];
  readonly #settings: pg.PoolConfig;
  /** Of several servers, the one that is used. */
  readonly #used: { server: pg.ClientConfig | undefined };
  readonly #report: AwayReport;
  readonly #endWatch: () => void;
  #wasThere = false;
  #awaySince: number | undefined;
  #waiting = 0;
  #lookout: Promise<void> | undefined;

  /** `servers`: where each possible primary is. */
  constructor(settings: pg.PoolConfig, servers: readonly pg.ClientConfig[], report: AwayReport) {
    const used = { server: servers[0] };
    const several = servers.length > 1 ? { verify: refuseStandby } : {};
    super({ ...settings, ...several, ...{ Client: SocketClient, serverNow: () => used.server } });
    this.#servers = servers;
    this.#settings = settings;
    this.#used = used;
    this.#report = report;
    this.#endWatch = watchForSilence(this, settings, (server) =>
      this.#noteAway(new DatabaseAway('PostgreSQL does not answer'), server),
    );
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    this.#endWatch();
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connected = this.#wasThere ? inRetryBudget(() => this.#wait()) : this.#tryEach();
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(undefined, client, (remove) => client.release(remove === true || remove instanceof Error)),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), undefined, () => {}),
    );
    return undefined;
  }

  /** A separate connection without pipelining, for what the driver cannot pipeline, such as COPY. */
  async connectAlone(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#settings, ...this.#used.server, pipeline: false });
    client.on('error', () => undefined); // the next statement reports it
    await client.connect();
    return client;
  }

  async #wait(): Promise<pg.PoolClient> {
    for (;;) {
      if (this.#lookout === undefined) {
        try {
          return await this.#try();
        } catch (error) {
          if (!isAway(error) || retryBudgetLeftMs() <= 0) throw error;
        }
      }
      this.#lookout ??= this.#lookOut();
      this.#waiting += 1;
      const back = await isDoneWithin(this.#lookout, retryBudgetLeftMs());
      this.#waiting -= 1;
      if (!back) throw new DatabaseAway('PostgreSQL is away', { sent: false });
    }
  }

  /** Settles when PostgreSQL can be tried again, or nobody waits any longer. */
  async #lookOut(): Promise<void> {
    do {
      await setTimeout(LOOK_EVERY_MS);
    } while (this.#waiting > 0 && (await this.#isAway()));
    this.#lookout = undefined;
  }

  async #isAway(): Promise<boolean> {
    try {
      (await this.#try()).release();
      return false;
    } catch (error) {
      return isAway(error); // the waiting callers see any other error
    }
  }

  /** At the start each server is tried once. */
  async #tryEach(): Promise<pg.PoolClient> {
    for (let asked = 1; ; asked += 1) {
      try {
        return await this.#try();
      } catch (error) {
        if (!isAway(error) || asked >= this.#servers.length) throw error;
      }
    }
  }

  async #try(): Promise<pg.PoolClient> {
    const { server } = this.#used;
    try {
      const client = await super.connect();
      this.#wasThere = true;
      this.#noteBack();
      return client;
    } catch (thrown) {
      const error = asAway(thrown);
      if (!(error instanceof DatabaseAway)) throw error;
      this.#noteAway(error, server);
      const { message, code } = error;
      // Without a connection nothing can have been sent.
      throw new DatabaseAway(message, { ...(code && { code }), sent: false, cause: thrown });
    }
  }

  #noteAway({ message }: DatabaseAway, server: pg.ClientConfig | undefined): void {
    if (this.#wasThere && this.#awaySince === undefined) {
      this.#awaySince = performance.now();
      this.#report.away(message);
    }
    // Of several concurrent failures only the first switches to the next server.
    if (server === undefined || server !== this.#used.server) return;
    this.#used.server = this.#servers[(this.#servers.indexOf(server) + 1) % this.#servers.length];
  }

  #noteBack(): void {
    if (this.#awaySince === undefined) return;
    this.#report.back(Math.round((performance.now() - this.#awaySince) / 100) / 10);
    this.#awaySince = undefined;
  }
}

async function isDoneWithin(work: Promise<void>, ms: number): Promise<boolean> {
  if (ms <= 0) return false;
  const timeout = new AbortController();
  const late = setTimeout(ms, false, { signal: timeout.signal }).catch(() => false);
  const done = await Promise.race([work.then(() => true), late]);
  timeout.abort();
  return done;
}

/** A server that accepts no writes counts as away: a standby, or a demoted primary. */
function refuseStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ transaction_read_only: string }>('show transaction_read_only')
    .then(
      ({ rows: [row] }) =>
        row?.transaction_read_only === 'off'
          ? done()
          : done(new DatabaseAway('this PostgreSQL is a standby', { code: '25006', sent: false })),
      done,
    );
}
