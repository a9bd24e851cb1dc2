import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { networkOf } from '#server/machine/network.ts';

/** Timeouts for a silent client, for headers, and for an upload over a bad line. */
const SILENCE_LIMIT_MS = MINUTE_MS;
const HEADERS_LIMIT_MS = 20_000;
const REQUEST_LIMIT_MS = 30 * MINUTE_MS;
/** How often Node checks these timeouts. */
const LIMITS_CHECKED_EVERY_MS = 5_000;
/** Longer than proxies keep an idle connection (60 s), so that none sends a request on a connection that is closing. */
const KEEP_ALIVE_MS = 72_000;
/** Each connection costs memory, used or not; a proxy needs far fewer. */
const MAXIMUM_CONNECTIONS = 5_000;
/** A tenth per network. A carrier puts hundreds of phones behind one address, and some tens are active at once. */
const CONNECTIONS_EACH = 500;
/** The minimum of a body in each half minute. A phone at the edge of a 2G cell sends ten times that. */
const BODY_PROGRESS = { bytes: 4_096, everyMs: 30_000 } as const;

/**
 * The queue of connections to accept. If it is full, Linux silently drops packets, and clients retry after seconds that
 * double: a delay that no refusal can shorten. The system's `somaxconn` also limits it.
 */
export const BACKLOG = 4_096;

interface Limits {
  readonly connectionsEach: number;
  readonly headersMs: number;
  readonly checkedEveryMs: number;
  readonly progress: { readonly bytes: number; readonly everyMs: number };
}

/** The limits of a connection and a request. */
export const HTTP_LIMITS: Limits = {
  connectionsEach: CONNECTIONS_EACH,
  headersMs: HEADERS_LIMIT_MS,
  checkedEveryMs: LIMITS_CHECKED_EVERY_MS,
  progress: BODY_PROGRESS,
};

/**
 * Fastify's `serverFactory`: Node's HTTP server with its limits, and the checks that run before all handlers. Behind a
 * proxy, all connections come from the proxy, which must limit them by address itself.
 */
export function httpServer(
  { behindProxy, limits = HTTP_LIMITS }: { readonly behindProxy: boolean; readonly limits?: Limits },
  ...guards: readonly ((handle: RequestListener) => RequestListener)[]
) {
  return (handle: RequestListener): Server => {
    const guarded = guards.reduceRight((inner, guard) => guard(inner), handle);
    const times = {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: limits.headersMs,
      requestTimeout: REQUEST_LIMIT_MS,
      connectionsCheckingInterval: limits.checkedEveryMs,
    };
    const server = createServer(times, (request, response) => {
      endWithoutProgress(request, limits.progress);
      guarded(request, response);
    });
    server.setTimeout(SILENCE_LIMIT_MS);
    server.maxConnections = MAXIMUM_CONNECTIONS;
    if (!behindProxy) server.on('connection', boundEach(limits.connectionsEach));
    return server;
  };
}

/** Closes a network's connections beyond its share. */
function boundEach(most: number): (socket: Socket) => void {
  const open = new Map<string, number>();
  return (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const already = open.get(network) ?? 0;
    if (already >= most) {
      socket.destroy();
      return;
    }
    open.set(network, already + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 0) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  };
}

/** Closes the connection of a request whose body arrives too slowly. */
function endWithoutProgress(request: IncomingMessage, { bytes, everyMs }: Limits['progress']): void {
  const { socket, headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  // Headers and body may have arrived together, so the first check only measures what is there.
  let before = Number.NEGATIVE_INFINITY;
  const look = setInterval(() => {
    // While nothing reads the body, the server itself delays the sender.
    if (request.readableFlowing && !request.complete && socket.bytesRead - before < bytes) socket.destroy();
    before = socket.bytesRead;
  }, everyMs);
  request.once('close', () => clearInterval(look));
}
