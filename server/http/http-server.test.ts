import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Gathering } from '#testing/gathering.ts';
import { HTTP_LIMITS, httpServer } from './http-server.ts';

const THREE_EACH = { ...HTTP_LIMITS, connectionsEach: 3 };
const GET = 'GET / HTTP/1.1\r\nhost: kasente\r\n\r\n';
const POST = 'POST / HTTP/1.1\r\nhost: kasente\r\ncontent-length: 1000000\r\n\r\n';

/** A server with those limits, its received data, and a way to connect to it. */
async function open({ behindProxy = false, limits = HTTP_LIMITS, reads = true } = {}) {
  const arrived = new Gathering<number>();
  const requests: IncomingMessage[] = [];
  const server = httpServer({ behindProxy, limits })((request, response) => {
    requests.push(request);
    arrived.add(0);
    if (reads) request.on('data', (chunk: Buffer) => arrived.add(chunk.length)).once('end', () => response.end('read'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const send = (text: string, localAddress = '127.0.0.1'): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined); // 'close' follows
    socket.setEncoding('latin1').write(text);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { arrived, requests, send };
}

async function answered(socket: Socket): Promise<boolean> {
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

describe('connections', () => {
  it('beyond an address’s share are closed until one of them ends; other addresses are accepted', async () => {
    const { send } = await open({ limits: THREE_EACH });
    const three = [send(GET), send(GET), send(GET)];
    expect(await Promise.all(three.map(answered))).toEqual([true, true, true]);
    expect(await answered(send(GET))).toBe(false);
    // Linux replies on all of 127.0.0.0/8; elsewhere there is only one address.
    if (process.platform === 'linux') expect(await answered(send(GET, '127.0.0.2'))).toBe(true);
    three[0]?.destroy();
    await vi.waitUntil(() => answered(send(GET)), { timeout: 100_000 });
  });

  it('are not limited by address if all of them come from a proxy', async () => {
    const { send } = await open({ behindProxy: true, limits: THREE_EACH });
    const many = Array.from({ length: 10 }, () => send(GET));
    expect(await Promise.all(many.map(answered))).toEqual(many.map(() => true));
  });

  it('are closed if their headers do not end', async () => {
    const { send } = await open({ limits: { ...HTTP_LIMITS, headersMs: 100, checkedEveryMs: 20 } });
    const [silent, slow] = [send('G'), send('GET / HTTP/1.1\r\nhost: kasente\r\n')];
    await Promise.all([once(silent.resume(), 'close'), once(slow.resume(), 'close')]);
  });
});

describe('a body', () => {
  const { bytes, everyMs } = HTTP_LIMITS.progress;

  it('may arrive slowly, but must arrive', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { arrived, send } = await open();
    const socket = send(POST);
    const closed = once(socket.resume(), 'close');
    const sum = (): number => arrived.all.reduce((sofar, one) => sofar + one, 0);
    for (let half = 1; half <= 20; half += 1) {
      socket.write('x'.repeat(bytes));
      await vi.waitUntil(() => sum() === half * bytes, { timeout: 100_000 });
      vi.advanceTimersByTime(everyMs);
    }
    expect(socket.destroyed).toBe(false);
    socket.write('x'.repeat(bytes - 1));
    await vi.waitUntil(() => sum() === 21 * bytes - 1, { timeout: 100_000 });
    vi.advanceTimersByTime(everyMs);
    await closed;
  });

  it('is waited for if nobody reads it yet', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { arrived, requests, send } = await open({ reads: false });
    send(POST);
    await arrived.reached(1);
    vi.advanceTimersByTime(10 * everyMs);
    expect(requests.map(({ socket }) => socket.destroyed)).toEqual([false]);
  });
});
