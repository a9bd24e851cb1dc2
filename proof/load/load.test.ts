import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listenOnFreePort } from '#testing/servers/listening.ts';
import { CONNECTIONS, LoadClient, prepare } from './load.harness.ts';

/** Every call of the load generator ends, whatever a server does. */

const HUNG_AFTER_MS = 1_000;
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

it('the load generator opens new connections when all its old ones hang', async () => {
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
  const port = await listenOnFreePort(server, CONNECTIONS);
  onTestFinished(() => void server.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const load = new LoadClient(port, HUNG_AFTER_MS);
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
