import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CONNECTIONS, LoadClient, prepare } from './load.harness.ts';

/** The sender of the load proofs: whatever a server does, each of its calls comes to an end. */

const HUNG_AFTER_MS = 1_000;
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

it('goes on with new connections when all it had have hung at once', async () => {
  let answers = false;
  const read = Promise.withResolvers<void>();
  let unread = CONNECTIONS;
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      if (answers) socket.write(OK);
      unread -= 1;
      if (unread === 0) read.resolve();
    });
  });
  server.listen({ host: '127.0.0.1', port: 0, backlog: CONNECTIONS });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const bound = server.address();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const load = new LoadClient(typeof bound === 'object' ? (bound?.port ?? 0) : 0, HUNG_AFTER_MS);
  onTestFinished(() => load.close());
  const call = prepare('call', 'GET /', {});
  const first = Array.from({ length: CONNECTIONS }, () => load.send(call));
  await read.promise;
  vi.advanceTimersByTime(HUNG_AFTER_MS / 2);
  const next = load.send(call);
  answers = true;
  vi.advanceTimersByTime(HUNG_AFTER_MS / 2); // all of them in one turn of the event loop
  expect(new Set((await Promise.all(first)).map(({ status }) => status))).toEqual(new Set(['hung']));
  expect((await next).status).toBe(200);
});
