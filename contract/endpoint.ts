import type { z } from 'zod';
import type { Action } from './permissions.ts';

/** Where every path of the contract hangs. */
export const API_ROOT = '/api/v1';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call: anybody, anybody with a session, or whoever `permissions.ts` allows the action. */
export type Need = 'public' | 'session' | Action;

interface Way {
  readonly method: Method;
  readonly path: string;
}

/** One call that web and server agree on. Paths are below {@link API_ROOT} and write parameters as `:name`. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> extends Way {
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  /** The specification's second reading of the same call; served by the same handler. */
  readonly aliases?: readonly Way[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply: Reply;
  readonly needs: Need;
  /** Allowed before somebody who must have a second factor has set one up (docs/decisions/0017-second-factor.md). */
  readonly beforeSecondFactor?: true;
  /** The call changes something: the cross-site guard stands before it, whatever its method. */
  readonly changes: boolean;
  /** The body is `multipart/form-data` with these fields and one part named `file`. */
  readonly multipart?: true;
  /** The body is `application/octet-stream` of at most so many bytes. */
  readonly bytes?: number;
  /** The reply is a file rather than JSON. */
  readonly file?: true;
  /** Other names under which the JSON of the body may come. */
  readonly bodyTypes?: readonly string[];
  /** How long the body may be, where it is not as long as every other. */
  readonly maximumBytes?: number;
  /** It waits in a queue of its own rather than in that of all calls: it takes long, or reads its body as it goes. */
  readonly ownQueue?: true;
}

type Draft<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = Omit<
  Endpoint<P, Q, B, R>,
  'changes'
> & { readonly changes?: boolean };

/**
 * Declares a call. A GET changes nothing and everything else does, unless `changes` says otherwise (lists are asked for
 * by POST).
 */
export function endpoint<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodType,
>(draft: Draft<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return { ...draft, changes: draft.changes ?? draft.method !== 'GET' };
}
