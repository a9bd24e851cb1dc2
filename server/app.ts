import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { MAXIMUM_FILE_BYTES } from '#contract/documents/schema.ts';
import { accountRoutes } from '#server/accounts/accounts.routes.ts';
import { ownAccountRoutes } from '#server/accounts/own-account.routes.ts';
import { applicationRoutes } from '#server/applications/applications.routes.ts';
import { witnessMetric } from '#server/audit/witness.service.ts';
import { backupMetric } from '#server/backup/backup-record.service.ts';
import { browserReportRoutes, cspReportCounter } from '#server/browser-reports/browser-reports.routes.ts';
import { businessRoutes } from '#server/businesses/businesses.routes.ts';
import { deskRoutes } from '#server/desk/desk.routes.ts';
import { documentRoutes } from '#server/documents/documents.routes.ts';
import { storeFindingsMetric } from '#server/documents/store-audit.service.ts';
import { figureRoutes } from '#server/figures/figures.routes.ts';
import { invoiceRoutes } from '#server/invoices/invoices.routes.ts';
import { limitRoutes } from '#server/limits/limits.routes.ts';
import { messageMetrics } from '#server/messages/messages.metrics.ts';
import { developmentMessages } from '#server/messages/messages.routes.ts';
import { onboardingRoutes } from '#server/onboarding/onboarding.routes.ts';
import { paperRoutes } from '#server/papers/papers.routes.ts';
import { paymentRoutes } from '#server/payments/payments.routes.ts';
import { peopleRoutes } from '#server/people/people.routes.ts';
import type { Config } from '#server/platform/config.ts';
import { Drain } from '#server/platform/drain.ts';
import { answerFailures, refusePath } from '#server/platform/failures.ts';
import { FairTurns } from '#server/platform/fair-turns.ts';
import { healthRoutes } from '#server/platform/health.ts';
import { Routes } from '#server/platform/http.ts';
import { httpServer } from '#server/platform/http-server.ts';
import { readJson } from '#server/platform/json-bodies.ts';
import { metricsRoutes } from '#server/platform/metrics.ts';
import { openApiRoute } from '#server/platform/openapi.ts';
import { readPages } from '#server/platform/pages.ts';
import type { Platform } from '#server/platform/platform.ts';
import { platformMetrics } from '#server/platform/platform-metrics.ts';
import { logAnswers } from '#server/platform/request-log.ts';
import { securityHeaders } from '#server/platform/security-headers.ts';
import { isHttps } from '#server/platform/sessions.ts';
import { serveWeb } from '#server/platform/web.ts';
import { referenceRoutes } from '#server/reference/reference.routes.ts';

const JSON_LIMIT_BYTES = 64 * 1024;

/** The server without its socket: every feature, in one list. Whoever stops it has it leave by its `drain`. */
export async function createApp(
  platform: Platform,
  drain = new Drain(),
  turns = new FairTurns(platform),
): Promise<FastifyInstance> {
  const server = Fastify({
    serverFactory: httpServer({ behindProxy: isBehindProxy(platform.config) }, drain.guard, turns.guard),
    loggerInstance: platform.log,
    // platform/request-log.ts writes one line an answer instead of two a request.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_LIMIT_BYTES,
    trustProxy: platform.config.trustProxy,
    // A HEAD would run the handler of its GET, and two of those change something.
    exposeHeadRoutes: false,
    frameworkErrors: refusePath,
    genReqId: () => crypto.randomUUID(),
    // What still comes while it leaves is answered as ever (platform/drain.ts).
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
  });
  server.decorateRequest('person', null);
  server.decorateRequest('personTag', null);
  answerFailures(server);
  server.removeAllContentTypeParsers();
  readJson(server, ['application/json']);
  await server.register(fastifyCookie);
  await server.register(fastifyMultipart, {
    limits: { files: 1, fields: 10, parts: 11, fieldSize: 1000, fileSize: MAXIMUM_FILE_BYTES },
  });
  const pages = await readPages(platform.config.support);
  securityHeaders(server, platform, pages);
  const cspReports = cspReportCounter();
  healthRoutes(server, platform, drain);
  logAnswers(server);
  metricsRoutes(server, platform, {
    measured: [...platformMetrics(turns), ...messageMetrics, storeFindingsMetric, witnessMetric, backupMetric],
    counters: [cspReports],
  });
  openApiRoute(server, platform.config);

  const routes = new Routes(server, platform, turns);
  accountRoutes(routes);
  ownAccountRoutes(routes);
  peopleRoutes(routes);
  businessRoutes(routes);
  onboardingRoutes(routes);
  invoiceRoutes(routes);
  applicationRoutes(routes);
  paperRoutes(routes);
  deskRoutes(routes);
  paymentRoutes(routes);
  limitRoutes(routes);
  documentRoutes(routes);
  figureRoutes(routes);
  referenceRoutes(routes);
  browserReportRoutes(routes, cspReports);
  if (!platform.config.production && !platform.config.demonstrationForOthers) developmentMessages(server, platform);
  await serveWeb(server, pages);
  return server;
}

/** Kasente itself speaks no TLS, so that somebody else does where people come by https. */
function isBehindProxy(config: Config): boolean {
  return config.trustProxy !== false || isHttps(config);
}
