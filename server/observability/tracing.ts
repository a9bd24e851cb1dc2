import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseError } from 'pg';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { TracingProtocol } from '#server/config/tracing-settings.ts';
import { appVersion } from '#server/machine/version.ts';
import type { Log } from './logging.ts';
import { queryChannel, type SentQuery } from './query-channel.ts';

/**
 * OpenTelemetry traces: a span per request and one per statement, with OpenTelemetry's names. We patch no library and
 * set every attribute of a span here, so no path, query, body, value, address or person's name leaves with it
 * (docs/decisions/0038-seen-from-outside.md).
 */

const exporters: Readonly<Record<TracingProtocol, () => Promise<SpanExporter>>> = {
  'http/protobuf': async () => new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter(),
  'http/json': async () => new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter(),
};

/** Requested by machines about every second. */
const UNTRACED: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Starts tracing with OpenTelemetry's settings from the environment. Must be called before the server is created.
 * Returns a function that sends the remaining spans and stops tracing.
 */
export async function startTracing(protocol: TracingProtocol, log: Log): Promise<() => Promise<void>> {
  diag.setLogger(collectorReports(log), DiagLogLevel.WARN);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const own = resourceFromAttributes({ 'service.name': 'kasente', 'service.version': appVersion });
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await exporters[protocol]())],
  });
  const tracer = provider.getTracer('kasente', appVersion);
  // Fastify announces each new server before anything else is added to it.
  subscribe('fastify.initialization', (made) => {
    if (isInitialization(made)) traceRequests(made.fastify, tracer);
  });
  queryChannel.subscribe((sent) => traceQuery(tracer, sent));
  return async () => {
    const sent = provider
      .shutdown()
      .catch((error: unknown) => log.warn({ err: error }, 'the last traces were not sent'));
    await Promise.race([sent, wait(LAST_SENT_WITHIN_MS)]);
  };
}

/** An unreachable collector must not delay the shutdown. */
const LAST_SENT_WITHIN_MS = 3_000;

function isInitialization(message: unknown): message is { readonly fastify: FastifyInstance } {
  return typeof message === 'object' && message !== null && 'fastify' in message;
}

function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (UNTRACED.has(route)) {
      done();
      return;
    }
    const outside = propagation.extract(context.active(), request.headers);
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': request.method, 'http.route': route, 'kasente.request_id': request.id },
      },
      outside,
    );
    spans.set(request, span);
    context.with(trace.setSpan(outside, span), done);
  });
  server.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    if (span !== undefined) endRequest(span, reply);
  });
}

function endRequest(span: Span, { statusCode, failure }: FastifyReply): void {
  span.setAttribute('http.response.status_code', statusCode);
  if (failure !== null) span.setAttribute('kasente.failure', failure);
  if (statusCode >= 500) {
    span.setAttribute('error.type', String(statusCode));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** Statements outside a request, such as those of jobs, are not traced: there are several each second. */
function traceQuery(tracer: Tracer, sent: unknown): void {
  const around: Context = context.active();
  if (trace.getSpan(around) === undefined || !isSentQuery(sent)) return;
  const text = withoutLiterals(sent.text);
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const span = tracer.startSpan(
    operation,
    {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text },
    },
    around,
  );
  sent.outcome.then(
    () => span.end(),
    (error: unknown) => {
      const code = error instanceof DatabaseError ? error.code : undefined;
      span.setAttribute('error.type', code ?? 'unanswered');
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  );
}

function isSentQuery(message: unknown): message is SentQuery {
  return typeof message === 'object' && message !== null && 'text' in message && 'outcome' in message;
}

const LONGEST_TEXT = 2_000;

/**
 * Removes literals from a statement. Values are parameters, except in the statements that begin a transaction, which
 * name its caller.
 */
function withoutLiterals(text: string): string {
  const kept = text.slice(0, LONGEST_TEXT);
  return kept.replaceAll(/'(?:[^']|'')*(?:'|$)/g, '?').replaceAll(/(?<![$\w.])\d+(?:\.\d+)?/g, '?');
}

const REPORT_EVERY_MS = MINUTE_MS;

/** Logs an unreachable collector once a minute, not once per batch. */
function collectorReports(log: Log) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (reason: string): void => {
    const now = performance.now();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    log.warn({ reason: reason.slice(0, 500) }, 'traces are not sent');
  };
  const nothing = (): void => undefined;
  return { error: report, warn: report, info: nothing, debug: nothing, verbose: nothing };
}
