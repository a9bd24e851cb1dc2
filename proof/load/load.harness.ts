import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Load over sockets of its own, so light that one core makes more of it than a server takes: prepared requests over
 * kept-alive connections, of whose answers no more than status, Retry-After and length is read.
 */

export interface PreparedRequest {
  /** What it is for, in the figures. */
  readonly kind: string;
  readonly bytes: Buffer;
}

export interface Outcome {
  readonly kind: string;
  /** The answer's status; 'cut' where the connection broke before it was whole, 'hung' where none came in time. */
  readonly status: number | 'cut' | 'hung';
  /** From the moment at which it was due, also where it had to wait for a connection. */
  readonly ms: number;
  readonly retryAfter: string | undefined;
}

/** As many as a proxy would keep to one server. */
export const CONNECTIONS = 1000;
const TICK_MS = 5;
/** From one address no more than 500 connections are taken. */
const PEOPLES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];

/** A request's bytes; JSON where there is a body. */
export function prepare(
  kind: string,
  line: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): PreparedRequest {
  if (body === undefined) return prepareBytes(kind, line, headers, Buffer.alloc(0));
  const json = Buffer.from(JSON.stringify(body));
  return prepareBytes(kind, line, { ...headers, 'content-type': 'application/json' }, json);
}

/** The same with a body of whatever type the headers say; none where it is empty. */
export function prepareBytes(
  kind: string,
  line: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): PreparedRequest {
  const length = body.length === 0 ? {} : { 'content-length': String(body.length) };
  const lines = Object.entries({ host: 'localhost', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return { kind, bytes: Buffer.concat([Buffer.from([`${line} HTTP/1.1`, ...lines, '', ''].join('\r\n')), body]) };
}

interface Waiting {
  readonly request: PreparedRequest;
  readonly due: number;
  readonly settle: (outcome: Outcome) => void;
}

/** Keeps connections to one server and hands each the request that is due next. */
export class LoadClient {
  readonly #port: number;
  readonly #hungAfterMs: number;
  readonly #addresses: readonly string[];
  #opened = 0;
  readonly #idle: LoadConnection[] = [];
  /** In their order; those before `#first` have gone. To take the first of a long array off costs as much as it is long. */
  #queue: Waiting[] = [];
  #first = 0;
  readonly #open = new Set<LoadConnection>();

  /** `addresses`: where its connections come from in turn, all of this machine. */
  constructor(port: number, hungAfterMs: number, addresses: readonly string[] = PEOPLES) {
    this.#port = port;
    this.#addresses = addresses;
    this.#hungAfterMs = hungAfterMs;
  }

  send(request: PreparedRequest): Promise<Outcome> {
    return new Promise((settle) => {
      this.#queue.push({ request, due: performance.now(), settle });
      this.#pump();
    });
  }

  #pump(): void {
    for (let waiting = this.#queue[this.#first]; waiting !== undefined; waiting = this.#queue[this.#first]) {
      // Those who have waited in vain for a connection are not sent any more: they have gone.
      const hasGone = performance.now() - waiting.due >= this.#hungAfterMs;
      const connection = hasGone ? undefined : (this.#idle.pop() ?? this.#another());
      if (!hasGone && connection === undefined) return;
      this.#first += 1;
      if (connection === undefined) waiting.settle(unanswered(waiting));
      else connection.carry(waiting, this.#hungAfterMs);
    }
    this.#queue = [];
    this.#first = 0;
  }

  #another(): LoadConnection | undefined {
    if (this.#open.size >= CONNECTIONS) return undefined;
    const connection: LoadConnection = new LoadConnection(this.#port, this.#nextAddress(), {
      free: () => this.#idle.push(connection),
      gone: () => {
        this.#open.delete(connection);
        const place = this.#idle.indexOf(connection);
        if (place !== -1) this.#idle.splice(place, 1);
        this.#pump(); // there is room for another connection, and nothing else may ever say so
      },
      settled: () => this.#pump(),
    });
    this.#open.add(connection);
    return connection;
  }

  #nextAddress(): string {
    this.#opened += 1;
    return this.#addresses[this.#opened % this.#addresses.length] ?? '127.0.0.1';
  }

  /** Ends its connections; what still waits is not sent any more. */
  close(): void {
    this.#queue = [];
    this.#first = 0;
    for (const connection of this.#open) connection.end();
  }
}

function unanswered({ request, due }: Waiting): Outcome {
  return { kind: request.kind, status: 'hung', ms: performance.now() - due, retryAfter: undefined };
}

interface Events {
  free(): void;
  gone(): void;
  settled(): void;
}

class LoadConnection {
  readonly #socket: Socket;
  readonly #events: Events;
  #carried: (Waiting & { timer: NodeJS.Timeout }) | undefined;
  /** What has come of an answer's head; of its body no more is kept than how much is missing. */
  #received = '';
  #head: string | undefined;
  #missing = 0;

  constructor(port: number, localAddress: string, events: Events) {
    this.#events = events;
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', () => undefined); // 'close' follows
    this.#socket.on('close', () => {
      events.gone();
      this.#settle('cut');
    });
  }

  carry(waiting: Waiting, hungAfterMs: number): void {
    const left = Math.max(1, hungAfterMs - (performance.now() - waiting.due));
    const timer = setTimeout(() => {
      this.#settle('hung');
      this.end();
    }, left);
    this.#carried = { ...waiting, timer };
    this.#socket.write(waiting.request.bytes);
  }

  end(): void {
    this.#socket.destroy();
  }

  /** An answer is whole when as many bytes have come as it announces. */
  #read(chunk: Buffer): void {
    if (this.#head === undefined) this.#readHead(chunk.toString('latin1'));
    else this.#missing -= chunk.length;
    if (this.#head === undefined || this.#missing > 0) return;
    const head = this.#head;
    this.#head = undefined;
    const last = head.includes('\r\nconnection: close');
    if (last) this.#events.gone();
    else this.#events.free();
    this.#settle(Number(head.slice(9, 12)), /\r\nretry-after: (\d+)/.exec(head)?.[1]);
    if (last) this.end();
  }

  #readHead(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    this.#head = this.#received.slice(0, end).toLowerCase();
    const length = Number(/\r\ncontent-length: (\d+)/.exec(this.#head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) throw new Error(`an answer without a length:\n${this.#head}`);
    this.#missing = end + 4 + length - this.#received.length;
    this.#received = '';
  }

  #settle(status: Outcome['status'], retryAfter?: string): void {
    const carried = this.#carried;
    if (carried === undefined) return;
    this.#carried = undefined;
    clearTimeout(carried.timer);
    carried.settle({ kind: carried.request.kind, status, ms: performance.now() - carried.due, retryAfter });
    this.#events.settled();
  }
}

/** Each of this many people asks again as soon as they are answered: what a server carries. */
export async function inTurns(
  client: LoadClient,
  people: number,
  seconds: number,
  next: () => PreparedRequest,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const until = performance.now() + seconds * 1000;
  const person = async (): Promise<void> => {
    while (performance.now() < until) outcomes.push(await client.send(next()));
  };
  await Promise.all(Array.from({ length: people }, person));
  return outcomes;
}

/** This many a second come, whether those before them were answered or not. */
export async function atRate(
  client: LoadClient,
  perSecond: number,
  seconds: number,
  next: () => PreparedRequest,
): Promise<Outcome[]> {
  const began = performance.now();
  const sent: Promise<Outcome>[] = [];
  while (performance.now() - began < seconds * 1000) {
    const due = Math.ceil(((performance.now() - began) / 1000) * perSecond);
    while (sent.length < due) sent.push(client.send(next()));
    await wait(TICK_MS);
  }
  return Promise.all(sent);
}

/** The p-th percentile of the times, in milliseconds. */
export function percentile(outcomes: readonly Outcome[], p: number): number {
  const sorted = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN);
}

/** How many of each status there are. */
export function byStatus(outcomes: readonly Outcome[]): Record<string, number> {
  return counted(outcomes.map(({ status }) => String(status)));
}

/** How often each is there. */
export function counted(all: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}
