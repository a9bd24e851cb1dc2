import type { FastifyInstance } from 'fastify';

/**
 * Parses bodies of these types as JSON; an empty one counts as none, because calls without a payload take none or `{}`.
 */
export function readJson(server: FastifyInstance, types: readonly string[]): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser([...types], { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    // It replies by `done`; the promise in its type is for parsers without it.
    else void parseJson(request, body.toString(), done);
  });
}
