import { Socket } from 'node:net';
import pg from 'pg';

/** For an answer from a host, so that there is patience left for the next one. */
const CONNECT_WITHIN_MS = 2_000;

const sockets = new WeakMap<pg.ClientBase, Socket>();

/** The driver's client over a socket of our own, which it is given by its option `stream`. */
export class SocketClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, connectionTimeoutMillis: CONNECT_WITHIN_MS, stream: () => socket });
    sockets.set(this, socket);
  }
}

/** Breaks a connection: what is under way on it fails as on any that breaks. */
export function breakOff(client: pg.ClientBase): void {
  sockets.get(client)?.destroy();
}
