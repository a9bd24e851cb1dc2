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
import { collectionRoutes } from '#server/collections/collections.routes.ts';
import type { Config } from '#server/config/config.ts';
import { deskRoutes } from '#server/desk/desk.routes.ts';
import { documentRoutes } from '#server/documents/documents.routes.ts';
import { storeFindingsMetric } from '#server/documents/store/store-audit.service.ts';
import { figureRoutes } from '#server/figures/figures.routes.ts';
import { healthRoutes } from '#server/health/health.ts';
import { metricsRoutes } from '#server/health/metrics.ts';
import { platformMetrics } from '#server/health/platform-metrics.ts';
import { answerFailures, refusePath } from '#server/http/failures.ts';
import { Routes } from '#server/http/http.ts';
import { httpServer } from '#server/http/http-server.ts';
import { readJson } from '#server/http/json-bodies.ts';
import { invoiceRoutes } from '#server/invoices/invoices.routes.ts';
import { journalRoutes } from '#server/journal/journal.routes.ts';
import { letterRoutes } from '#server/letters/letters.routes.ts';
import { limitRoutes } from '#server/limits/limits.routes.ts';
import { messageMetrics } from '#server/messages/messages.metrics.ts';
import { developmentMessages } from '#server/messages/messages.routes.ts';
import { logAnswers } from '#server/observability/request-log.ts';
import { offerRoutes } from '#server/offers/offers.routes.ts';
import { onboardingRoutes } from '#server/onboarding/onboarding.routes.ts';
import { openApiRoute } from '#server/openapi/openapi.ts';
import { serveWeb } from '#server/pages/web.ts';
import { paymentRoutes } from '#server/payments/payments.routes.ts';
import { payoutRoutes } from '#server/payouts/payouts.routes.ts';
import { peopleRoutes } from '#server/people/people.routes.ts';
import type { Platform } from '#server/platform/platform.ts';
import { referenceRoutes } from '#server/reference/reference.routes.ts';
import { requestRoutes } from '#server/requests-to-pay/requests.routes.ts';
import { readPages } from '#server/responses/pages.ts';
import { securityHeaders } from '#server/responses/security-headers.ts';
import { isHttps } from '#server/sessions/sessions.ts';
import { endPaidPayouts, isOnStatement } from '#server/statements/paid-payouts.service.ts';
import { statementRoutes } from '#server/statements/statements.routes.ts';
import { Drain } from '#server/traffic/drain.ts';
import { FairTurns } from '#server/traffic/fair-turns.ts';
import { transferMetrics } from '#server/transfers/transfers.metrics.ts';
import { transferRoutes } from '#server/transfers/transfers.routes.ts';
import { outcomes } from './background.ts';

const JSON_LIMIT_BYTES = 64 * 1024;

/** The server with every feature in one list, but without a socket. Shut it down with `drain.leave()`. */
export async function createApp(
  platform: Platform,
  drain = new Drain(),
  turns = new FairTurns(platform),
): Promise<FastifyInstance> {
  const server = Fastify({
    serverFactory: httpServer({ behindProxy: isBehindProxy(platform.config) }, drain.guard, turns.guard),
    loggerInstance: platform.log,
    // observability/request-log.ts writes one line per reply instead of two per request.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_LIMIT_BYTES,
    trustProxy: platform.config.trustProxy,
    // Fastify would run a GET's handler for a HEAD, and two GETs change something.
    exposeHeadRoutes: false,
    frameworkErrors: refusePath,
    genReqId: () => crypto.randomUUID(),
    // Requests during the shutdown are served as usual (traffic/drain.ts).
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
  securityHeaders(server, platform.config);
  const cspReports = cspReportCounter();
  healthRoutes(server, platform, drain);
  logAnswers(server);
  metricsRoutes(server, platform, {
    measured: [
      ...platformMetrics(turns),
      ...messageMetrics,
      ...transferMetrics,
      storeFindingsMetric,
      witnessMetric,
      backupMetric,
    ],
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
  letterRoutes(routes);
  deskRoutes(routes);
  offerRoutes(routes);
  paymentRoutes(routes);
  journalRoutes(routes);
  statementRoutes(routes);
  payoutRoutes(routes);
  transferRoutes(routes, { outcomes, endPaidPayouts, isOnStatement });
  requestRoutes(routes);
  collectionRoutes(routes);
  limitRoutes(routes);
  documentRoutes(routes);
  figureRoutes(routes);
  referenceRoutes(routes);
  browserReportRoutes(routes, cspReports);
  if (!platform.config.production && !platform.config.demonstrationForOthers) developmentMessages(server, platform);
  await serveWeb(server, pages);
  return server;
}

/** Kasente has no TLS of its own, so an https address means that there is a proxy. */
function isBehindProxy(config: Config): boolean {
  return config.trustProxy !== false || isHttps(config);
}
