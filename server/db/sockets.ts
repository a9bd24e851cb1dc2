import { Socket } from 'node:net';
import pg from 'pg';

/** The connection timeout, which leaves time for another attempt within the retry budget. */
const CONNECT_WITHIN_MS = 2_000;

const sockets = new WeakMap<pg.ClientBase, Socket>();

/** The driver's client over our own socket, passed as its option `stream`. */
export class SocketClient extends pg.Client {
  constructor(settings: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...settings, connectionTimeoutMillis: CONNECT_WITHIN_MS, stream: () => socket });
    sockets.set(this, socket);
  }
}

/**
 * Combines everything that is written in one turn of the event loop into one write, because each write wakes
 * PostgreSQL.
 */
export function gatherWrites(client: pg.ClientBase): void {
  const socket = sockets.get(client);
  if (socket === undefined || socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}
