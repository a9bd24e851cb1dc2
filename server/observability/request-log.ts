import type { FastifyInstance } from 'fastify';

/** Requested about every second, so not logged. Changes of `/readyz` are logged (observability/health.ts). */
const ROUTINE: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/**
 * Logs one line per reply, where Fastify would write two: who requested what, and the outcome. Never logs a query or a
 * body.
 */
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
