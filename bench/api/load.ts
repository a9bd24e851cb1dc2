import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Load by a process of its own (load.child.ts): each connection asks again as soon as it is answered. */

/** What one connection asks, over and over. */
export interface Request {
  /** The request's first line and its headers but `content-length`, each ended by CR LF. */
  readonly head: string;
  /**
   * `__N__` is another number of seven digits each time; `__KEY__` another UUID; `__ADDRESS__` another last three bytes of an
   * IPv4 address; `__VERSION__` what was answered last; `__NEXT__` the next of `targets`.
   */
  readonly body: string;
  /** The connection ends after the last one. */
  readonly targets?: readonly string[];
  /** For the first `__VERSION__`. */
  readonly version?: number;
}

export interface Load {
  readonly port: number;
  /** One for each connection. */
  readonly requests: readonly Request[];
  /** Undefined for requests with targets: until everybody has asked for the last one. */
  readonly seconds?: number | undefined;
  /** What is answered in the first of them is not counted. */
  readonly warmUpSeconds: number;
}

export interface Loaded {
  /** Answers of status 200 a second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers of any other status, and connections that broke, by what they were; the first one's text. */
  readonly failures: Readonly<Record<string, number>>;
  readonly firstFailure: string;
  /** Processor time of this process a second: what it took from the others. */
  readonly ownCores: number;
}

/** The child, until it is let go of. */
export class LoadProcess {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'load.child.ts'));
  }

  /** Throws where anything but 200 was answered. */
  async run(load: Load): Promise<Loaded> {
    const loaded = await this.runWhatever(load);
    if (Object.keys(loaded.failures).length > 0)
      throw new Error(
        `answers were ${JSON.stringify(loaded.failures)}; the first: ${loaded.firstFailure.slice(0, 600)}`,
      );
    return loaded;
  }

  async runWhatever(load: Load): Promise<Loaded> {
    this.#child.send(load);
    const [loaded]: Loaded[] = await once(this.#child, 'message');
    if (loaded === undefined) throw new Error('the load process said nothing');
    return loaded;
  }

  end(): void {
    this.#child.disconnect();
  }
}

/** A JSON request of somebody with a session. */
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
