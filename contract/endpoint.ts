import type { z } from 'zod';
import type { Action } from './permissions.ts';

/** The root of every path. */
export const API_ROOT = '/api/v1';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call: anyone, anyone with a session, or people whom `permissions.ts` allows the action. */
export type Need = 'public' | 'session' | Action;

interface Way {
  readonly method: Method;
  readonly path: string;
}

/** A call that web and server share. Paths are below {@link API_ROOT}, with parameters written as `:name`. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> extends Way {
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  /** Other paths that the specification allows for the same call; the same handler serves them. */
  readonly aliases?: readonly Way[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply: Reply;
  readonly needs: Need;
  /** Allowed before a required second factor is set up (docs/decisions/0017-second-factor.md). */
  readonly beforeSecondFactor?: true;
  /** The call changes something: it passes the cross-site guard, whatever its method. */
  readonly changes: boolean;
  /** The body is `multipart/form-data` with these fields and one part named `file`. */
  readonly multipart?: true;
  /** The body is `application/octet-stream` of at most this many bytes. */
  readonly bytes?: number;
  /** The reply is a file rather than JSON. */
  readonly file?: true;
  /** Further content types that are accepted for a JSON body. */
  readonly bodyTypes?: readonly string[];
  /** The body is parsed as JSON, whatever its content type says. */
  readonly anyBodyType?: true;
  /** The maximum length of the body, if it differs from the usual one. */
  readonly maximumBytes?: number;
  /** The call has its own queue instead of the common one, because it is slow or reads its body as a stream. */
  readonly ownQueue?: true;
}

type Draft<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = Omit<
  Endpoint<P, Q, B, R>,
  'changes'
> & { readonly changes?: boolean };

/**
 * Declares a call. A GET changes nothing and everything else does, unless `changes` says otherwise (lists are read by
 * POST).
 */
export function endpoint<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodType,
>(draft: Draft<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return { ...draft, changes: draft.changes ?? draft.method !== 'GET' };
}
