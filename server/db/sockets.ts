import { Socket } from 'node:net';
import pg from 'pg';

/** The connection timeout of a host, which leaves some of the retry budget for the next one. */
const CONNECT_WITHIN_MS = 2_000;

/** The pool passes its settings to each new client as they are. */
export interface ClientSettings extends pg.ClientConfig {
  /** Which of several servers a new client connects to. */
  readonly serverNow?: () => pg.ClientConfig | undefined;
}

const sockets = new WeakMap<pg.ClientBase, Socket>();
const servers = new WeakMap<pg.ClientBase, pg.ClientConfig>();

/** The driver's client over our own socket, passed as its option `stream`. */
export class SocketClient extends pg.Client {
  constructor({ serverNow, ...config }: ClientSettings = {}) {
    const socket = new Socket();
    const server = serverNow?.() ?? {};
    super({ ...config, ...server, connectionTimeoutMillis: CONNECT_WITHIN_MS, stream: () => socket });
    sockets.set(this, socket);
    servers.set(this, server);
  }
}

/** The server that a client connects to. */
export function serverOf(client: pg.ClientBase): pg.ClientConfig | undefined {
  return servers.get(client);
}

/** Sends what is written in this turn of the event loop in one write: each one wakes PostgreSQL. */
export function gatherWrites(client: pg.ClientBase): void {
  const socket = sockets.get(client);
  if (socket === undefined || socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/** Breaks a connection, failing everything in progress on it. */
export function breakOff(client: pg.ClientBase): void {
  sockets.get(client)?.destroy();
}
