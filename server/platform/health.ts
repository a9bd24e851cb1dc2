import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '#server/platform/app-error.ts';
import type { Config } from '#server/platform/config.ts';
import type { Drain } from '#server/platform/drain.ts';
import type { Platform } from '#server/platform/platform.ts';
import { isFromThisMachine } from '#server/platform/this-machine.ts';

/** Something that a feature counts when it is asked: a number for each value of its one label. */
export interface Measured {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly count: (platform: Platform) => Promise<Readonly<Record<string, number>>>;
}

interface Looked {
  readonly drain: Drain;
  readonly gauges: readonly Measured[];
  readonly counters: readonly Counter[];
}

/**
 * `/livez`: the process answers. `/readyz`: database and storage do too, and it is not about to end. `/metrics`: for
 * Prometheus, with its token, or in development from this machine.
 */
export function healthRoutes(server: FastifyInstance, platform: Platform, { drain, gauges, counters }: Looked): void {
  server.get('/livez', async () => ({ status: 'ok' }));
  server.get('/readyz', async (request) => {
    if (drain.begun) throw new AppError('UNAVAILABLE');
    try {
      await Promise.all([sql`select 1`.execute(platform.db), platform.files.check()]);
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
    }
    return { status: 'ok' };
  });
  const registry = countRequests(server);
  for (const measured of gauges) registry.registerMetric(gaugeOf(measured, platform));
  for (const counter of counters) registry.registerMetric(counter);
  server.get('/metrics', async (request, reply) => {
    if (!maySeeMetrics(request, platform.config)) throw new AppError('NOT_FOUND');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Left out of an answer while it cannot be counted. */
function gaugeOf({ name, help, label, count }: Measured, platform: Platform): Gauge {
  return new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [],
    async collect() {
      this.reset();
      const counts = await count(platform).catch((error: unknown) => {
        platform.log.warn({ err: error, metric: name }, 'a metric cannot be counted');
        return {};
      });
      for (const [value, number] of Object.entries(counts)) this.set({ [label]: value }, number);
    },
  });
}

/**
 * Not public. A proxy on this machine that forgets its headers looks like this machine, so where one may stand in front
 * only METRICS_TOKEN tells Prometheus from everybody.
 */
function maySeeMetrics(request: FastifyRequest, config: Config): boolean {
  const { metricsToken, production, demonstrationForOthers, trustProxy } = config;
  if (metricsToken !== undefined) return isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`);
  return !production && !demonstrationForOthers && trustProxy === false && isFromThisMachine(request);
}

/** In a time that tells nothing of where they differ. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function countRequests(server: FastifyInstance): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const { method } = request;
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    request.log.info(
      {
        method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        code: reply.failure,
        person: request.personTag,
        address: request.ip,
      },
      'answered',
    );
  });
  return registry;
}
