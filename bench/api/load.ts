import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Closed-loop load from another process (load.child.ts): each connection sends its next request after the reply. */

/** The request that a connection repeats. */
export interface Request {
  /** The request line and the headers except `content-length`, each ended by CR LF. */
  readonly head: string;
  /**
   * Placeholders, new each time: `__N__` is a number of seven digits, `__KEY__` a UUID, `__ADDRESS__` the last three bytes of an
   * IPv4 address, `__VERSION__` the version of the last answer, `__NEXT__` the next of `targets`.
   */
  readonly body: string;
  /** The connection ends after the last one. */
  readonly targets?: readonly string[];
  /** The first `__VERSION__`. */
  readonly version?: number;
}

export interface Load {
  readonly port: number;
  /** One for each connection. */
  readonly requests: readonly Request[];
  /** Undefined for requests with targets: the load ends after the last of them. */
  readonly seconds?: number | undefined;
  /** Replies in this time at the start do not count. */
  readonly warmUpSeconds: number;
}

export interface Loaded {
  /** Answers of status 200 a second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Other statuses and broken connections by kind, and the first one's text. */
  readonly failures: Readonly<Record<string, number>>;
  readonly firstFailure: string;
  /** Processor time a second of the load process. */
  readonly ownCores: number;
}

/** The load process, until `end`. */
export class LoadProcess {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'load.child.ts'));
  }

  /** Throws if any reply is not 200. */
  async run(load: Load): Promise<Loaded> {
    this.#child.send(load);
    const [loaded]: Loaded[] = await once(this.#child, 'message');
    if (loaded === undefined) throw new Error('the load process sent no result');
    if (Object.keys(loaded.failures).length > 0)
      throw new Error(
        `answers were ${JSON.stringify(loaded.failures)}; the first: ${loaded.firstFailure.slice(0, 600)}`,
      );
    return loaded;
  }

  end(): void {
    this.#child.disconnect();
  }
}

/** A JSON request with a session. */
export function jsonRequest(
  line: string,
  { cookie, key = false, from }: { readonly cookie: string; readonly key?: boolean; readonly from?: string },
  body: unknown,
): Pick<Request, 'head' | 'body'> {
  const headers = {
    host: 'localhost',
    cookie,
    accept: 'application/json',
    'x-requested-with': 'fetch',
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    ...(key ? { 'idempotency-key': '__KEY__' } : {}),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  // Placeholders stand for numbers.
  return {
    head: `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n`,
    body: JSON.stringify(body).replaceAll(/"(__[A-Z]+__)"/g, '$1'),
  };
}
