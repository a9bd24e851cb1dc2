import type { FastifyInstance } from 'fastify';

/**
 * Parses bodies of these types as JSON. An empty body counts as none, because calls without a payload accept none or
 * `{}`.
 */
export function readJson(server: FastifyInstance, types: readonly string[]): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser([...types], { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    // It replies through `done`; its type returns a promise for parsers without `done`.
    else void parseJson(request, body.toString(), done);
  });
}
