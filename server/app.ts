import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { MAXIMUM_FILE_BYTES } from '#contract/documents/schema.ts';
import { accountRoutes } from '#server/accounts/accounts.routes.ts';
import { ownAccountRoutes } from '#server/accounts/own-account.routes.ts';
import { applicationRoutes } from '#server/applications/applications.routes.ts';
import { browserReportRoutes, cspReportCounter } from '#server/browser-reports/browser-reports.routes.ts';
import { businessRoutes } from '#server/businesses/businesses.routes.ts';
import { deskRoutes } from '#server/desk/desk.routes.ts';
import { documentRoutes } from '#server/documents/documents.routes.ts';
import { storeFindingsMetric } from '#server/documents/store-audit.service.ts';
import { figureRoutes } from '#server/figures/figures.routes.ts';
import { invoiceRoutes } from '#server/invoices/invoices.routes.ts';
import { limitRoutes } from '#server/limits/limits.routes.ts';
import { developmentMessages } from '#server/messages/messages.routes.ts';
import { paperRoutes } from '#server/papers/papers.routes.ts';
import { paymentRoutes } from '#server/payments/payments.routes.ts';
import { peopleRoutes } from '#server/people/people.routes.ts';
import { Drain } from '#server/platform/drain.ts';
import { answerFailures, refusePath } from '#server/platform/failures.ts';
import { healthRoutes } from '#server/platform/health.ts';
import { Routes } from '#server/platform/http.ts';
import { httpServer } from '#server/platform/http-server.ts';
import { readJson } from '#server/platform/json-bodies.ts';
import { shedLoad } from '#server/platform/load-shedding.ts';
import { openApiRoute } from '#server/platform/openapi.ts';
import { readPages } from '#server/platform/pages.ts';
import type { Platform } from '#server/platform/platform.ts';
import { securityHeaders } from '#server/platform/security-headers.ts';
import { serveWeb } from '#server/platform/web.ts';
import { referenceRoutes } from '#server/reference/reference.routes.ts';

const JSON_LIMIT_BYTES = 64 * 1024;

/** The server without its socket: every feature, in one list. Whoever stops it has it leave by its `drain`. */
export async function createApp(platform: Platform, drain = new Drain()): Promise<FastifyInstance> {
  const shedding = shedLoad(platform);
  const server = Fastify({
    serverFactory: httpServer(drain.guard, shedding.guard),
    loggerInstance: platform.log,
    // platform/health.ts writes one line an answer instead of two a request.
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
  const pages = await readPages();
  securityHeaders(server, platform, pages);
  const cspReports = cspReportCounter();
  healthRoutes(server, platform, { drain, gauges: [storeFindingsMetric], counters: [cspReports, shedding.refused] });
  openApiRoute(server, platform.config);

  const routes = new Routes(server, platform);
  accountRoutes(routes);
  ownAccountRoutes(routes);
  peopleRoutes(routes);
  businessRoutes(routes);
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
  if (!platform.config.production) developmentMessages(server, platform);
  await serveWeb(server, pages);
  return server;
}
