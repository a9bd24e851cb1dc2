import type { FastifyInstance } from 'fastify';

/** Reads bodies of these types as JSON; an empty one counts as none, because calls without a payload take none or `{}`. */
export function readJson(server: FastifyInstance, types: readonly string[]): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser([...types], { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    // It answers by `done`; the promise in its type is for parsers that have none.
    else void parseJson(request, body.toString(), done);
  });
}
