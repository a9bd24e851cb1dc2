import { CODE_COOLDOWN_SECONDS } from '#contract/accounts/schema.ts';
import { DAY_MS, HOUR_MS } from '#contract/time/durations.ts';
import { AppError } from '#server/calls/app-error.ts';

/**
 * Limits on the codes of one recipient, known or not (docs/decisions/0041-left-open.md). At most 5 codes an hour and 10
 * a day are sent, 60 s apart within a flow. After ten wrong codes in a row within a day, over every code and both
 * flows, codes stop working. Guessing therefore succeeds with a probability of 10 in 100,000 a day. Pure functions:
 * they take the row and return the changes.
 */

export type Purpose = 'sign-up' | 'reset';

export interface CodeBudget {
  readonly recipient: string;
  readonly wrong_at: readonly Date[];
  readonly blocked_until: Date | null;
  readonly link_sent: boolean;
  readonly sent_at: readonly Date[];
  readonly sign_up_sent_at: Date | null;
  readonly reset_sent_at: Date | null;
}

const CODES_AN_HOUR = 5;
const CODES_A_DAY = 10;
const WRONG_IN_A_ROW = 10;

/** Throws CODE_COOLDOWN if the flow's last code is younger than 60 s. */
export function refuseTooSoon(budget: CodeBudget, purpose: Purpose, now: Date): void {
  const waitMs = waitForCooldown(budget, purpose, now);
  if (waitMs > 0) throw new AppError('CODE_COOLDOWN', { retryAfterSeconds: waitMs / 1000 });
}

/** Throws CODE_LIMIT if the codes of the hour or the day are used up. */
export function refuseTooMany(budget: CodeBudget, now: Date): void {
  const waitMs = waitForLimits(budget, now);
  if (waitMs > 0) throw new AppError('CODE_LIMIT', { retryAfterSeconds: waitMs / 1000 });
}

/** Seconds until another code may be requested; 0 if one may be now. */
export function secondsToResend(budget: CodeBudget, purpose: Purpose, now: Date): number {
  const waitMs = Math.max(0, waitForCooldown(budget, purpose, now), waitForLimits(budget, now));
  return Math.ceil(waitMs / 1000);
}

function waitForCooldown(budget: CodeBudget, purpose: Purpose, now: Date): number {
  const last = purpose === 'sign-up' ? budget.sign_up_sent_at : budget.reset_sent_at;
  return last === null ? 0 : last.getTime() + CODE_COOLDOWN_SECONDS * 1000 - now.getTime();
}

function waitForLimits({ sent_at: sentAt }: CodeBudget, now: Date): number {
  return Math.max(waitForRoom(sentAt, CODES_AN_HOUR, HOUR_MS, now), waitForRoom(sentAt, CODES_A_DAY, DAY_MS, now));
}

/** Milliseconds until fewer than `limit` of the times are within the window. */
function waitForRoom(times: readonly Date[], limit: number, windowMs: number, now: Date): number {
  const recent = within(times, windowMs, now);
  const leaving = recent[recent.length - limit];
  return leaving === undefined ? 0 : leaving.getTime() + windowMs - now.getTime();
}

/** The time until which the recipient's codes don't work; undefined if they do. */
export function blockedUntil(budget: CodeBudget, now: Date): Date | undefined {
  return budget.blocked_until !== null && budget.blocked_until > now ? budget.blocked_until : undefined;
}

/** The budget after a code was sent. Only the cooldown restarts. */
export function afterSending(budget: CodeBudget, purpose: Purpose, now: Date): CodeBudget {
  return {
    ...budget,
    sent_at: [...within(budget.sent_at, DAY_MS, now), now],
    ...(purpose === 'sign-up' ? { sign_up_sent_at: now } : { reset_sent_at: now }),
  };
}

/** The budget after a wrong code; the tenth within a day blocks the recipient for a day. */
export function afterWrongCode(budget: CodeBudget, now: Date): CodeBudget {
  const wrong = [...within(budget.wrong_at, DAY_MS, now), now];
  if (wrong.length < WRONG_IN_A_ROW) return { ...budget, wrong_at: wrong };
  return { ...budget, wrong_at: wrong, blocked_until: new Date(now.getTime() + DAY_MS), link_sent: false };
}

/** The budget after a right code, or after its owner proved the username with a link. */
export function afterProof(budget: CodeBudget): CodeBudget {
  return { ...budget, wrong_at: [], blocked_until: null, link_sent: false };
}

function within(times: readonly Date[], windowMs: number, now: Date): Date[] {
  return times.filter((time) => now.getTime() - time.getTime() < windowMs);
}
