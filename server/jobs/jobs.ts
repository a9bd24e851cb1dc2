import { setTimeout as wait } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { type JobInsert, type JobResult, type JobWithMetadata, PgBoss, type QueueOptions } from 'pg-boss';
import { z } from 'zod';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { type Connection, write } from '#server/db/database.ts';
import type { RetryingPool } from '#server/db/retrying-pool.ts';
import type { Clock } from '#server/machine/clock.ts';
import type { Log } from '#server/observability/logging.ts';

/**
 * Background jobs on the same PostgreSQL (pg-boss, docs/decisions/0004-outbox.md). Several servers share one database:
 * each job runs on one of them at a time, and again on another if that one dies.
 */

/** A queue of jobs: their data, and how they are retried. */
export interface JobQueue<Data extends object = object> {
  readonly name: string;
  readonly data: z.ZodType<Data>;
  readonly options: QueueOptions & { readonly deadLetter?: string };
}

/** A job to be added. */
export type Job<Data extends object> = { readonly data: Data } & Pick<
  JobInsert,
  'group' | 'priority' | 'retryBackoff' | 'retryDelayMax' | 'startAfter'
>;

/** Whether a job is done, or is to be retried until the queue's retries are used up. */
export type JobOutcome = { readonly done: true } | { readonly done: false; readonly reason: string };

/** The worker of a queue. */
export interface JobWorker {
  readonly queue: JobQueue;
  readonly pollSeconds: number;
  /** The number of loops that fetch jobs, `batch` at a time. A slow job delays only the batch of its own loop. */
  readonly loops: number;
  readonly batch: number;
  /**
   * The most jobs of one group that run at once in this process; less than `loops`, so that a slow group leaves loops
   * free.
   */
  readonly perGroup?: number;
  run(data: unknown): Promise<JobOutcome>;
}

/** A periodic task that one of the servers runs. */
export interface Sweep {
  readonly everyMinutes: 1 | 5 | 15 | 60;
  run(): Promise<void>;
}

/** Everything that runs in the background. */
export interface JobPlan {
  /** Every queue, dead-letter queues first, including queues without a worker here. */
  readonly queues: readonly JobQueue[];
  readonly workers: readonly JobWorker[];
  readonly sweeps: Readonly<Record<string, Sweep>>;
}

/**
 * Adds jobs, and keeps the results of each queue in this process: the time of the last success, and the number of
 * failures.
 */
export class Jobs {
  readonly #succeededAt = new Map<string, Date>();
  readonly #failed = new Map<string, number>();
  readonly #sender: PgBoss;
  /** Queues whose settings the sending library has cached. */
  readonly #warm = new Set<string>();

  constructor(pool: pg.Pool) {
    this.#sender = new PgBoss({ db: poolExecutor(pool), supervise: false, schedule: false });
  }

  /** Adds jobs in a transaction, so that both happen or neither. Does not need a running worker. */
  async add<Data extends object>(
    connection: Connection,
    queue: JobQueue<Data>,
    jobs: readonly Job<Data>[],
  ): Promise<void> {
    if (jobs.length === 0) return;
    const sender = this.#warm.has(queue.name) ? this.#sender : new PgBoss({ db: readerOn(connection) });
    const executeSql = async (text: string, values: unknown[] = []) => {
      await write(connection, CompiledQuery.raw(text, values));
      return { rows: [] }; // nobody needs the jobs' ids
    };
    await sender.insert(queue.name, [...jobs], { db: { executeSql } });
  }

  /** Fetches a queue's settings in advance, so that nobody who adds a job waits for them. */
  async warm(queue: JobQueue): Promise<void> {
    await this.#sender.insert(queue.name, []);
    this.#warm.add(queue.name);
  }

  /** Starts counting for a queue. Until its first success, `now` counts as the time of the last one. */
  begin(queue: string, now: Date): void {
    this.#succeededAt.set(queue, now);
    this.#failed.set(queue, 0);
  }

  succeeded(queue: string, now: Date): void {
    this.#succeededAt.set(queue, now);
  }

  failed(queue: string): void {
    this.#failed.set(queue, (this.#failed.get(queue) ?? 0) + 1);
  }

  /** The time of the last success, by queue. */
  get lastSuccesses(): ReadonlyMap<string, Date> {
    return this.#succeededAt;
  }

  /** The number of failures, by queue. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failed;
  }
}

export interface RunningJobs {
  /** Stops fetching jobs, and waits at most this long for running ones. */
  stop(timeoutMs?: number): Promise<void>;
}

/** A worker whose jobs' data is parsed by the queue's schema before `run` sees it. */
export function jobWorker<Data extends object>(
  queue: JobQueue<Data>,
  pace: Pick<JobWorker, 'pollSeconds' | 'loops' | 'batch' | 'perGroup'>,
  run: (data: Data) => Promise<JobOutcome>,
): JobWorker {
  return { queue, ...pace, run: (data) => run(queue.data.parse(data)) };
}

/** Creates or updates the library's tables, as their owner, and creates the queues. */
export async function prepareJobs(pool: pg.Pool, queues: readonly JobQueue[]): Promise<void> {
  const boss = new PgBoss({ db: poolExecutor(pool), supervise: false, schedule: false });
  await oneServerAtATime(pool, async () => {
    await boss.start();
    await prepareQueues(boss, queues);
  });
  await boss.stop({ graceful: false });
}

/** The parts of the platform that jobs need. */
interface JobPlatform {
  readonly pool: RetryingPool;
  readonly log: Log;
  readonly clock: Clock;
  readonly jobs: Jobs;
}

/** How often to look for jobs of dead servers. A queue's `heartbeatSeconds` decides when a server counts as dead. */
const SUPERVISE_SECONDS = 10;

/** Shorter than the server's own timeout for stopping. */
const STOP_WITHIN_MS = 8_000;

/**
 * Starts the plan's workers and sweeps; call {@link prepareJobs} first. If the database is unreachable, logs that and
 * waits for it; throws nothing once started.
 */
export async function startJobs(platform: JobPlatform, plan: JobPlan): Promise<RunningJobs> {
  const { pool, log, clock, jobs: outcomes } = platform;
  const boss = new PgBoss({
    db: poolExecutor(pool),
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  reportFaults(boss, log);
  try {
    const sweepers = await oneServerAtATime(pool, async () => {
      await boss.start();
      await prepareQueues(boss, plan.queues);
      for (const queue of plan.queues) await outcomes.warm(queue);
      return scheduleSweeps(boss, plan.sweeps);
    });
    const workers = [...plan.workers, ...sweepers];
    for (const worker of workers) {
      outcomes.begin(worker.queue.name, clock.now());
      await startWorker(boss, worker, platform);
    }
    return { stop: (timeoutMs = STOP_WITHIN_MS) => stopJobs(boss, workers, timeoutMs) };
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

/**
 * Runs the work while holding a lock. The library creates its schema before it takes its own lock, so concurrent starts
 * on an empty database would collide. The lock belongs to a transaction, so it also works through PgBouncer.
 */
async function oneServerAtATime<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query("select pg_advisory_xact_lock(hashtext('kasente jobs'))");
    const result = await work();
    await client.query('commit');
    return result;
  } finally {
    client.release(true); // an open transaction ends with its connection
  }
}

/** Reads for the library on the given connection. While we hold that one, another may not be free. */
function readerOn(connection: Connection) {
  return {
    executeSql: async (text: string, values: unknown[] = []) => {
      const { rows } = await connection.executeQuery(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}

/**
 * Runs the library's queries on the server's pool, but with the driver's default type parsers, because ours convert
 * money.
 */
function poolExecutor(pool: pg.Pool) {
  const types = { getTypeParser: pg.types.getTypeParser };
  return { executeSql: (text: string, values: unknown[] = []) => pool.query({ text, values, types }) };
}

async function prepareQueues(boss: PgBoss, queues: readonly (JobQueue & { readonly policy?: string })[]) {
  for (const { name, options, policy } of queues) {
    await boss.createQueue(name, { ...options, ...(policy === undefined ? {} : { policy }) });
    // Otherwise, an existing queue would keep its old settings.
    if (Object.keys(options).length > 0) await boss.updateQueue(name, options);
  }
}

async function startWorker(boss: PgBoss, worker: JobWorker, platform: JobPlatform): Promise<void> {
  const options = {
    pollingIntervalSeconds: worker.pollSeconds,
    localConcurrency: worker.loops,
    batchSize: worker.batch,
    burstWhenBatchFull: true,
    ...(worker.perGroup === undefined ? {} : { localGroupConcurrency: worker.perGroup }),
    includeMetadata: true,
    perJobResults: true,
  } as const;
  await boss.work(worker.queue.name, options, (jobs: JobWithMetadata<object>[]) =>
    Promise.all(jobs.map((job) => runJob(worker, job, platform))),
  );
}

/** Runs one job. An exception is a bug or a database failure: it is logged and the job is retried. */
async function runJob(
  worker: JobWorker,
  job: JobWithMetadata<object>,
  { log, clock, jobs: outcomes }: JobPlatform,
): Promise<JobResult> {
  const { name } = worker.queue;
  try {
    const outcome = await worker.run(job.data);
    if (outcome.done) {
      outcomes.succeeded(name, clock.now());
      return { id: job.id, status: 'completed' };
    }
    outcomes.failed(name);
    return { id: job.id, status: 'failed', output: { reason: outcome.reason } };
  } catch (error) {
    outcomes.failed(name);
    log.error({ err: error, queue: name, job: job.id }, 'a background job failed');
    return { id: job.id, status: 'failed', output: { reason: 'a fault: see the log' } };
  }
}

const SWEEP_PREFIX = 'sweep-';

/** A missed or failed sweep is not retried: the next one does its work. */
const sweepOptions = {
  retryLimit: 0,
  expireInSeconds: 600,
  retentionSeconds: HOUR_SECONDS,
  deleteAfterSeconds: HOUR_SECONDS,
};

async function scheduleSweeps(boss: PgBoss, sweeps: JobPlan['sweeps']): Promise<JobWorker[]> {
  const workers: JobWorker[] = [];
  for (const [name, sweep] of Object.entries(sweeps)) {
    const queue = { name: `${SWEEP_PREFIX}${name}`, data: z.object({}), options: sweepOptions, policy: 'exclusive' };
    await prepareQueues(boss, [queue]);
    await boss.schedule(queue.name, sweep.everyMinutes === 60 ? '0 * * * *' : `*/${sweep.everyMinutes} * * * *`, {});
    const work = async (): Promise<JobOutcome> => {
      await sweep.run();
      return { done: true };
    };
    workers.push(jobWorker(queue, { pollSeconds: 10, loops: 1, batch: 1 }, work));
  }
  await unscheduleOthers(boss, new Set(workers.map(({ queue }) => queue.name)));
  return workers;
}

/**
 * Removes the schedules of sweeps that no longer exist; otherwise an earlier version's sweep would be queued forever.
 */
async function unscheduleOthers(boss: PgBoss, kept: ReadonlySet<string>): Promise<void> {
  for (const { name } of await boss.getSchedules()) {
    if (name.startsWith(SWEEP_PREFIX) && !kept.has(name)) await boss.unschedule(name);
  }
}

async function stopJobs(boss: PgBoss, workers: readonly JobWorker[], timeoutMs: number): Promise<void> {
  const timeout = new AbortController();
  const drained = Promise.all(workers.map(({ queue }) => boss.offWork(queue.name, { wait: true })));
  await Promise.race([drained, wait(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
  timeout.abort();
  await boss.stop({ graceful: false });
}

const REPORT_EVERY_MS = 5_000;

/**
 * Logs the library's faults, at most one line every five seconds: while the database is away, several loops fail every
 * half second.
 */
function reportFaults(boss: PgBoss, log: Log): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  boss.on('error', (error) => {
    const now = performance.now();
    if (now - reportedAt < REPORT_EVERY_MS) {
      leftOut += 1;
      return;
    }
    log.error({ err: error, leftOut }, 'background jobs met an error and continue');
    reportedAt = now;
    leftOut = 0;
  });
  boss.on('warning', ({ message, data }) => log.warn({ data }, message));
}
