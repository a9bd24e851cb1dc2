import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '#server/calls/app-error.ts';
import type { Config } from '#server/config/config.ts';
import { StartError } from '#server/installation/connect.ts';
import { isFromThisMachine } from '#server/machine/this-machine.ts';
import type { Platform } from '#server/platform/platform.ts';

/** A value with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric that is measured when `/metrics` is requested. */
export interface Measured {
  readonly name: string;
  readonly help: string;
  /** Counters only grow. */
  readonly kind: 'gauge' | 'counter';
  readonly labels: readonly string[];
  readonly measure: (platform: Platform) => Promise<readonly Sample[]> | readonly Sample[];
}

/** A sample for each value of one label. */
export function samplesBy(label: string, values: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

/**
 * `/metrics` for Prometheus: with METRICS_TOKEN, or in development from this machine; with METRICS_LISTEN also on a
 * separate address. Counts every reply of the server, besides the metrics of features.
 */
export function metricsRoutes(
  server: FastifyInstance,
  platform: Platform,
  { measured, counters }: { readonly measured: readonly Measured[]; readonly counters: readonly Counter[] },
): void {
  const registry = Registry.merge([metricsOfProcess()]);
  countAnswers(server, registry);
  for (const one of measured) registry.registerMetric(metricOf(one, platform));
  for (const counter of counters) registry.registerMetric(counter);
  server.get('/metrics', async (request, reply) => {
    if (!maySeeMetrics(request, platform.config)) throw new AppError('NOT_FOUND');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  listenApart(server, platform, registry);
}

let processRegistry: Registry | undefined;

/**
 * Event loop, memory and garbage collection: collected once per process, because prom-client does not stop with a
 * server.
 */
function metricsOfProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** Omitted while it cannot be measured. */
function metricOf({ name, help, kind, labels, measure }: Measured, platform: Platform): Gauge | Counter {
  const settings = { name, help, labelNames: [...labels], registers: [] };
  const collect = async (metric: Gauge | Counter): Promise<void> => {
    try {
      const samples = await measure(platform);
      // Synchronous: otherwise a concurrent scrape would add its samples to ours.
      metric.reset();
      for (const sample of samples) metric.inc(sample.labels, sample.value);
    } catch (error) {
      metric.reset();
      platform.log.warn({ err: error, metric: name }, 'a metric cannot be measured');
    }
  };
  const Kind = kind === 'gauge' ? Gauge : Counter;
  return new Kind({
    ...settings,
    collect() {
      return collect(this);
    },
  });
}

function countAnswers(server: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
}

/**
 * Not public. A local proxy without its headers looks like this machine, so behind a possible proxy only METRICS_TOKEN
 * identifies Prometheus.
 */
function maySeeMetrics(request: FastifyRequest, config: Config): boolean {
  const { metricsToken, production, demonstrationForOthers, trustProxy } = config;
  if (metricsToken !== undefined) return bringsToken(request.headers.authorization, metricsToken);
  return !production && !demonstrationForOthers && trustProxy === false && isFromThisMachine(request);
}

/** Constant-time comparison. */
function bringsToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The listener's address once the server is ready; null if METRICS_LISTEN is not set. */
    metricsAddress: string | null;
  }
}

/** Prometheus requests one small page at a time. */
const MAXIMUM_CONNECTIONS = 32;
const REQUEST_WITHIN_MS = 10_000;

/** The listener of METRICS_LISTEN, started before the server's own. METRICS_TOKEN is required here too, if set. */
function listenApart(server: FastifyInstance, { config, log }: Platform, registry: Registry): void {
  const { metricsListen: address, metricsToken } = config;
  server.decorate('metricsAddress', null);
  if (address === undefined) return;
  const listener = createServer({ requestTimeout: REQUEST_WITHIN_MS }, (request, response) => {
    const isMetrics = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    if (!isMetrics || (metricsToken !== undefined && !bringsToken(request.headers.authorization, metricsToken))) {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (page) => response.writeHead(200, { 'content-type': registry.contentType }).end(page),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be written');
        response.writeHead(500).end();
      },
    );
  });
  listener.maxConnections = MAXIMUM_CONNECTIONS;
  server.addHook('onReady', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    listener.once('error', (error) => {
      const reason = 'code' in error ? String(error.code) : error.message;
      reject(new StartError(`METRICS_LISTEN=${address.host}:${address.port} cannot be listened on (${reason}).`));
    });
    listener.listen(address.port, address.host, resolve);
    await promise;
    const bound = listener.address();
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    if (typeof bound === 'object' && bound !== null) server.metricsAddress = `http://${host}:${bound.port}`;
  });
  server.addHook('onClose', async () => {
    listener.close();
    listener.closeAllConnections();
  });
}
