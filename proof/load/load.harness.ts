import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A load generator that needs less than a core to exceed a server's capacity: prepared requests over kept-alive
 * connections. It reads only a reply's status, Retry-After and length.
 */

export interface PreparedRequest {
  /** Its name in the figures. */
  readonly kind: string;
  readonly bytes: Buffer;
}

export interface Outcome {
  readonly kind: string;
  /** The reply's status; 'cut' if the connection broke before its end, 'hung' if none came in time. */
  readonly status: number | 'cut' | 'hung';
  /** The time since the request was due, including any wait for a connection. */
  readonly ms: number;
  readonly retryAfter: string | undefined;
}

/** The number that a proxy would keep open to one server. */
export const CONNECTIONS = 1000;
const TICK_MS = 5;
/** The server accepts at most 500 connections from one address. */
const PEOPLES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];

/** A request's bytes; a body is sent as JSON. */
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

/** A request's bytes with a body of the type given in the headers; without a body if it is empty. */
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

/** Keeps connections to one server and gives each the next due request. */
export class LoadClient {
  readonly #port: number;
  readonly #hungAfterMs: number;
  readonly #addresses: readonly string[];
  #opened = 0;
  readonly #idle: LoadConnection[] = [];
  /** In order; those before `#first` are done. Shifting a long array would take time for each element. */
  #queue: Waiting[] = [];
  #first = 0;
  readonly #open = new Set<LoadConnection>();

  /** `addresses`: the local addresses from which it connects, in turn. */
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
      // A request that has waited too long for a connection is not sent: its sender has left.
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
        this.#pump(); // there is room for another connection, and nothing else would notice
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

  /** Ends its connections; waiting requests are not sent. */
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
  /** The part of a reply's head that has arrived. */
  #received = '';
  #head: string | undefined;
  /** Bytes of the body that are still missing. */
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

  /** A reply is complete when its announced length has arrived. */
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

/** Closed-loop load: each of this many people sends the next request as soon as the last is answered. */
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

/** Open-loop load: sends this many requests a second, whether answered or not. */
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

/** Returns the items in turn, over and over. */
export function roundRobin<T>(items: readonly T[]): () => T {
  let turn = 0;
  return () => {
    turn += 1;
    const item = items[turn % items.length];
    if (item === undefined) throw new Error('there is nothing to give');
    return item;
  };
}

/** The p-th percentile of the times, in milliseconds. */
export function percentile(outcomes: readonly Outcome[], p: number): number {
  const sorted = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN);
}

/** The number of outcomes by status. */
export function byStatus(outcomes: readonly Outcome[]): Record<string, number> {
  return counted(outcomes.map(({ status }) => String(status)));
}

/** The number of occurrences of each. */
export function counted(all: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}
