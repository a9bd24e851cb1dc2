import { once } from 'node:events';
import { request } from 'node:http';
import fastify, { type FastifyReply } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '#server/calls/app-error.ts';
import { answerFailures } from '#server/http/failures.ts';
import { loginTimeout } from './login-timeout.ts';

/** How long a login waits for its turns. */

/** A server whose calls wait until their timeout ends. */
async function serve(timeoutOf: (reply: FastifyReply) => AbortSignal) {
  const server = fastify();
  onTestFinished(() => server.close());
  answerFailures(server);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<AbortSignal>();
  server.get('/', async (_request, reply) => {
    const timeout = timeoutOf(reply);
    arrive(timeout);
    await once(timeout, 'abort');
    throw timeout.reason;
  });
  return { address: await server.listen({ port: 0, host: '127.0.0.1' }), arrived };
}

describe('the timeout of a login', () => {
  it('ends with a refusal that says when to try again', async () => {
    const { address } = await serve((reply) => loginTimeout(reply, 0));
    const refused = await fetch(address);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      msg: expect.stringMatching(/^Too many requests from here\. Try again in [2-6] seconds$/),
    });
    expect(refused.headers.get('retry-after')).toMatch(/^[2-6]$/);
  });

  it('ends at once if the caller disconnects', async () => {
    const { address, arrived } = await serve((reply) => loginTimeout(reply));
    const call = request(address).on('error', () => undefined);
    call.end();
    const timeout = await arrived;
    expect(timeout.aborted).toBe(false);
    call.destroy();
    await once(timeout, 'abort');
    expect(timeout.reason).toEqual(new AppError('MALFORMED'));
  });
});
