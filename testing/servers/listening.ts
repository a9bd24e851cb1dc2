import { once } from 'node:events';
import type { Server } from 'node:net';

/** Listens on a free port of 127.0.0.1; returns the port. */
export async function listenOnFreePort(server: Server, backlog?: number): Promise<number> {
  server.listen({ port: 0, host: '127.0.0.1', ...(backlog === undefined ? {} : { backlog }) });
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port was bound');
  return bound.port;
}
