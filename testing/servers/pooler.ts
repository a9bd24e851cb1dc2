import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** A pooler between driver and PostgreSQL that loses prepared statements, like PgBouncer before 1.21. */
export type PoolMode = 'session' | 'transaction' | 'statement';

const STARTUP_HEADER = 8;
const MESSAGE_HEADER = 5;
/** The messages after which a client waits: a query, or a Sync. */
const ENDS_OF_TURN = ['Q', 'S'];

/** Splits a stream of bytes into PostgreSQL's messages, each with its type and length. */
class Messages {
  #rest = Buffer.alloc(0);

  *take(chunk: Buffer): Generator<{ readonly type: string; readonly bytes: Buffer }> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= MESSAGE_HEADER) {
      const length = this.#rest.readInt32BE(1) + 1;
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      yield { type: String.fromCharCode(bytes.readUInt8(0)), bytes };
    }
  }
}

interface Backend {
  readonly socket: Socket;
  /** Receives the messages; type `Z` reports the transaction's state. */
  hear: (type: string, bytes: Buffer) => void;
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(MESSAGE_HEADER);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const REFUSED = message(
  'E',
  Buffer.from('SFATAL\0C08P01\0Mtransaction blocks not allowed in statement pooling mode\0\0'),
);

/** Listens on a free port of this machine, in front of the PostgreSQL at that socket. */
export class Pooler {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Most recently used first. */
  readonly #free: Backend[] = [];
  readonly #mode: PoolMode;
  readonly #path: string;

  constructor(mode: PoolMode, { host, port }: { readonly host: string; readonly port: number }) {
    this.#mode = mode;
    this.#path = `${host}/.s.PGSQL.${port}`;
    this.#server = createServer((client) => {
      this.#keep(client).once('data', (startup: Buffer) => void this.#serve(client, startup));
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    return socket.on('error', () => undefined);
  }

  async #serve(client: Socket, startup: Buffer): Promise<void> {
    const messages = new Messages();
    let turn: Buffer[] = [];
    let held: Backend | undefined;
    const hear = (type: string, bytes: Buffer): void => {
      const inTransaction = type === 'Z' && bytes.at(-1) !== 'I'.charCodeAt(0);
      if (inTransaction && this.#mode === 'statement') client.end(REFUSED);
      else client.write(bytes);
      if (type !== 'Z' || inTransaction || this.#mode === 'session' || held === undefined) return;
      this.#free.push(held);
      held = undefined;
    };
    client.on('close', () => held?.socket.destroy());
    const take = async (chunk: Buffer): Promise<void> => {
      for (const { type, bytes } of messages.take(chunk)) {
        turn.push(bytes);
        if (!ENDS_OF_TURN.includes(type)) continue;
        const sent = turn;
        turn = [];
        held ??= this.#free.pop() ?? (await this.#open(startup));
        held.hear = hear;
        held.socket.write(Buffer.concat(sent));
      }
    };
    // One chunk at a time, because a connection may have to be opened in between.
    let taken = Promise.resolve();
    client.on('data', (chunk: Buffer) => {
      taken = taken.then(() => take(chunk));
    });
    client.write(Buffer.concat([AUTHENTICATED, READY]));
  }

  /** Opens another connection with the same login to the same database. */
  async #open(startup: Buffer): Promise<Backend> {
    const socket = this.#keep(createConnection(this.#path));
    const messages = new Messages();
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const backend: Backend = { socket, hear: (type) => (type === 'Z' ? resolve() : undefined) };
    socket.on('data', (chunk) => {
      for (const { type, bytes } of messages.take(chunk)) backend.hear(type, bytes);
    });
    socket.write(startup.subarray(0, Math.max(startup.readInt32BE(0), STARTUP_HEADER)));
    await ready;
    return backend;
  }
}
