import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const bound = listener.address();
  listener.close();
  await once(listener, 'close');
  if (typeof bound !== 'object' || bound === null) throw new Error('no port was bound');
  return bound.port;
}
