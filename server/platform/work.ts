import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import type { Platform } from './platform.ts';

/** The arguments of a use case: the platform, and the caller. */
export interface Context<By = SignedInCaller> {
  readonly platform: Platform;
  readonly caller: By;
}

/** A transaction on the platform whose caller doesn't matter, or is yet to be found. */
export type Transacting = Pick<Work, 'platform' | 'change'>;

/** A use case within its transaction. */
export interface Work<By = SignedInCaller> extends Context<By>, Changing<By> {}
