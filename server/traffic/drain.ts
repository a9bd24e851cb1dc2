import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { stopListening } from './accept-queue.ts';

/** As long as an upload over a bad line may still take; whoever takes longer is cut off. */
export const IN_FLIGHT_MS = MINUTE_MS;

const IDLE_CLOSED_EVERY_MS = 100;

/**
 * How a server leaves while others go on (docs/decisions/0021-load.md). For as long as whoever sends it requests needs to
 * notice, it says that it is not ready, answers everything all the same, and keeps no connection open after an answer.
 * Then it closes, in a moment when nobody waits to be accepted, because not every proxy notices (nginx does not ask), and
 * finishes what is in flight.
 */
export class Drain {
  #begun = false;
  readonly #inFlight = new Set<ServerResponse>();

  /** Whether it has been asked to leave: `/readyz` says so. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Stands before everything else that handles requests. */
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

  /** Leaves, `noticedWithinMs` after it has said so. */
  async leave(server: FastifyInstance, noticedWithinMs: number): Promise<void> {
    this.#begun = true;
    for (const response of this.#inFlight) if (!response.headersSent) response.setHeader('connection', 'close');
    await wait(noticedWithinMs);
    const tooLate = setTimeout(() => server.server.closeAllConnections(), IN_FLIGHT_MS);
    // A connection whose answer had begun before would stay open once it is whole.
    const idle = setInterval(() => server.server.closeIdleConnections(), IDLE_CLOSED_EVERY_MS);
    await stopListening(server.server); // Fastify's own close would come some turns later, with whatever has arrived by then
    await server.close();
    clearInterval(idle);
    clearTimeout(tooLate);
  }
}
