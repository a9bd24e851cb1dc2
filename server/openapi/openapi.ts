import type { FastifyInstance } from 'fastify';
import { API_ROOT } from '#contract/endpoint.ts';
import type { Config } from '#server/config/config.ts';

/**
 * Serves the OpenAPI document. It is built at the first request, because requests are rare
 * (docs/decisions/0028-benches.md).
 */
export function openApiRoute(server: FastifyInstance, config: Config): void {
  let made: Promise<string> | undefined;
  server.get(`${API_ROOT}/openapi.json`, async (_request, reply) => {
    made ??= import('./openapi-document.ts').then(({ openApiDocument }) => JSON.stringify(openApiDocument(config)));
    return reply.type('application/json').send(await made);
  });
}
