import type { FastifyInstance } from 'fastify';

/** Requested every second or so, and no news. Changes of `/readyz` are logged (observability/health.ts). */
const ROUTINE: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** One line per reply, where Fastify would write two: who requested what, and the outcome; never a query or a body. */
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
