import type { z } from 'zod';
import { type Endpoint, endpoint } from './endpoint.ts';
import { byTag } from './fields.ts';
import type { Action } from './permissions.ts';

/**
 * Declares the actions on the resources at a path, for people with the permission: `act('take', …)` is a POST to
 * `…/:tag/take`.
 */
export function actionsAt<Reply extends z.ZodType>(path: string, needs: Action, reply: Reply) {
  return <Body extends z.ZodType>(
    name: string,
    summary: string,
    body: Body,
  ): Endpoint<typeof byTag, z.ZodUndefined, Body, Reply> =>
    endpoint({ method: 'POST', path: `${path}/:tag/${name}`, summary, params: byTag, body, reply, needs });
}

/** Declares the reads of the resources at a path: `read('offer', …)` is a GET of `…/:tag/offer`. */
export function readingsAt(path: string, needs: Action) {
  return <Reply extends z.ZodType>(
    name: string,
    summary: string,
    reply: Reply,
  ): Endpoint<typeof byTag, z.ZodUndefined, z.ZodUndefined, Reply> =>
    endpoint({ method: 'GET', path: `${path}/:tag/${name}`, summary, params: byTag, reply, needs });
}
