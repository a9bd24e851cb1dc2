import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from './faults.ts';
import type { Simulator } from './simulator.ts';

/** Serves a provider's documented calls, with their faults. */

/** The answer to a call. */
export interface Answer {
  readonly status: number;
  /** JSON; no body if absent. */
  readonly body?: unknown;
}

/** Thrown to refuse a call. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, body: unknown) {
    super(`refused with ${status}`);
    this.answer = { status, body };
  }
}

/** One of a provider's documented calls. */
export interface Served {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The call's wallet, for faults; undefined if the call names none. */
  msisdnOf?(request: FastifyRequest): string | undefined;
  answer(request: FastifyRequest): Answer;
}

/** The raw body; empty if there is none. */
export function textOf({ body }: FastifyRequest): string {
  return typeof body === 'string' ? body : '';
}

/** The body's JSON, or undefined if it is invalid. */
export function jsonOf(request: FastifyRequest): unknown {
  try {
    return JSON.parse(textOf(request));
  } catch {
    return undefined;
  }
}

/** Serves a documented call, with its faults. */
export function serve(app: FastifyInstance, simulator: Simulator, served: Served): void {
  app.route({
    method: served.method,
    url: served.url,
    handler: async (request, reply) => {
      simulator.tick();
      const struck = simulator.faults.strike(
        ['error-before', 'error-after', 'lose-answer', 'late-answer', 'no-answer'],
        served.operation,
        served.msisdnOf?.(request),
      );
      if (struck?.fault === 'error-before')
        return send(reply, { status: struck.status, body: struck.body ?? simulator.provider.unavailable });
      if (struck?.fault === 'no-answer' && !struck.taken) return reply.hijack();
      const answer = answerOf(served, request);
      switch (struck?.fault) {
        case 'lose-answer':
          reply.hijack();
          request.raw.socket.destroy();
          return reply;
        case 'no-answer':
          return reply.hijack();
        case 'error-after':
          return send(reply, { status: struck.status, body: struck.body ?? simulator.provider.unavailable });
        case 'late-answer':
          await pause(struck.ms);
          return send(reply, answer);
        case undefined:
          return send(reply, answer);
      }
    },
  });
}

function answerOf(served: Served, request: FastifyRequest): Answer {
  try {
    return served.answer(request);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  reply.code(status);
  return body === undefined ? reply.send() : reply.send(body);
}
