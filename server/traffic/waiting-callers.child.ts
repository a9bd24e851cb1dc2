import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * In a thread of its own: connects so often to a server that is standing still, sends a request into each connection, says
 * so by `sent`, and later posts what each was answered.
 */

interface Callers {
  readonly port: number;
  readonly count: number;
  readonly sent: Int32Array;
}

const { port, count, sent }: Callers = workerData;
const REQUEST = 'POST /livez HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n';

const answers = Array.from({ length: count }, () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(REQUEST, () => {
      Atomics.add(sent, 0, 1);
      Atomics.notify(sent, 0);
    }),
  );
  socket.once('data', (chunk) => resolve(chunk.toString('latin1').split('\r\n', 1)[0] ?? ''));
  socket.once('error', ({ message }) => resolve(message));
  socket.once('close', () => resolve('closed'));
  return promise;
});
parentPort?.postMessage(await Promise.all(answers));
