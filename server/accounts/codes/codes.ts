import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { CODE_LENGTH, CODE_LIFETIME_SECONDS } from '#contract/accounts/schema.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time/durations.ts';
import { codesBlockedMessage } from '#server/accounts/accounts.messages.ts';
import { selectOwner } from '#server/accounts/accounts.queries.ts';
import { doInConstantTime } from '#server/accounts/passwords/constant-time.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { newToken, tokenHash } from '#server/secrets/tokens.ts';
import {
  afterProof,
  afterSending,
  afterWrongCode,
  blockedUntil,
  type CodeBudget,
  type Purpose,
} from './code-budget.ts';
import {
  type Attempt,
  closeAttempt,
  findAttempt,
  insertGrant,
  insertHandle,
  lockBudget,
  replaceAttempt,
  saveBudget,
  setCode,
  setWrongTries,
} from './codes.queries.ts';

/**
 * Issues and checks the codes of both flows (docs/decisions/0041-left-open.md). Every function here runs under the
 * recipient's budget lock, so concurrent tries are counted one by one.
 */

const WRONG_TRIES_A_CODE = 5;
const CODES = 10 ** CODE_LENGTH;
const LINK_LIFETIME_MS = DAY_MS;
/** A reset's handle expires soon after its code; a sign-up may be continued days later (PIN_STAGE). */
const HANDLE_LIFETIME_MS = { 'sign-up': 7 * DAY_MS, reset: 15 * MINUTE_MS } as const;

interface IssuedCode {
  readonly code: string;
  readonly expiresAt: Date;
}

/**
 * A new code, bound to its attempt by the digest. An attempt for an unknown username has one, too, which isn't sent.
 */
function mintCode(platform: Platform, attemptId: string, now: Date) {
  const code = String(randomInt(CODES)).padStart(CODE_LENGTH, '0');
  return {
    code,
    code_digest: platform.sealer.digest(boundTo(attemptId, code)),
    code_expires_at: new Date(now.getTime() + CODE_LIFETIME_SECONDS * 1000),
  };
}

function boundTo(attemptId: string, code: string): string {
  return `code:${attemptId}:${code}`;
}

/** Also accepts a code from before a change of the server's secret, so that a right code never counts as wrong. */
function isCodeOf(platform: Platform, { id, code_digest }: Attempt, code: string): boolean {
  return platform.sealer.digests(boundTo(id, code)).some((digest) => timingSafeEqual(code_digest, digest));
}

/** Opens an attempt with a code, replacing the recipient's earlier one; returns its first handle. */
export async function openAttempt(
  platform: Platform,
  change: Change,
  who: Pick<Attempt, 'purpose' | 'recipient' | 'person_id'>,
  now: Date,
): Promise<IssuedCode & { readonly handle: string }> {
  const id = randomUUID();
  const { code, ...minted } = mintCode(platform, id, now);
  await replaceAttempt(change, { id, ...who, ...minted }, now);
  return { code, expiresAt: minted.code_expires_at, handle: await addHandle(change, id, who.purpose, now) };
}

/** Opens a sign-up attempt without a code. The first code is sent on request. */
export async function openUnsentAttempt(
  platform: Platform,
  change: Change,
  person: { readonly id: number; readonly username: string },
  now: Date,
): Promise<string> {
  const id = randomUUID();
  const nothing = { code_digest: platform.sealer.digest(newToken()), code_expires_at: now };
  const who = { purpose: 'sign-up', recipient: person.username, person_id: person.id } as const;
  await replaceAttempt(change, { id, ...who, ...nothing }, now);
  return id;
}

/** Gives the attempt a new code; its handles stay valid. */
export async function renewCode(platform: Platform, change: Change, attempt: Attempt, now: Date): Promise<IssuedCode> {
  const { code, ...minted } = mintCode(platform, attempt.id, now);
  await setCode(change, attempt.id, minted);
  return { code, expiresAt: minted.code_expires_at };
}

/** Creates another handle for an attempt; earlier ones stay valid. */
export async function addHandle(change: Change, attemptId: string, purpose: Purpose, now: Date): Promise<string> {
  const handle = newToken();
  const expires_at = new Date(now.getTime() + HANDLE_LIFETIME_MS[purpose]);
  await insertHandle(change, { token_hash: tokenHash(handle), attempt_id: attemptId, expires_at });
  return handle;
}

/**
 * Records that a code is sent. This doesn't lift a block. An owner who signed up only after the block began is sent the
 * link now.
 */
export async function noteSending(work: Work<Caller>, budget: CodeBudget, purpose: Purpose): Promise<void> {
  const { change, caller } = work;
  const noted = afterSending(budget, purpose, caller.now);
  const linkIsDue = blockedUntil(budget, caller.now) !== undefined && !budget.link_sent;
  await saveBudget(change, linkIsDue ? await sendLink(work, noted) : noted);
}

/** An entered code, with its handle. */
interface Entry {
  readonly purpose: Purpose;
  readonly handle: string;
  readonly code: string;
}

const wrongCode = { 'sign-up': 'WRONG_PIN', reset: 'WRONG_CODE' } as const;

/**
 * Checks an entered code. A right one is consumed, and `onRight` runs in the same transaction. Throws WRONG_PIN or
 * WRONG_CODE for a wrong, used or expired code and for an unknown handle, CODE_BLOCKED while the recipient is blocked.
 */
export async function enterCode<Answer>(
  context: Context<Caller>,
  entry: Entry,
  onRight: (change: Change, personId: number) => Promise<Answer>,
): Promise<Answer> {
  const { platform, caller } = context;
  const { purpose } = entry;
  const { now } = caller;
  const handleHash = tokenHash(entry.handle);
  const outcome = await platform.db.inTransaction(async (change) => {
    const refused = new AppError(wrongCode[purpose]);
    const found = await findAttempt(change, handleHash, purpose, now);
    if (found === undefined) return refused;
    const budget = await lockBudget(change, found.recipient, now);
    const blocked = blockedUntil(budget, now);
    if (blocked !== undefined) {
      return new AppError('CODE_BLOCKED', { retryAfterSeconds: (blocked.getTime() - now.getTime()) / 1000 });
    }
    // Read again under the lock: the code may have been used, or a try counted, in the meantime.
    const attempt = await findAttempt(change, handleHash, purpose, now);
    if (attempt === undefined) return refused;
    if (!isCodeOf(platform, attempt, entry.code)) {
      await countWrongCode({ ...context, change }, { budget, attempt });
      return refused;
    }
    // The attempt's own code, late or a second time: refused, but not counted as a guess.
    if (!isLive(attempt, now) || attempt.person_id === null) return refused;
    await saveBudget(change, afterProof(budget));
    await closeAttempt(change, attempt.id, now);
    return { answer: await onRight(change, attempt.person_id) };
  });
  // Thrown outside the transaction, because inside it would roll the count back.
  if (outcome instanceof AppError) throw outcome;
  return outcome.answer;
}

function isLive(attempt: Attempt, now: Date): boolean {
  return attempt.closed_at === null && attempt.wrong_tries < WRONG_TRIES_A_CODE && attempt.code_expires_at > now;
}

async function countWrongCode(
  work: Work<Caller>,
  { budget, attempt }: { readonly budget: CodeBudget; readonly attempt: Attempt },
): Promise<void> {
  const { change, caller } = work;
  if (attempt.wrong_tries < WRONG_TRIES_A_CODE) await setWrongTries(change, attempt.id, attempt.wrong_tries + 1);
  const counted = afterWrongCode(budget, caller.now);
  const spent = blockedUntil(counted, caller.now) !== undefined;
  await saveBudget(change, spent ? await sendLink(work, counted) : counted);
}

/** Sends the owner, if there is one, the link that sets a new password and lifts the block. */
async function sendLink(work: Work<Caller>, budget: CodeBudget): Promise<CodeBudget> {
  const { platform, change, caller } = work;
  const { recipient } = budget;
  const owner = await selectOwner(change, recipient);
  const expiresAt = new Date(caller.now.getTime() + LINK_LIFETIME_MS);
  await doInConstantTime(change, owner !== undefined, async () => {
    const token = owner === undefined ? newToken() : await grantReset(change, owner.id, expiresAt);
    await queueMessage(platform, change, codesBlockedMessage(platform.config, recipient, token, expiresAt));
    recordEvent(work, 'account.codes-blocked', ['person', owner?.tag ?? randomUUID()]);
  });
  return { ...budget, link_sent: owner !== undefined };
}

/** Creates a grant to set the person's password once, until that time. */
export async function grantReset(change: Change, personId: number, expiresAt: Date): Promise<string> {
  const token = newToken();
  await insertGrant(change, { token_hash: tokenHash(token), person_id: personId, expires_at: expiresAt });
  return token;
}
