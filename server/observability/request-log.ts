import type { FastifyInstance } from 'fastify';

/** Asked every second or so: answered, they are no news. Of `/readyz` the log has what changes (observability/health.ts). */
const ROUTINE: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** A line for each answer, two of which Fastify would write: who asked for what, and what became of it; never a query or a body. */
export function logAnswers(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const { statusCode: status } = reply;
    const isRoutine = ROUTINE.has(route) || (route === '/metrics' && status === 200);
    request.log[isRoutine ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        status,
        ms: Math.round(reply.elapsedTime),
        code: reply.failure,
        person: request.personTag,
        address: request.ip,
      },
      'answered',
    );
  });
}
