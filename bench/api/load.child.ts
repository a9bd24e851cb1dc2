import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Load, Loaded, Request } from './load.ts';

/**
 * Generates load for its parent (load.ts). It uses plain sockets and prepared texts, and reads only a reply's status,
 * length and version, because it shares the machine with the server.
 */

/** Numbers of seven digits, each used once per run. */
const FIRST_NUMBER = 1_000_000;
const LAST_NUMBER = 9_999_999;
let number = FIRST_NUMBER + Math.floor(Math.random() * 1_000_000);

process.on('message', (load: Load) => {
  void run(load).then((loaded) => process.send?.(loaded));
});

interface Counted {
  readonly times: number[];
  readonly failures: Record<string, number>;
  firstFailure: string;
  counts: boolean;
}

async function run({ port, requests, seconds, warmUpSeconds }: Load): Promise<Loaded> {
  const counted: Counted = { times: [], failures: {}, firstFailure: '', counts: warmUpSeconds === 0 };
  const connections = requests.map((request) => new Connection(port, request, counted));
  for (const connection of connections) connection.begin();
  await passed(warmUpSeconds);
  counted.counts = true;
  const [began, usage] = [performance.now(), process.cpuUsage()];
  await (seconds === undefined ? Promise.all(connections.map(({ ended }) => ended)) : passed(seconds));
  const took = (performance.now() - began) / 1000;
  counted.counts = false;
  const used = process.cpuUsage(usage);
  await Promise.all(connections.map((connection) => connection.end()));
  const sorted = Float64Array.from(counted.times).sort();
  return {
    rate: sorted.length / took,
    p50Ms: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    failures: counted.failures,
    firstFailure: counted.firstFailure,
    ownCores: (used.user + used.system) / 1e6 / took,
  };
}

function passed(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

/** Splits a text at its placeholders, so that a request is a join. */
function template(text: string): string[] {
  return text.split(/(__[A-Z]+__)/);
}

class Connection {
  readonly #socket: Socket;
  readonly #head: string[];
  readonly #body: string[];
  readonly #counted: Counted;
  #version: string;
  #sentAt = 0;
  #received: Buffer | undefined;
  readonly #targets: readonly string[] | undefined;
  #asked = 0;
  #isEnding = false;
  readonly #closed = Promise.withResolvers<void>();
  readonly ended = this.#closed.promise;

  constructor(port: number, { head, body, targets, version = 1 }: Request, counted: Counted) {
    this.#targets = targets;
    this.#head = template(head);
    this.#body = template(body);
    this.#version = String(version);
    this.#counted = counted;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', () => undefined); // 'close' follows
    this.#socket.on('close', () => {
      if (!this.#isEnding) this.#fail('cut', 'the connection was closed');
      this.#closed.resolve();
    });
  }

  begin(): void {
    const body = this.#filled(this.#body);
    const head = this.#filled(this.#head);
    this.#sentAt = performance.now();
    this.#socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  /** Closes after the pending reply. */
  end(): Promise<void> {
    this.#isEnding = true;
    return this.ended;
  }

  #filled(parts: readonly string[]): string {
    return parts.length === 1 ? (parts[0] ?? '') : parts.map((part) => this.#valueOf(part)).join('');
  }

  #valueOf(part: string): string {
    if (part === '__KEY__') return randomUUID();
    if (part === '__ADDRESS__') return Array.from({ length: 3 }, () => 1 + Math.floor(Math.random() * 254)).join('.');
    if (part === '__VERSION__') return this.#version;
    if (part === '__NEXT__') return this.#targets?.[this.#asked] ?? '';
    if (part !== '__N__') return part;
    number = number >= LAST_NUMBER ? FIRST_NUMBER : number + 1;
    return String(number);
  }

  #read(chunk: Buffer): void {
    const received = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) {
      this.#received = received;
      return;
    }
    const head = received.toString('latin1', 0, headEnd).toLowerCase();
    if (!isWhole(received, headEnd, head)) {
      this.#received = received;
      return;
    }
    this.#received = undefined;
    this.#take(head, received.subarray(headEnd + 4));
  }

  #take(head: string, body: Buffer): void {
    const status = head.slice(9, 12);
    if (status === '200') {
      if (this.#counted.counts) this.#counted.times.push(performance.now() - this.#sentAt);
      const at = body.indexOf('"version":');
      if (at !== -1) this.#version = String(Number.parseInt(body.toString('latin1', at + 10, at + 20), 10));
    } else this.#fail(status, body.toString());
    this.#asked += 1;
    if (this.#asked === this.#targets?.length) this.#isEnding = true;
    if (this.#isEnding) this.#socket.destroy();
    else this.begin();
  }

  #fail(kind: string, text: string): void {
    if (this.#counted.firstFailure === '') this.#counted.firstFailure = `${kind} ${text}`;
    this.#counted.failures[kind] = (this.#counted.failures[kind] ?? 0) + 1;
  }
}

/** Whether a reply is complete: by its length, or by the last chunk. */
function isWhole(received: Buffer, headEnd: number, head: string): boolean {
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return received.length >= headEnd + 4 + Number(length);
  return received.subarray(-5).equals(LAST_CHUNK);
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');
