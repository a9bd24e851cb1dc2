import { z } from 'zod';
import { CODE_LIFETIME_SECONDS, handle } from '#contract/accounts/schema.ts';
import { readStored, removeStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';

/**
 * A password reset whose code was sent. The device keeps it for as long as the code is valid, because a phone may drop
 * this page while its owner reads the SMS. The handle is of no use without the code.
 */
const resetStage = z.object({
  userTag: handle,
  username: z.string(),
  /** Milliseconds since 1970. */
  sentAt: z.number(),
  /** The dialog was cancelled. Requesting another code too soon opens it again. */
  cancelled: z.boolean().default(false),
});

export type ResetStage = Readonly<z.output<typeof resetStage>>;

/** Whether the code is still accepted. */
export function isAlive({ sentAt }: ResetStage, now: number): boolean {
  return now < sentAt + CODE_LIFETIME_SECONDS * 1000;
}

/** The reset in progress, unless its code has expired. */
export function readResetStage(now: number): ResetStage | undefined {
  const stage = readStored(storageKeys.resetStage, (value) => resetStage.safeParse(value).data);
  return stage !== undefined && isAlive(stage, now) ? stage : undefined;
}

export function keepResetStage(stage: ResetStage): ResetStage {
  writeStored(storageKeys.resetStage, stage);
  return stage;
}

export function endResetStage(): void {
  removeStored(storageKeys.resetStage);
}
