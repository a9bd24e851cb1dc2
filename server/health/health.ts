import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { FailureExtra } from '#contract/refusals/failure-extra.ts';
import { AppError } from '#server/calls/app-error.ts';
import { appCommit } from '#server/config/build.ts';
import { appVersion } from '#server/machine/version.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Drain } from '#server/traffic/drain.ts';
import { type Measured, samplesBy } from './metrics.ts';

/** A missing dependency of an unready server; `leaving` during the shutdown. */
type Lack = NonNullable<FailureExtra['failed']>[number];

/**
 * `/livez`: the process is alive. `/readyz`: database and storage are reachable and it is not shutting down; else 503,
 * naming what `failed`. Public, so the reasons are only in the log, with one line per change.
 */
export function healthRoutes(server: FastifyInstance, platform: Platform, drain: Drain): void {
  let told = '';
  server.get('/livez', async () => ({ status: 'ok' }));
  server.get('/readyz', async (request) => {
    const lacks = drain.begun ? new Map<Lack, unknown>([['leaving', undefined]]) : await findLacks(platform);
    const failed = [...lacks.keys()];
    const changed = told !== failed.join();
    told = failed.join();
    if (failed.length === 0) {
      if (changed) request.log.warn('ready again');
      return { status: 'ok', version: appVersion, commit: appCommit };
    }
    for (const [lack, err] of lacks) {
      const news = lack === 'leaving' ? 'info' : 'warn'; // shutdown was requested
      request.log[changed ? news : 'debug']({ failed: lack, err }, 'not ready');
    }
    throw new AppError('UNAVAILABLE', {
      retryAfterSeconds: 5,
      extra: { failed, version: appVersion, commit: appCommit },
    });
  });
}

/** Like `/readyz`, for each scrape, because not every proxy checks that path. */
export const lacksMetric: Measured = {
  name: 'kasente_lacks',
  help: 'Whether the server lacks its database or its document store: 1 where it does',
  kind: 'gauge',
  labels: ['what'],
  measure: async (platform) => {
    const lacks = await findLacks(platform);
    return samplesBy('what', { database: Number(lacks.has('database')), storage: Number(lacks.has('storage')) });
  },
};

/** The missing dependencies, each with its error. */
async function findLacks({ db, files }: Platform): Promise<ReadonlyMap<Lack, unknown>> {
  const asked = { database: sql`select 1`.execute(db), storage: files.check() };
  const lacks = new Map<Lack, unknown>();
  await Promise.allSettled([
    asked.database.catch((error: unknown) => lacks.set('database', error)),
    asked.storage.catch((error: unknown) => lacks.set('storage', error)),
  ]);
  return lacks;
}
