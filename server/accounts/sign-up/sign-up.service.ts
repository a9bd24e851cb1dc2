import type { z } from 'zod';
import type { mode, registerBody, resendBody, verifyBody } from '#contract/accounts/schema.ts';
import { readUsername, type Username } from '#contract/accounts/username.ts';
import { failures } from '#contract/errors.ts';
import { alreadyRegisteredMessage, pinMessage } from '#server/accounts/accounts.messages.ts';
import { markVerified, missingReferences, placeSignUp } from '#server/accounts/accounts.queries.ts';
import { refuseTooMany, refuseTooSoon } from '#server/accounts/codes/code-budget.ts';
import { findAttempt, lockBudget } from '#server/accounts/codes/codes.queries.ts';
import { enterCode, noteSending, openAttempt, renewCode } from '#server/accounts/codes/codes.ts';
import type { AddressLimits } from '#server/accounts/login/address-limits.ts';
import { doInConstantTime } from '#server/accounts/passwords/constant-time.ts';
import { refuseGuessable } from '#server/accounts/passwords/password-policy.ts';
import { timingEqualizer } from '#server/accounts/passwords/timing-equalizer.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { networkOf } from '#server/machine/network.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Context } from '#server/platform/work.ts';
import { tokenHash } from '#server/secrets/tokens.ts';
import { countSignUpText } from './sign-up-texts.ts';

export interface Registered {
  readonly userTag: string;
  readonly mode: z.output<typeof mode>;
}

/**
 * Signs up: the person is Pending until they enter the PIN. If the username is in use, the reply and the work are the
 * same, but its owner gets a message instead of a PIN. Throws UNKNOWN_REFERENCE, PASSWORD_COMMON, PASSWORD_IS_USERNAME,
 * CODE_LIMIT, TOO_MANY_REQUESTS, UNAVAILABLE.
 */
export async function register(
  context: Context<Caller>,
  limits: AddressLimits,
  body: z.output<typeof registerBody>,
): Promise<Registered> {
  const { platform, caller } = context;
  const due = timingEqualizer(platform);
  const registered = await platform.passwords.inLine({ queue: 'strangers', key: networkOf(caller.ip) }, async () => {
    await limits.spend('register', caller.ip);
    return placeRegistration(context, body);
  });
  await due();
  return registered;
}

async function placeRegistration(context: Context<Caller>, body: z.output<typeof registerBody>): Promise<Registered> {
  const { platform, caller } = context;
  const username = usernameOf(body);
  const { gender, industryId, districtId } = body;
  const missing = await missingReferences(platform.db, body);
  if (missing.length > 0) {
    const fields = Object.fromEntries(missing.map((field) => [field, failures.UNKNOWN_REFERENCE.msg]));
    throw new AppError('UNKNOWN_REFERENCE', { fields });
  }
  await refuseGuessable('password', body.password, username.value);
  const passwordHash = await platform.passwords.hash(body.password);
  const userTag = await platform.db.inTransaction(async (change) => {
    const work = { ...context, change };
    const budget = await lockBudget(change, username.value, caller.now);
    refuseTooMany(budget, caller.now);
    const person = await placeSignUp(change, { ...body, username, passwordHash }, caller.now);
    const isNew = person.status === 'Pending';
    const who = { purpose: 'sign-up', recipient: username.value, person_id: isNew ? person.id : null } as const;
    const { code, expiresAt, handle } = await openAttempt(platform, change, who, caller.now);
    const message = isNew
      ? pinMessage(username.value, code, expiresAt)
      : alreadyRegisteredMessage(platform.config, username.value);
    await queueMessage(platform, change, message);
    recordEvent(work, isNew ? 'account.registered' : 'account.registration-refused', ['person', person.tag], {
      after: isNew ? { status: 'Pending', gender, industryId, districtId } : undefined,
    });
    await noteSending(work, budget, 'sign-up');
    if (username.kind === 'phone') await countSignUpText(work);
    return handle;
  });
  return { userTag, mode: username.kind === 'email' ? 'email' : 'other' };
}

/** The schema allows exactly one of the two. */
function usernameOf({ email, phone }: z.output<typeof registerBody>): Username {
  if (email !== undefined) return { kind: 'email', value: email };
  if (phone !== undefined) return { kind: 'phone', value: phone };
  throw new AppError('BAD_REQUEST');
}

/**
 * Sends a new PIN for a sign-up; the old one stops working. Throws WRONG_PIN for an unknown or expired handle,
 * CODE_COOLDOWN, CODE_LIMIT, TOO_MANY_REQUESTS.
 */
export async function resendPin(
  context: Context<Caller>,
  limits: AddressLimits,
  { userTag }: z.output<typeof resendBody>,
): Promise<void> {
  const { platform, caller } = context;
  const due = timingEqualizer(platform);
  await limits.spend('resend-pin', caller.ip);
  const { now } = caller;
  await platform.db.inTransaction(async (change) => {
    const work = { ...context, change };
    const { budget, attempt } = await lockSignUp(change, userTag, now);
    refuseTooSoon(budget, 'sign-up', now);
    refuseTooMany(budget, now);
    const { code, expiresAt } = await renewCode(platform, change, attempt, now);
    await doInConstantTime(change, attempt.person_id !== null, () =>
      queueMessage(platform, change, pinMessage(attempt.recipient, code, expiresAt)),
    );
    await noteSending(work, budget, 'sign-up');
    if (readUsername(attempt.recipient)?.kind === 'phone') await countSignUpText(work);
  });
  await due();
}

async function lockSignUp(change: Change, handle: string, now: Date) {
  const handleHash = tokenHash(handle);
  const found = await findAttempt(change, handleHash, 'sign-up', now);
  if (found === undefined) throw new AppError('WRONG_PIN');
  const budget = await lockBudget(change, found.recipient, now);
  const attempt = await findAttempt(change, handleHash, 'sign-up', now);
  if (attempt === undefined || attempt.closed_at !== null) throw new AppError('WRONG_PIN');
  return { budget, attempt };
}

/**
 * Confirms a sign-up with its PIN: Pending becomes Verified, which still needs activation. Throws WRONG_PIN,
 * CODE_BLOCKED.
 */
export async function verifyUsername(
  context: Context<Caller>,
  { userTag, pin }: z.output<typeof verifyBody>,
): Promise<void> {
  const entry = { purpose: 'sign-up', handle: userTag, code: pin } as const;
  await enterCode(context, entry, async (change, personId) => {
    const person = await markVerified(change, personId);
    // The person of an open attempt is Pending: every change of that status also closes the attempt, under this lock.
    if (person === undefined) throw new AppError('WRONG_PIN');
    recordEvent({ change, caller: context.caller }, 'account.verified', ['person', person.tag], {
      before: { status: 'Pending' },
      after: { status: 'Verified' },
    });
  });
}
