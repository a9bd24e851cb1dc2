import { randomBytes, randomInt } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Counter } from 'prom-client';
import { API_ROOT } from '#contract/endpoint.ts';
import { failures } from '#contract/errors.ts';
import { failurePage } from '#server/platform/failure-page.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * More load than the machine carries: calls of the API are refused at once, before anything is done for them, while so
 * many statements wait for a connection that a further one would only make everybody wait longer
 * (docs/decisions/0021-load.md). Pages, health and metrics ask the database for nothing or for little, and are answered.
 */

/** More than a busy moment makes; worked off in well under a second. */
const WAITING_AT_MOST = 100;
/** Spread, or those who were refused would all be back at once. */
const RETRY_AFTER_SECONDS = { from: 2, to: 6 } as const;
const REPORT_EVERY_MS = 5_000;

const { status, msg } = failures.UNAVAILABLE;
const answer = JSON.stringify({ success: false, msg, code: 'UNAVAILABLE' });

export interface LoadShedding {
  /** How many calls were refused, for `/metrics`. */
  readonly refused: Counter;
  /** Stands before everything else that handles requests: a refusal costs a quarter of what it would inside. */
  guard(handle: RequestListener): RequestListener;
}

export function shedLoad({ pool, log }: Pick<Platform, 'pool' | 'log'>): LoadShedding {
  const refused = new Counter({
    name: 'kasente_requests_shed_total',
    help: 'Calls refused with 503 because too many wait for the database',
    registers: [],
  });
  const report = reportNowAndThen((calls) => log.warn({ calls }, 'too much load: calls were refused'));
  return {
    refused,
    guard: (handle) => (request, response) => {
      if (pool.callersWaiting < WAITING_AT_MOST || request.url?.startsWith(`${API_ROOT}/`) !== true) {
        handle(request, response);
        return;
      }
      refused.inc();
      report();
      refuse(request, response);
    },
  };
}

/** A document opens in a tab, where a person reads what is answered. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const inTab = request.headers['sec-fetch-dest'] === 'document';
  const nonce = inTab ? randomBytes(16).toString('hex') : '';
  const body = inTab ? failurePage('UNAVAILABLE', nonce) : answer;
  response
    .writeHead(status, {
      'content-type': inTab ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'retry-after': String(randomInt(RETRY_AFTER_SECONDS.from, RETRY_AFTER_SECONDS.to + 1)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; frame-ancestors 'none'${inTab ? `; style-src 'nonce-${nonce}'` : ''}`,
    })
    .end(body);
}

/** Calls back with how many there were, at once and then no more often than each 5 s. */
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
