import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { MAXIMUM_FILE_BYTES } from '#contract/documents/schema.ts';
import { accountRoutes } from '#server/accounts/accounts.routes.ts';
import { ownAccountRoutes } from '#server/accounts/own-account.routes.ts';
import { applicationRoutes } from '#server/applications/applications.routes.ts';
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
import { answerFailures } from '#server/platform/failures.ts';
import { healthRoutes } from '#server/platform/health.ts';
import { Routes } from '#server/platform/http.ts';
import { openApiRoute } from '#server/platform/openapi.ts';
import { readPages } from '#server/platform/pages.ts';
import type { Platform } from '#server/platform/platform.ts';
import { securityHeaders } from '#server/platform/security-headers.ts';
import { serveWeb } from '#server/platform/web.ts';
import { referenceRoutes } from '#server/reference/reference.routes.ts';

const JSON_LIMIT_BYTES = 64 * 1024;
/** A client that falls silent, and the longest that an upload over a bad line may take. */
const SILENCE_LIMIT_MS = 60_000;
const REQUEST_LIMIT_MS = 30 * 60_000;

/** The server without its socket: every feature, in one list. */
export async function createApp(platform: Platform): Promise<FastifyInstance> {
  const server = Fastify({
    loggerInstance: platform.log,
    // platform/health.ts writes one line an answer instead of two a request.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_LIMIT_BYTES,
    connectionTimeout: SILENCE_LIMIT_MS,
    requestTimeout: REQUEST_LIMIT_MS,
    trustProxy: platform.config.trustProxy,
    // A HEAD would run the handler of its GET, and two of those change something.
    exposeHeadRoutes: false,
    genReqId: () => crypto.randomUUID(),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
  });
  server.decorateRequest('person', null);
  answerFailures(server);
  readOnlyJson(server);
  await server.register(fastifyCookie);
  await server.register(fastifyMultipart, {
    limits: { files: 1, fields: 10, parts: 11, fieldSize: 1000, fileSize: MAXIMUM_FILE_BYTES },
  });
  const pages = await readPages();
  await securityHeaders(server, platform, pages);
  healthRoutes(server, platform, [storeFindingsMetric]);
  openApiRoute(server);

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
  if (!platform.config.production) developmentMessages(server, platform);
  await serveWeb(server, pages);
  return server;
}

/** JSON bodies only; an empty one counts as none, because calls without a payload take none or `{}`. */
function readOnlyJson(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    // It answers by `done`; the promise in its type is for parsers that have none.
    else void parseJson(request, body.toString(), done);
  });
}
