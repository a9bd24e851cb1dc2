import { type Change, changeOnce, type Operation } from '#server/changes/change.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { SignedInCaller } from './http.ts';

/** The reply of a call that has nothing to tell but that it was done. */
export const done = { success: true } as const;
export type Done = typeof done;

/** The reply of a call that makes or changes something, and tells what. */
export async function doneWith<Data>(made: Promise<Data>): Promise<Done & { readonly data: Data }> {
  return { ...done, data: await made };
}

/** Makes a change once per Idempotency-Key, as `changeOnce` does, whose reply is that it was done. */
export function doOnce(
  platform: Platform,
  caller: SignedInCaller,
  operation: Operation,
  work: (change: Change) => Promise<void>,
): Promise<Done> {
  return changeOnce(platform, caller, operation, async (change) => {
    await work(change);
    return done;
  });
}
