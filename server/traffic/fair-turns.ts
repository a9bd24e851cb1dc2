import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '#contract/endpoint.ts';
import { failures } from '#contract/errors.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Config } from '#server/config/config.ts';
import { FairSemaphore, retryAfterSeconds, type SemaphoreLimits, type Turns } from '#server/machine/fair-semaphore.ts';
import { networkOf } from '#server/machine/network.ts';
import type { Log } from '#server/observability/logging.ts';
import { failurePage } from '#server/responses/failure-page.ts';
import { PLAIN_STYLE } from '#server/responses/plain-page.ts';
import { KnownSessions } from '#server/sessions/known-sessions.ts';

/**
 * The API's calls take turns by person and, until the person is known, by address. A flood slows down only its sender;
 * if there are more calls than the machine can handle, the flood's calls are refused first, and at once
 * (docs/decisions/0021-load.md). Pages, health and metrics need little or nothing of the database and take no turns.
 */

/**
 * A screen makes about six calls at once. If more calls could wait, people would wait longer than they stay on a
 * screen.
 */
export const CALLS: SemaphoreLimits = { atOnce: 64, atOnceEach: 8, waiting: 100 };

/**
 * Documents being downloaded and parts being uploaded. A browser opens six connections, and each takes some 256 kB of
 * memory.
 */
const TRANSFERS: SemaphoreLimits = { atOnce: 120, atOnceEach: 6, waiting: 120 };

/**
 * Lookups of sessions that this process does not know: two at once for an address, each already in a turn.
 */
const LOOKUPS: SemaphoreLimits = { atOnce: Number.POSITIVE_INFINITY, atOnceEach: 2, waiting: Number.POSITIVE_INFINITY };
/**
 * How long a refused lookup keeps its place, which costs nothing. If we refused made-up cookies faster, a flood could
 * only send more of them.
 */
const REFUSED_LOOKUP_MS = 10;

const REPORT_EVERY_MS = 5_000;

const { status, msg } = failures.UNAVAILABLE;
const answer = JSON.stringify({ success: false, msg, code: 'UNAVAILABLE' });

interface TurnOptions {
  readonly transfers?: SemaphoreLimits;
  /** Tests control the pause of refused lookups, in milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

export class FairTurns {
  readonly #semaphore: FairSemaphore;
  readonly #transfers: FairSemaphore;
  readonly #lookups = new FairSemaphore(LOOKUPS);
  readonly #pause: (ms: number) => Promise<unknown>;
  /** Tells whose turn a request takes: that of the person behind its session, whatever their address. */
  readonly sessions: KnownSessions;
  readonly #addressOf: (request: IncomingMessage) => string;
  readonly #noteRefusal: () => void;
  #refusedInAll = 0;

  constructor(
    { config, log }: { readonly config: Config; readonly log: Log },
    limits: SemaphoreLimits = CALLS,
    { transfers = TRANSFERS, pause = wait }: TurnOptions = {},
  ) {
    const report = reportNowAndThen((calls) => log.warn({ calls }, 'too much load: calls were refused'));
    this.#noteRefusal = () => {
      this.#refusedInAll += 1;
      report();
    };
    this.#semaphore = new FairSemaphore(limits, this.#noteRefusal);
    this.#transfers = new FairSemaphore(transfers);
    this.#pause = pause;
    this.sessions = new KnownSessions(config);
    this.#addressOf = addressReader(config);
  }

  /** The turns of calls, including refusals on arrival. */
  get turns(): Turns {
    return { ...this.#semaphore.turns, refused: this.#refusedInAll };
  }

  /** The turns of calls that carry a file. */
  get transfers(): Turns {
    return this.#transfers.turns;
  }

  /** Runs before everything else that handles requests: a refusal here costs a quarter of one later. */
  readonly guard =
    (handle: RequestListener): RequestListener =>
    (request, response) => {
      if (request.url?.startsWith(`${API_ROOT}/`) !== true || this.#semaphore.hasRoomFor(this.#keyOf(request))) {
        handle(request, response);
        return;
      }
      this.#noteRefusal();
      refuse(request, response);
    };

  /** Runs a request's work in its turn. Throws UNAVAILABLE if too much waits. */
  run<T>({ raw }: FastifyRequest, work: () => Promise<T>): Promise<T> {
    return this.#semaphore.run(this.#keyOf(raw), work);
  }

  /**
   * Runs the lookup of a session in a turn. If this process doesn't know the session, at most two lookups run at once for
   * its address. Throws what the lookup throws, for an unknown session after a short pause, and UNAVAILABLE if too much
   * waits.
   */
  lookUp(request: FastifyRequest, lookup: () => Promise<void>): Promise<void> {
    if (this.sessions.personOf(request.raw) !== undefined) return this.run(request, lookup);
    const refusedLater = async (refusal: unknown): Promise<never> => {
      await this.#pause(REFUSED_LOOKUP_MS);
      throw refusal;
    };
    return this.run(request, () => this.#lookups.run(this.#keyOf(request.raw), () => lookup().catch(refusedLater)));
  }

  /**
   * Takes a turn for a call that carries a file, before its body is read, and holds it until the reply is sent or the
   * caller is gone. Throws UNAVAILABLE if too much waits, MALFORMED if the caller is gone.
   */
  holdTransfer({ raw }: FastifyRequest, { raw: response }: FastifyReply): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const transfer = async (): Promise<void> => {
      if (response.destroyed) throw new AppError('MALFORMED');
      const ended = Promise.withResolvers<void>();
      response.once('finish', ended.resolve).once('close', ended.resolve);
      resolve();
      await ended.promise;
    };
    this.#transfers.run(this.#keyOf(raw), transfer).catch(reject);
    return promise;
  }

  /** The key of a request. An unknown cookie counts for its address, because anybody can make one up. */
  #keyOf(request: IncomingMessage): string {
    return this.sessions.personOf(request)?.tag ?? networkOf(this.#addressOf(request));
  }
}

/** Reads the same address as `request.ip`, but before Fastify has the request. */
function addressReader({ trustProxy }: Config): (request: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? '';
  if (trustProxy === true) return (request) => proxyAddr(request, () => true);
  const trusts = typeof trustProxy === 'string' ? proxyAddr.compile(trustProxy.split(/ *, */)) : trustProxy;
  return (request) => proxyAddr(request, trusts);
}

/** Refuses a request: with a page if it opens a document in a tab, where a person reads the reply. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const inTab = request.headers['sec-fetch-dest'] === 'document';
  const body = inTab ? failurePage('UNAVAILABLE') : answer;
  response
    .writeHead(status, {
      'content-type': inTab ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'retry-after': String(retryAfterSeconds()),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; frame-ancestors 'none'${inTab ? `; style-src ${PLAIN_STYLE}` : ''}`,
    })
    .end(body);
}

/** Reports the count at once, and then at most every 5 s. */
function reportNowAndThen(tell: (times: number) => void): () => void {
  let times = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return () => {
    times += 1;
    const now = performance.now();
    if (now - toldAt < REPORT_EVERY_MS) return;
    tell(times);
    times = 0;
    toldAt = now;
  };
}
