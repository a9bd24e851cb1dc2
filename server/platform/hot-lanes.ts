import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { asAway, DatabaseAway } from '#server/platform/database-away.ts';
import { HotBatch } from '#server/platform/hot-batch.ts';
import type { HotStatement } from '#server/platform/hot-session.ts';
import type { PatientPool } from '#server/platform/patient-pool.ts';
import { queryChannel, tellQuery } from '#server/platform/query-channel.ts';

/**
 * How hot statements reach PostgreSQL. A change waits for the disk at its COMMIT, and a pool of a dozen connections lets a dozen
 * wait together; so changes that find their lanes taken go with the next one there, all in one transaction with one COMMIT
 * (docs/decisions/0027-hot-paths.md has the figures). Nobody waits for company: a free lane takes what there is.
 */

/** Connections that changes of one statement take at once; the others are everybody else's. */
const LANES = 3;
/** So that one that breaks, by which all do, sends few back. */
const MOST_TOGETHER = 32;

/** Constraints (23), deadlocks (40), a claim without its change (platform/hot-change.ts): the statement did nothing. */
const UNDONE = /^(23...|40...|22012)$/;

interface Waiting {
  readonly values: readonly unknown[];
  readonly resolve: (found: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  readonly waiting: Waiting[];
  busy: number;
}

export class HotLanes {
  readonly #pool: PatientPool;
  readonly #lanes = new Map<string, Lane>();
  /** What goes together is no one request's work, nor counts its patience. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(pool: PatientPool) {
    this.#pool = pool;
  }

  /** Sends a statement by itself; its rows, none where it undid itself. */
  async ask<Row extends pg.QueryResultRow>(
    { name, text }: HotStatement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return onConnection(this.#pool.connect(), async (client) => {
      const { rows } = await client.query<Row>({ name, text, values: [...values] });
      return rows;
    }).catch(noneIfUndone);
  }

  /**
   * Sends a change, perhaps with others of the same statement in one transaction; the first column of its one row as text, once
   * it is committed. Undefined where it found nothing to do, or undid itself.
   */
  change(statement: HotStatement, values: readonly unknown[]): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const lane = this.#lanes.get(statement.name) ?? { waiting: [], busy: 0 };
    this.#lanes.set(statement.name, lane);
    lane.waiting.push({ values, resolve, reject });
    // What is sent is sent for several; this is the part of it that is this request's.
    if (queryChannel.hasSubscribers) tellQuery(statement.text, promise);
    this.#next(statement, lane);
    return promise;
  }

  #next(statement: HotStatement, lane: Lane): void {
    if (lane.busy === LANES || lane.waiting.length === 0) return;
    const together = lane.waiting.splice(0, MOST_TOGETHER);
    lane.busy += 1;
    void this.#outside(() => this.#send(statement, together)).finally(() => {
      lane.busy -= 1;
      this.#next(statement, lane);
    });
  }

  /** Settles each of them, and never throws. */
  async #send(statement: HotStatement, together: readonly Waiting[]): Promise<void> {
    try {
      // A request's 3 s are for the general way: waiting here, and in line for it, would come on top of them.
      const found = await onConnection(this.#pool.connectIfThere(), (client) => {
        const batch = new HotBatch(
          statement,
          together.map(({ values }) => values),
        );
        client.query(batch);
        return batch.result;
      });
      for (const [place, { resolve }] of together.entries()) resolve(found[place]);
    } catch (error) {
      // One that broke took the others with it, and all of it is undone: now each by itself.
      if (together.length > 1 && isAnswer(error)) for (const each of together) await this.#send(statement, [each]);
      else if (isUndone(error)) for (const { resolve } of together) resolve(undefined);
      else for (const { reject } of together) reject(error);
    }
  }
}

/** A connection that PostgreSQL answered on, though it be with an error, is as good as before. */
async function onConnection<Result>(
  connected: Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connected;
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(!isAnswer(error));
    throw error;
  }
}

/** PostgreSQL refused it, and is there: whatever the transaction did is undone. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !(asAway(error) instanceof DatabaseAway);
}

function isUndone(error: unknown): boolean {
  return error instanceof pg.DatabaseError && UNDONE.test(error.code ?? '');
}

function noneIfUndone(error: unknown): [] {
  if (isUndone(error)) return [];
  throw error;
}
