import { createServer, type RequestListener, type Server } from 'node:http';

/** A client that falls silent, and the longest that an upload over a bad line may take. */
const SILENCE_LIMIT_MS = 60_000;
const REQUEST_LIMIT_MS = 30 * 60_000;
/** Longer than proxies keep an idle connection (60 s), so that none sends a request into one that is just being closed. */
const KEEP_ALIVE_MS = 72_000;
/** Each costs memory, asked for or not; a proxy has far fewer. */
const MAXIMUM_CONNECTIONS = 5_000;

/**
 * Connections that wait to be accepted. Where the queue is full Linux drops what was sent without a word, and the client
 * tries again after seconds that double: a hang that no refusal could end. The system's `somaxconn` bounds it too.
 */
export const BACKLOG = 4_096;

/** Fastify's `serverFactory`: Node's HTTP server with its limits, and what stands before everything that handles requests. */
export function httpServer(...guards: readonly ((handle: RequestListener) => RequestListener)[]) {
  return (handle: RequestListener): Server => {
    const guarded = guards.reduceRight((inner, guard) => guard(inner), handle);
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_LIMIT_MS }, guarded);
    server.setTimeout(SILENCE_LIMIT_MS);
    server.maxConnections = MAXIMUM_CONNECTIONS;
    return server;
  };
}
