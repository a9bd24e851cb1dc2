import { Socket } from 'node:net';
import pg from 'pg';

/** The connection timeout of a host, which leaves some of the retry budget for the next one. */
const CONNECT_WITHIN_MS = 2_000;

const sockets = new WeakMap<pg.ClientBase, Socket>();

/** The driver's client over our own socket, passed as its option `stream`. */
export class SocketClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, connectionTimeoutMillis: CONNECT_WITHIN_MS, stream: () => socket });
    sockets.set(this, socket);
  }
}

/** Breaks a connection, failing everything in progress on it. */
export function breakOff(client: pg.ClientBase): void {
  sockets.get(client)?.destroy();
}
