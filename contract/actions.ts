import type { z } from 'zod';
import { type Endpoint, endpoint } from './endpoint.ts';
import { byTag, success } from './fields.ts';
import type { Action } from './permissions.ts';

/** Declares what can be done to the things at a path, for those who may: `act('take', …)` is a POST to `…/:tag/take`. */
export function actionsAt(path: string, needs: Action) {
  return <Body extends z.ZodType>(
    name: string,
    summary: string,
    body: Body,
  ): Endpoint<typeof byTag, z.ZodUndefined, Body, typeof success> =>
    endpoint({ method: 'POST', path: `${path}/:tag/${name}`, summary, params: byTag, body, reply: success, needs });
}
