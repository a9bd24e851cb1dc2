import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '#server/app.ts';
import { createTestPlatform, type TestPlatform } from '#testing/test-platform.ts';
import { Drain } from './drain.ts';

/** A server shuts down while others continue. */

describe('a server that leaves', () => {
  let test: TestPlatform;
  let drain: Drain;
  let server: Awaited<ReturnType<typeof createApp>>;
  let address: string;
  const agent = new Agent({ keepAlive: true });

  beforeEach(async () => {
    test = await createTestPlatform();
    drain = new Drain();
    server = await createApp(test.platform, drain);
    address = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    agent.destroy();
    await server.close();
    await test.close();
  });

  async function get(path: string): Promise<IncomingMessage> {
    const asked = request(`${address}${path}`, { agent }).end();
    const [response]: IncomingMessage[] = await once(asked, 'response');
    if (response === undefined) throw new Error('no answer');
    response.resume();
    await once(response, 'end');
    return response;
  }

  it('says so first, and answers everything all the same, on connections that it closes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      expect((await get('/readyz')).statusCode).toBe(200);
      expect((await get('/readyz')).headers.connection).toBe('keep-alive');
      const left = drain.leave(server, 5_000);
      const readiness = await get('/readyz');
      expect(readiness.statusCode).toBe(503);
      expect(readiness.headers.connection).toBe('close');
      for (const path of ['/livez', '/api/v1/sectors']) {
        const { statusCode, headers } = await get(path);
        expect({ path, statusCode, connection: headers.connection }).toEqual({
          path,
          statusCode: 200,
          connection: 'close',
        });
      }
      expect(server.server.listening).toBe(true);
      await vi.advanceTimersByTimeAsync(5_000);
      await left;
      expect(server.server.listening).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('finishes running requests, and closes their connections', async () => {
    const slow = request(`${address}/api/v1/users/login`, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': 2 },
    });
    slow.flushHeaders();
    await once(server.server, 'request');
    const left = drain.leave(server, 0);
    await vi.waitFor(() => expect(server.server.listening).toBe(false), { timeout: 100_000 });
    slow.end('{}');
    const [response]: IncomingMessage[] = await once(slow, 'response');
    expect(response?.statusCode).toBe(400);
    expect(response?.headers.connection).toBe('close');
    response?.resume();
    await left;
  });

  it.runIf(process.platform === 'linux')(
    'answers who was connected before it closed, though not yet accepted',
    async () => {
      const count = 50;
      const sent = new Int32Array(new SharedArrayBuffer(4));
      const port = Number(new URL(address).port);
      const workerData = { port, count, sent };
      const callers = new Worker(join(import.meta.dirname, 'waiting-callers.child.ts'), { workerData });
      await once(callers, 'online');
      // Blocks this thread, so that all connections wait in the kernel.
      for (let now = 0; now < count; now = Atomics.load(sent, 0)) Atomics.wait(sent, 0, now);
      const left = drain.leave(server, 0);
      const [answers] = await once(callers, 'message');
      expect(answers).toEqual(Array(count).fill('HTTP/1.1 404 Not Found'));
      await left;
    },
  );
});
