import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '#server/platform/app-error.ts';
import type { Drain } from '#server/platform/drain.ts';
import type { Platform } from '#server/platform/platform.ts';

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
 * Prometheus, from this machine only.
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
    if (!isLoopback(request.socket.remoteAddress) || request.headers['x-forwarded-for'] !== undefined)
      throw new AppError('NOT_FOUND');
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

/** Not public: a request that came through a proxy carries its address, one from this machine does not. */
function isLoopback(address: string | undefined): boolean {
  return address === undefined || address === '127.0.0.1' || address === '::1' || address === '::ffff:127.0.0.1';
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
