import { z } from 'zod';
import {
  CODE_COOLDOWN_SECONDS,
  CODE_LIFETIME_SECONDS,
  handle,
  mode,
  PIN_COUNTDOWN_SECONDS,
  type registerReply,
} from '#contract/accounts/schema.ts';
import { readStored, removeStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';

/**
 * The PIN step of sign-up as this device keeps it (docs/specification-coverage.md, 3). `otp_data` is the register reply
 * and lives as long as the countdown. PIN_STAGE marks the step and keeps the handle, so that a new PIN can still be
 * requested after a reload once the countdown is over (docs/decisions/0041).
 */

const pinStage = z.object({
  userTag: handle,
  mode,
  sentTo: z.string(),
  resendAt: z.number().default(0),
  worksUntil: z.number().default(0),
});

type Mode = z.output<typeof mode>;
type Answer = Pick<z.output<typeof registerReply>, 'msg' | 'message'>;

/** The state of the PIN step. */
export interface PinStage {
  readonly userTag: string;
  readonly mode: Mode;
  /** The phone number or e-mail that the PIN was sent to. */
  readonly sentTo: string;
  /** When another PIN may be requested, in milliseconds since 1970. */
  readonly resendAt: number;
  /** Until when the server accepts the PIN, in milliseconds since 1970; 0 if none was sent. */
  readonly worksUntil: number;
  /** When the countdown ends, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The stage with the end of its countdown: 65 s after the PIN was sent, or 300 s by e-mail (docs/specification-coverage.md, 4). */
function withCountdown(stage: z.output<typeof pinStage>): PinStage {
  const lateSeconds = CODE_LIFETIME_SECONDS - PIN_COUNTDOWN_SECONDS[stage.mode];
  return { ...stage, expiresAt: stage.worksUntil - lateSeconds * 1000 };
}

/** The step in progress, if any. */
export function readPinStage(): PinStage | undefined {
  const stage = readStored(storageKeys.pinStage, (value) => pinStage.safeParse(value).data);
  return stage === undefined ? undefined : withCountdown(stage);
}

/** Starts the step, or restarts its countdown, with a PIN that was just sent. */
export function keepSentPin(
  { userTag, mode: sentBy, sentTo }: Pick<PinStage, 'userTag' | 'mode' | 'sentTo'>,
  { msg, message }: Answer,
  now: number,
): PinStage {
  const stage = {
    userTag,
    mode: sentBy,
    sentTo,
    resendAt: now + CODE_COOLDOWN_SECONDS * 1000,
    worksUntil: now + CODE_LIFETIME_SECONDS * 1000,
  };
  const counted = withCountdown(stage);
  const { expiresAt } = counted;
  writeStored(storageKeys.otpData, { success: true, message, msg, userTag, mode: sentBy, expiresAt });
  writeStored(storageKeys.pinStage, stage);
  return counted;
}

/** When the countdown runs out, drops the stored OTP data and keeps the handle. */
export function dropOtpData(): void {
  removeStored(storageKeys.otpData);
}

/** Ends the step, whether finished or given up. */
export function endPinStage(): void {
  removeStored(storageKeys.otpData, storageKeys.pinStage);
}
