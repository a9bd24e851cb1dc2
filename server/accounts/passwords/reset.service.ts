import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { resetDoBody, resetRequestForm, verifyBody } from '#contract/accounts/schema.ts';
import { readUsername } from '#contract/accounts/username.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { resetCodeMessage } from '#server/accounts/accounts.messages.ts';
import { markVerified, selectOwner } from '#server/accounts/accounts.queries.ts';
import { refuseTooMany, refuseTooSoon } from '#server/accounts/codes/code-budget.ts';
import { findGrantee, lockBudget, takeGrant } from '#server/accounts/codes/codes.queries.ts';
import { enterCode, grantReset, noteSending, openAttempt } from '#server/accounts/codes/codes.ts';
import type { AddressLimits } from '#server/accounts/login/address-limits.ts';
import { rememberDevice } from '#server/accounts/login/known-devices.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import { networkOf } from '#server/machine/network.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Context } from '#server/platform/work.ts';
import { tokenHash } from '#server/secrets/tokens.ts';
import { doInConstantTime } from './constant-time.ts';
import { forgetAttempts, replacePassword } from './credentials.service.ts';
import { refuseGuessable } from './password-policy.ts';
import { timingEqualizer } from './timing-equalizer.ts';

/** How long after the right code the new password may be set. */
const GRANT_LIFETIME_MS = 15 * MINUTE_MS;

/**
 * Sends a reset code and returns its handle. An unknown or deactivated username gets the same reply after the same
 * work. Throws NOT_A_USERNAME, CODE_COOLDOWN, CODE_LIMIT, TOO_MANY_REQUESTS.
 */
export async function requestReset(
  context: Context<Caller>,
  limits: AddressLimits,
  body: z.output<typeof resetRequestForm>,
): Promise<string> {
  const { platform, caller } = context;
  const due = timingEqualizer(platform);
  const recipient = readUsername(body.username)?.value;
  if (recipient === undefined) throw fieldError('NOT_A_USERNAME', 'username');
  await limits.spend('request-reset', caller.ip);
  const { now } = caller;
  const tag = await platform.db.inTransaction(async (change) => {
    const work = { ...context, change };
    const budget = await lockBudget(change, recipient, now);
    refuseTooSoon(budget, 'reset', now);
    refuseTooMany(budget, now);
    const owner = await selectOwner(change, recipient);
    const who = { purpose: 'reset', recipient, person_id: owner?.id ?? null } as const;
    const { code, expiresAt, handle } = await openAttempt(platform, change, who, now);
    await doInConstantTime(change, owner !== undefined, async () => {
      await queueMessage(platform, change, resetCodeMessage(recipient, code, expiresAt));
      recordEvent(work, 'account.reset-requested', ['person', owner?.tag ?? randomUUID()]);
    });
    await noteSending(work, budget, 'reset');
    return handle;
  });
  await due();
  return tag;
}

/** Exchanges the reset code for the handle that sets a new password. Throws WRONG_CODE, CODE_BLOCKED. */
export async function verifyReset(
  context: Context<Caller>,
  { userTag, pin }: z.output<typeof verifyBody>,
): Promise<string> {
  const entry = { purpose: 'reset', handle: userTag, code: pin } as const;
  const expiresAt = new Date(context.caller.now.getTime() + GRANT_LIFETIME_MS);
  return enterCode(context, entry, (change, personId) => grantReset(change, personId, expiresAt));
}

/**
 * Sets the new password, once per handle or link, and ends every session of the person. This proves the username as a
 * PIN does, so a Pending person becomes Verified, and blocks on codes and logins are lifted. Returns a token that makes
 * the device known, so that other people's guesses don't block it. Throws RESET_ENDED for a used, expired or unknown
 * handle, PASSWORD_COMMON, PASSWORD_IS_USERNAME, UNAVAILABLE.
 */
export function doReset(context: Context<Caller>, body: z.output<typeof resetDoBody>): Promise<string> {
  return context.platform.passwords.inLine({ queue: 'strangers', key: networkOf(context.caller.ip) }, () =>
    placePassword(context, body),
  );
}

async function placePassword(
  { platform, caller }: Context<Caller>,
  { otpTag, newPassword }: z.output<typeof resetDoBody>,
): Promise<string> {
  const grant = tokenHash(otpTag);
  const person = await findGrantee(platform.db, grant, caller.now);
  if (person === undefined) throw new AppError('RESET_ENDED');
  await refuseGuessable('newPassword', newPassword, person.username);
  const passwordHash = await platform.passwords.hash(newPassword);
  return platform.db.inTransaction(async (change) => {
    await forgetAttempts(platform, change, person.username, caller.now);
    if (!(await takeGrant(change, grant, caller.now))) throw new AppError('RESET_ENDED');
    const changed = await replacePassword(change, person.id, passwordHash);
    if (changed === undefined) throw new AppError('RESET_ENDED');
    const verified = await markVerified(change, person.id);
    recordEvent({ change, caller }, 'account.password-reset', ['person', changed.tag], {
      ...(verified === undefined ? {} : { before: { status: 'Pending' }, after: { status: 'Verified' } }),
    });
    return rememberDevice(change, undefined, person.id, caller.now);
  });
}
