import { type FastifyError, type FastifyInstance, fastify } from 'fastify';
import { phoneRoutes } from '#simulators/phone/phone.routes.ts';
import { controlRoutes, Misuse } from './control.routes.ts';
import type { Simulator } from './simulator.ts';

const TICK_MS = 100;

/** A simulator's server: the provider's calls, its phones and the tests' controls. */
export function buildServer(simulator: Simulator): FastifyInstance {
  const app = fastify({ forceCloseConnections: true, bodyLimit: 1_000_000 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(simulator.provider.unknownPath));
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    if (error instanceof Misuse) return reply.code(400).send({ wrong: error.message });
    if (error.statusCode === undefined) console.error(error);
    return reply.code(error.statusCode ?? 500).send({ wrong: error.message });
  });
  app.addHook('onRequest', async (request, reply) => {
    if (/^\/(?:simulator|phone)(?:\/|$)/.test(request.url)) return;
    const how = simulator.faults.downAt(simulator.clock.now());
    if (how === '503') return reply.code(503).send(simulator.provider.unavailable);
    if (how === undefined) return;
    reply.hijack();
    request.raw.socket.destroy();
  });
  simulator.provider.routes(app, simulator);
  phoneRoutes(app, simulator);
  controlRoutes(app, simulator);
  const ticking = setInterval(() => simulator.tick(), TICK_MS);
  app.addHook('onClose', async () => {
    clearInterval(ticking);
    await simulator.callbacks.settled();
  });
  return app;
}
