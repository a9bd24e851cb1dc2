import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { stopListening } from './accept-queue.ts';

/** How long an upload over a slow line may still take; longer ones are cut off. */
export const IN_FLIGHT_MS = MINUTE_MS;

const IDLE_CLOSED_EVERY_MS = 100;

/**
 * Shuts a server down while others continue (docs/decisions/0021-load.md). Until its proxy has noticed, it reports that
 * it is not ready, serves everything, and closes each connection after its reply. Then it stops listening at a moment
 * when no connection waits to be accepted, because not every proxy notices (nginx does not check), and finishes running
 * requests.
 */
export class Drain {
  #begun = false;
  readonly #inFlight = new Set<ServerResponse>();

  /** Whether the shutdown has begun, for `/readyz`. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Runs before everything else that handles requests. */
  readonly guard =
    (handle: RequestListener): RequestListener =>
    (request, response) => {
      if (this.#begun) response.setHeader('connection', 'close');
      else {
        this.#inFlight.add(response);
        response.once('close', () => this.#inFlight.delete(response));
      }
      handle(request, response);
    };

  /** Shuts down, `noticedWithinMs` after announcing it. */
  async leave(server: FastifyInstance, noticedWithinMs: number): Promise<void> {
    this.#begun = true;
    for (const response of this.#inFlight) if (!response.headersSent) response.setHeader('connection', 'close');
    await wait(noticedWithinMs);
    const tooLate = setTimeout(() => server.server.closeAllConnections(), IN_FLIGHT_MS);
    // A connection whose reply had already begun would otherwise stay open after it.
    const idle = setInterval(() => server.server.closeIdleConnections(), IDLE_CLOSED_EVERY_MS);
    await stopListening(server.server); // Fastify's own close comes some turns later, after more connections
    await server.close();
    clearInterval(idle);
    clearTimeout(tooLate);
  }
}
