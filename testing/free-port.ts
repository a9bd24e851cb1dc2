import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenOnFreePort } from '#testing/servers/listening.ts';

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const listener = createServer();
  const port = await listenOnFreePort(listener);
  listener.close();
  await once(listener, 'close');
  return port;
}
