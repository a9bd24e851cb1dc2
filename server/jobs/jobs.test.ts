import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Connection } from '#server/db/database.ts';
import { prepareServerRole, SERVER_ROLE } from '#server/db/roles/server-role.ts';
import { createTestPlatform, type TestPlatform } from '#testing/test-platform.ts';
import {
  type JobOutcome,
  type JobPlan,
  type JobQueue,
  jobWorker,
  prepareJobs,
  type RunningJobs,
  startJobs,
} from './jobs.ts';

const WAIT = { timeout: 100_000, interval: 20 };
const pace = { pollSeconds: 0.5, loops: 1, batch: 5 };

const dead: JobQueue<{ name: string }> = { name: 'test-dead', data: z.object({ name: z.string() }), options: {} };
const queue: JobQueue<{ name: string }> = {
  name: 'test-jobs',
  data: z.object({ name: z.string() }),
  options: { retryLimit: 1, retryDelay: 1, deadLetter: dead.name },
};
const queues = [dead, queue];

describe('background jobs', () => {
  let test: TestPlatform;
  const lines: string[] = [];
  const running: RunningJobs[] = [];

  beforeEach(async () => {
    test = await createTestPlatform();
    lines.length = 0;
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
    await test.close();
  });

  const add = (connection: Connection, data: { name: string }) => test.platform.jobs.add(connection, queue, [{ data }]);

  async function start(plan: Partial<JobPlan>): Promise<RunningJobs> {
    const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
    const jobs = await startJobs({ ...test.platform, log }, { queues, workers: [], sweeps: {}, ...plan });
    running.push(jobs);
    return jobs;
  }

  it('install themselves, even if several servers start on an empty database at once', async () => {
    const { db, pool } = test.database.owner;
    await pool.query('drop schema pgboss cascade');
    await Promise.all([1, 2, 3].map(() => prepareJobs(pool, queues)));
    await prepareServerRole(db, { role: SERVER_ROLE, password: undefined });
    await Promise.all([start({}), start({}), start({})]);
    const { rows } = await test.platform.pool.query(
      `select name from pgboss.queue where name like 'test-%' order by 1`,
    );
    expect(rows).toEqual([{ name: 'test-dead' }, { name: 'test-jobs' }]);
  });

  it('apply this version’s settings to a queue of an older version', async () => {
    await start({});
    await start({ queues: [dead, { ...queue, options: { ...queue.options, retryLimit: 7 } }] });
    const { rows } = await test.platform.pool.query(`select retry_limit from pgboss.queue where name = 'test-jobs'`);
    expect(rows).toEqual([{ retry_limit: 7 }]);
  });

  it('are retried after a failure or a fault, and then become dead letters', async () => {
    const tried: string[] = [];
    const buried: string[] = [];
    const work = async ({ name }: { name: string }): Promise<JobOutcome> => {
      tried.push(name);
      if (name === 'faulty') throw new Error('a bug');
      return name === 'good' ? { done: true } : { done: false, reason: 'not today' };
    };
    const bury = async ({ name }: { name: string }): Promise<JobOutcome> => {
      buried.push(name);
      return { done: true };
    };
    await start({ workers: [jobWorker(queue, pace, work), jobWorker(dead, pace, bury)] });
    for (const name of ['good', 'faulty', 'refused']) await add(test.platform.db, { name });
    await vi.waitFor(() => expect(buried.toSorted()).toEqual(['faulty', 'refused']), WAIT);
    expect(tried.toSorted()).toEqual(['faulty', 'faulty', 'good', 'refused', 'refused']);
    expect(lines.join('')).toContain('a background job failed');
    const { failures, lastSuccesses } = test.platform.jobs;
    expect([failures.get('test-jobs'), failures.get('test-dead')]).toEqual([4, 0]);
    expect(lastSuccesses.get('test-jobs')).toEqual(test.clock.now());
  });

  it('can be added in many concurrent transactions, with no more connections than those have', async () => {
    await start({});
    const addOne = (index: number) => test.platform.db.inTransaction((change) => add(change, { name: `job ${index}` }));
    await Promise.all(Array.from({ length: 60 }, (_, index) => addOne(index)));
    const { rows } = await test.platform.pool.query(
      `select count(*)::int as jobs from pgboss.job where name = 'test-jobs'`,
    );
    expect(rows).toEqual([{ jobs: 60 }]);
  });

  it('sweep on a schedule, until a version drops the sweep', async () => {
    const tidied = vi.fn(async () => undefined);
    const sweeps = { tidy: { everyMinutes: 5, run: tidied }, hourly: { everyMinutes: 60, run: tidied } } as const;
    const first = await start({ sweeps });
    const schedules = async () =>
      (await test.platform.pool.query('select name, cron from pgboss.schedule order by name')).rows;
    expect(await schedules()).toEqual([
      { name: 'sweep-hourly', cron: '0 * * * *' },
      { name: 'sweep-tidy', cron: '*/5 * * * *' },
    ]);
    await first.stop();
    await test.platform.jobs.add(test.platform.db, { name: 'sweep-tidy', data: z.object({}), options: {} }, [
      { data: {} },
    ]);
    await start({ sweeps });
    await vi.waitFor(() => expect(tidied).toHaveBeenCalledTimes(1), WAIT);
    await start({ sweeps: { hourly: { everyMinutes: 60, run: tidied } } });
    expect(await schedules()).toEqual([{ name: 'sweep-hourly', cron: '0 * * * *' }]);
  });

  it('report an absent database now and then, and continue when it is back', async () => {
    const worked = vi.fn(async (): Promise<JobOutcome> => ({ done: true }));
    await start({ workers: [jobWorker(queue, pace, worked)] });
    const { pool } = test.platform;
    const query = vi.spyOn(pool, 'query').mockRejectedValue(new Error('the database is away'));
    await vi.waitFor(() => expect(query.mock.calls.length).toBeGreaterThan(4), WAIT);
    query.mockRestore();
    await add(test.platform.db, { name: 'after' });
    await vi.waitFor(() => expect(worked).toHaveBeenCalledTimes(1), WAIT);
    const reports = lines.filter((line) => line.includes('the database is away'));
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain('background jobs met an error and continue');
  });

  it('leave loops to other groups if one is slow', async () => {
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    const [waiting, done] = [new Set<string>(), new Set<string>()];
    const run = async ({ name }: { name: string }): Promise<JobOutcome> => {
      if (name.startsWith('slow')) {
        waiting.add(name);
        await letGo;
      }
      done.add(name);
      return { done: true };
    };
    const inGroup = (group: string, count: number) =>
      Array.from({ length: count }, (_, nth) => ({ data: { name: `${group} ${nth}` }, group: { id: group } }));
    const workers = [jobWorker(queue, { pollSeconds: 0.5, loops: 4, batch: 2, perGroup: 3 }, run)];
    await start({ workers });
    await test.platform.jobs.add(test.platform.db, queue, inGroup('slow', 40));
    await vi.waitFor(() => expect(waiting.size).toBe(3), WAIT);
    await test.platform.jobs.add(test.platform.db, queue, inGroup('quick', 20));
    await vi.waitFor(() => expect(done.size).toBe(20), WAIT);
    expect([waiting.size, [...done].filter((name) => name.startsWith('slow'))]).toEqual([3, []]);
    release();
    await vi.waitFor(() => expect(done.size).toBe(60), WAIT);
  });
});
