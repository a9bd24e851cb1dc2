import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { asAway, DatabaseAway, inRetryBudget, isAway, retryBudgetLeftMs } from '#server/db/connect/database-away.ts';
import { SocketClient } from './sockets.ts';

/** Called once when PostgreSQL goes away, and once when it is back, with the seconds that it took. */
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
 * A pool whose callers wait up to 3 s for a PostgreSQL that is away. Nothing has been sent at that point, so nothing
 * can happen twice. One caller tries to connect on behalf of all. If PostgreSQL was never reached, nobody waits.
 */
export class RetryingPool extends pg.Pool {
  readonly #settings: pg.PoolConfig;
  readonly #report: AwayReport;
  #wasThere = false;
  #awaySince: number | undefined;
  #waiting = 0;
  #lookout: Promise<void> | undefined;

  constructor(settings: pg.PoolConfig, report: AwayReport) {
    super({ ...settings, Client: SocketClient });
    this.#settings = settings;
    this.#report = report;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connected = this.#wasThere ? inRetryBudget(() => this.#wait()) : this.#try();
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(undefined, client, (remove) => client.release(remove === true || remove instanceof Error)),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), undefined, () => {}),
    );
    return undefined;
  }

  /** A separate connection without pipelining, for commands that the driver can't pipeline, such as COPY. */
  async connectAlone(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#settings, pipeline: false });
    client.on('error', () => undefined); // the next statement reports the error
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

  /** Settles when PostgreSQL can be tried again, or when nobody is waiting any more. */
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
      return isAway(error); // the waiting callers get any other error
    }
  }

  async #try(): Promise<pg.PoolClient> {
    try {
      const client = await super.connect();
      this.#wasThere = true;
      this.#noteBack();
      return client;
    } catch (thrown) {
      const error = asAway(thrown);
      if (!(error instanceof DatabaseAway)) throw error;
      this.#noteAway(error);
      const { message, code } = error;
      // Nothing can have been sent without a connection.
      throw new DatabaseAway(message, { ...(code && { code }), sent: false, cause: thrown });
    }
  }

  #noteAway({ message }: DatabaseAway): void {
    if (!this.#wasThere || this.#awaySince !== undefined) return;
    this.#awaySince = performance.now();
    this.#report.away(message);
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
