import { z } from 'zod';
import {
  CODE_COOLDOWN_SECONDS,
  handle,
  mode,
  PIN_COUNTDOWN_SECONDS,
  type registerReply,
} from '#contract/accounts/schema.ts';
import { readStored, removeStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';

/**
 * The PIN step of sign-up as this device keeps it (docs/specification-coverage.md, 3). `otp_data` is the register answer and
 * lives as long as the countdown; PIN_STAGE marks the step and keeps the handle, so that a reload after the
 * countdown can still ask for a new PIN (docs/decisions/0041).
 */

const pinStage = z.object({ userTag: handle, mode, sentTo: z.string(), resendAt: z.number().default(0) });

const otpData = z.object({
  success: z.literal(true),
  message: z.string(),
  msg: z.string(),
  userTag: handle,
  mode,
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
});

type Mode = z.output<typeof mode>;
type Answer = Pick<z.output<typeof registerReply>, 'msg' | 'message'>;

/** The state of the PIN step. */
export interface PinStage {
  readonly userTag: string;
  readonly mode: Mode;
  /** The phone number or e-mail that the PIN went to. */
  readonly sentTo: string;
  /** When another PIN may be asked for, in milliseconds since 1970. */
  readonly resendAt: number;
  /** When the countdown ends, in milliseconds since 1970; 0 if none is running. */
  readonly expiresAt: number;
}

/** When the countdown that starts now ends: 65 s, or 300 s by e-mail (docs/specification-coverage.md, 4). */
export function countdownEnd(sentBy: Mode, now: number): number {
  return now + PIN_COUNTDOWN_SECONDS[sentBy] * 1000;
}

/** The step in progress, if any. */
export function readPinStage(now: number): PinStage | undefined {
  const stage = readStored(storageKeys.pinStage, (value) => pinStage.safeParse(value).data);
  if (stage === undefined) return undefined;
  const sent = readStored(storageKeys.otpData, (value) => otpData.safeParse(value).data);
  const running = sent !== undefined && sent.userTag === stage.userTag && sent.expiresAt > now;
  return { ...stage, expiresAt: running ? sent.expiresAt : 0 };
}

/** Starts the step, or restarts its countdown, with a PIN that was just sent. */
export function keepSentPin(stage: Omit<PinStage, 'expiresAt' | 'resendAt'>, answer: Answer, now: number): PinStage {
  const { userTag, mode: sentBy } = stage;
  const expiresAt = countdownEnd(sentBy, now);
  writeStored(storageKeys.otpData, {
    success: true,
    message: answer.message,
    msg: answer.msg,
    userTag,
    mode: sentBy,
    expiresAt,
  });
  const resendAt = now + CODE_COOLDOWN_SECONDS * 1000;
  writeStored(storageKeys.pinStage, { userTag, mode: sentBy, sentTo: stage.sentTo, resendAt });
  return { ...stage, resendAt, expiresAt };
}

/** The countdown ran out: the stored OTP data goes, the handle stays. */
export function dropOtpData(): void {
  removeStored(storageKeys.otpData);
}

/** The step is over, or given up. */
export function endPinStage(): void {
  removeStored(storageKeys.otpData, storageKeys.pinStage);
}
