import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './network.ts';

/** A client that falls silent, the longest that headers may take, and the longest that an upload over a bad line may. */
const SILENCE_LIMIT_MS = 60_000;
const HEADERS_LIMIT_MS = 20_000;
const REQUEST_LIMIT_MS = 30 * 60_000;
/** How often Node looks for requests that take longer. */
const LIMITS_CHECKED_EVERY_MS = 5_000;
/** Longer than proxies keep an idle connection (60 s), so that none sends a request into one that is just being closed. */
const KEEP_ALIVE_MS = 72_000;
/** Each costs memory, asked for or not; a proxy has far fewer. */
const MAXIMUM_CONNECTIONS = 5_000;
/** Of one network: a tenth. A carrier puts hundreds of phones behind one address, of which some tens are here at once. */
const CONNECTIONS_EACH = 500;
/** What a body must bring in each half minute: a phone at the edge of a 2G cell brings ten times that. */
const BODY_PROGRESS = { bytes: 4_096, everyMs: 30_000 } as const;

/**
 * Connections that wait to be accepted. Where the queue is full Linux drops what was sent without a word, and the client
 * tries again after seconds that double: a hang that no refusal could end. The system's `somaxconn` bounds it too.
 */
export const BACKLOG = 4_096;

interface Limits {
  readonly connectionsEach: number;
  readonly headersMs: number;
  readonly checkedEveryMs: number;
  readonly progress: { readonly bytes: number; readonly everyMs: number };
}

/** What a connection and a request may take. */
export const HTTP_LIMITS: Limits = {
  connectionsEach: CONNECTIONS_EACH,
  headersMs: HEADERS_LIMIT_MS,
  checkedEveryMs: LIMITS_CHECKED_EVERY_MS,
  progress: BODY_PROGRESS,
};

/**
 * Fastify's `serverFactory`: Node's HTTP server with its limits, and what stands before everything that handles requests.
 * Behind a proxy all connections come from the proxy, which has to bound them by address itself.
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

/** Closes what a network opens beyond its share, so that it cannot take all there are. */
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

/** Closes the connection of a request whose body hardly comes. */
function endWithoutProgress(request: IncomingMessage, { bytes, everyMs }: Limits['progress']): void {
  const { socket, headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  // Headers and body may have come together: the first look finds how much is there.
  let before = Number.NEGATIVE_INFINITY;
  const look = setInterval(() => {
    // While nobody reads, the server keeps the sender waiting.
    if (request.readableFlowing && !request.complete && socket.bytesRead - before < bytes) socket.destroy();
    before = socket.bytesRead;
  }, everyMs);
  request.once('close', () => clearInterval(look));
}
