import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type JobResult, type JobWithMetadata, PgBoss, type QueueOptions, type SendOptions } from 'pg-boss';
import { z } from 'zod';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { type Connection, rawExecutor } from '#server/db/database.ts';
import type { Log } from '#server/observability/logging.ts';
import type { Platform } from '#server/platform.ts';

/**
 * Background jobs on the same PostgreSQL (pg-boss, docs/decisions/0004-outbox.md). Several servers share one
 * database: each job is worked by one of them at a time, and again by another where the first one died.
 */

/** A queue of jobs: what they carry, and how they are retried. */
export interface JobQueue<Data extends object = object> {
  readonly name: string;
  readonly data: z.ZodType<Data>;
  readonly options: QueueOptions & { readonly deadLetter?: string };
}

/** What became of a job: done with, or to be tried again later until its queue's retries are used up. */
export type JobOutcome = { readonly done: true } | { readonly done: false; readonly reason: string };

/** Who works a queue's jobs. */
export interface JobWorker {
  readonly queue: JobQueue;
  readonly pollSeconds: number;
  /** How many loops fetch jobs, each `batch` of them at once: a slow job holds up its own loop's batch alone. */
  readonly loops: number;
  readonly batch: number;
  run(data: unknown): Promise<JobOutcome>;
}

/** Something done now and then, by one of the servers. */
export interface Sweep {
  readonly everyMinutes: 1 | 5 | 15 | 60;
  run(): Promise<void>;
}

/** Everything that runs in the background. */
export interface JobPlan {
  /** Every queue that may get jobs, in an order that names dead-letter queues first; also those nobody works here. */
  readonly queues: readonly JobQueue[];
  readonly workers: readonly JobWorker[];
  readonly sweeps: Readonly<Record<string, Sweep>>;
}

/** What became of the jobs of each queue in this process: when one last succeeded, and how many failed. */
export class JobOutcomes {
  readonly #succeededAt = new Map<string, Date>();
  readonly #failed = new Map<string, number>();

  /** Begins a queue that is worked here; until its first success, its last one counts as this moment. */
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

  /** By queue. */
  get lastSuccesses(): ReadonlyMap<string, Date> {
    return this.#succeededAt;
  }

  /** By queue. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failed;
  }
}

export interface RunningJobs {
  /** Fetches no more jobs and lets those in flight finish, for at most this long. */
  stop(timeoutMs?: number): Promise<void>;
}

/** A worker whose jobs' data is parsed by the queue's schema before `run` sees it. */
export function jobWorker<Data extends object>(
  queue: JobQueue<Data>,
  pace: Pick<JobWorker, 'pollSeconds' | 'loops' | 'batch'>,
  run: (data: Data) => Promise<JobOutcome>,
): JobWorker {
  return { queue, ...pace, run: (data) => run(queue.data.parse(data)) };
}

/**
 * Adds a job in the transaction of what it belongs to: both happen or neither. It needs no running worker, and no
 * second connection: the library runs its statements on the one it is given.
 */
export async function enqueue<Data extends object>(
  connection: Connection,
  queue: JobQueue<Data>,
  data: Data,
  options: Pick<SendOptions, 'priority' | 'retryBackoff' | 'retryDelayMax' | 'startAfter'> = {},
): Promise<void> {
  const sender = new PgBoss({ db: rawExecutor(connection) });
  await sender.send(queue.name, data, options);
}

/** Makes or updates the library's tables, as their owner, and the queues, so that jobs can be added. */
export async function prepareJobs(pool: pg.Pool, queues: readonly JobQueue[]): Promise<void> {
  const boss = new PgBoss({ db: poolExecutor(pool), supervise: false, schedule: false });
  await oneServerAtATime(pool, async () => {
    await boss.start();
    await prepareQueues(boss, queues);
  });
  await boss.stop({ graceful: false });
}

type JobPlatform = Pick<Platform, 'pool' | 'log' | 'clock' | 'jobs'>;

/** How often the jobs of servers that died are looked for; a queue's `heartbeatSeconds` says when one counts as dead. */
const SUPERVISE_SECONDS = 10;

/** Less than the server allows itself for stopping. */
const STOP_WITHIN_MS = 8_000;

/**
 * Starts the plan's workers and sweeps, whose tables {@link prepareJobs} has made. A database that goes away is
 * logged and waited for; nothing is thrown after the start.
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
 * The library makes its schema before it takes a lock of its own, so servers that start at once on an empty database
 * would meet there. The lock is a transaction's, so that it works through PgBouncer too.
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

/** The library runs on the server's own pool, but reads types as the driver does by default: ours are for money. */
function poolExecutor(pool: pg.Pool) {
  const types = { getTypeParser: pg.types.getTypeParser };
  return { executeSql: (text: string, values: unknown[] = []) => pool.query({ text, values, types }) };
}

async function prepareQueues(boss: PgBoss, queues: readonly (JobQueue & { readonly policy?: string })[]) {
  for (const { name, options, policy } of queues) {
    await boss.createQueue(name, { ...options, ...(policy === undefined ? {} : { policy }) });
    // A queue that an earlier version made keeps its old settings otherwise.
    if (Object.keys(options).length > 0) await boss.updateQueue(name, options);
  }
}

async function startWorker(boss: PgBoss, worker: JobWorker, platform: JobPlatform): Promise<void> {
  const options = {
    pollingIntervalSeconds: worker.pollSeconds,
    localConcurrency: worker.loops,
    batchSize: worker.batch,
    burstWhenBatchFull: true,
    includeMetadata: true,
    perJobResults: true,
  } as const;
  await boss.work(worker.queue.name, options, (jobs: JobWithMetadata<object>[]) =>
    Promise.all(jobs.map((job) => runJob(worker, job, platform))),
  );
}

/** Runs one job. A throw is a fault of ours or of the database: logged, and the job is tried again. */
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

/** A sweep that is missed or fails is not tried again: the next one does its work. */
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

/** A sweep that an earlier version had would otherwise be queued for ever. */
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

/** Several loops fail each half second while the database is away; the log hears of it once in five. */
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
