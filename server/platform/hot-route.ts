import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { asAway, DatabaseAway, whileAway } from '#server/platform/database-away.ts';
import { HotLanes } from '#server/platform/hot-lanes.ts';
import { admitted, type HotStatement, sessionValues } from '#server/platform/hot-session.ts';
import type { Platform } from '#server/platform/platform.ts';
import { asSystem } from '#server/platform/row-scope.ts';

/**
 * Hot paths (docs/decisions/0027-hot-paths.md): the ordinary case of a call in one statement, session included. A fast way
 * decides no refusal. Whatever is out of the ordinary it leaves untouched, and the call takes the general way.
 */

/** What is known of a call that brings a session's token: not whose it is, which its statement finds out. */
export interface HotSender {
  readonly now: Date;
  readonly ip: string;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  /**
   * Sends the call's one statement, as the server's own role: it must hold itself to its session's rows. `values` are those
   * from `$7` on. Answers no row where the statement undid itself.
   */
  send<Row extends pg.QueryResultRow>(statement: HotStatement, values: readonly unknown[]): Promise<readonly Row[]>;
  /** The same for one that changes something and answers one text: where many wait, several share a COMMIT. */
  change(statement: HotStatement, values: readonly unknown[]): Promise<string | undefined>;
}

/** A call, as its schemas parsed it. */
export interface HotCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> extends HotSender {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
}

/** What a fast way did. */
export interface HotAnswer<R extends z.ZodType> {
  readonly reply: z.input<R>;
  /** Whose call it was, for the log. */
  readonly personTag: string;
}

/** Answers the ordinary case; undefined, without any effect but a longer session, for the general way. */
export type FastWay<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = (
  call: HotCall<P, Q, B>,
) => Promise<HotAnswer<R> | undefined>;

/** A call as it was read, before it is known who makes it. */
export interface Read<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  readonly idempotencyKey: string | undefined;
}

/** Makes what `Routes.hot` asks first: undefined means the general way. Throws where a change may have happened unheard. */
export function hotWay<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  platform: Platform,
  endpoint: Endpoint<P, Q, B, R>,
  fast: FastWay<P, Q, B, R>,
): (request: FastifyRequest, read: Read<P, Q, B>) => Promise<HotAnswer<R> | undefined> {
  const letIn = admitted(platform.config, endpoint);
  const lanes = new HotLanes(platform.pool);
  return async (request, read) => {
    const now = platform.clock.now();
    const session = sessionValues(platform, request, now, letIn);
    if (session === undefined) return undefined;
    const send: HotSender['send'] = (statement, values) => lanes.ask(statement, [...session, ...values]);
    const change: HotSender['change'] = (statement, values) => lanes.change(statement, [...session, ...values]);
    const call = { ...read, now, ip: request.ip, requestId: request.id, send, change };
    try {
      return await whileAway(() => asSystem('hot', () => fast(call)), never, request);
    } catch (error) {
      // The general way waits for PostgreSQL, and finds by its key what was done: without one only what was never sent.
      if (isHarmless(error, !endpoint.changes || read.idempotencyKey !== undefined)) return undefined;
      throw error;
    }
  };
}

function isHarmless(thrown: unknown, mayRepeat: boolean): boolean {
  const error = asAway(thrown);
  return error instanceof DatabaseAway && (mayRepeat || !error.sent);
}

function never(): boolean {
  return false;
}
