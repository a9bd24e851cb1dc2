import { APP_CODE_LENGTH } from '#contract/own-account/schema.ts';
import { type Account, lockAccount } from '#server/accounts/accounts.queries.ts';
import {
  afterFailure,
  clearThrottle,
  FREE_FAILURES,
  lockOrAddThrottle,
  saveThrottle,
  type Throttle,
  throttled,
} from '#server/accounts/login/login-throttle.ts';
import { recoveryCodeUsedMessage, secondFactorGuessedMessage } from '#server/accounts/own-account.messages.ts';
import { type Change, recordEvent } from '#server/db/change.ts';
import { type AppError, fieldError } from '#server/http/app-error.ts';
import type { Caller } from '#server/http/http.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { stepOfCode } from './app-codes.ts';
import { recoveryCodeDigests } from './recovery-codes.ts';
import { countUnusedRecoveryCodes, findFactor, takeRecoveryCode, takeStep } from './second-factor.queries.ts';

/**
 * How the code of a second factor is judged: at the second step of a login, and before another factor takes its place.
 * Wrong ones are counted by person, under the throttle's lock, with the delays of wrong passwords: neither a new handle
 * nor a new login renews them (docs/decisions/0017-second-factor.md).
 */

/** By which of the two somebody proved themselves. */
type Proof = 'app' | 'recovery-code';

/** Somebody's tries with codes, and their own row, both held until the transaction ends. */
interface HeldTries {
  readonly account: Account;
  readonly key: Buffer;
  readonly throttle: Throttle;
}

/** What a person's row of wrong codes is found by. */
export function secondFactorThrottleKey(sealer: Sealer, personId: number): Buffer {
  return sealer.digest(`second-factor:${personId}`);
}

/** A secret as it is stored: sealed with whose it is, so that nobody's can be put in another's place. */
export function sealSecret(sealer: Sealer, personId: number, secret: string): Buffer {
  return sealer.seal(`${prefixOf(personId)}${secret}`);
}

/** The secret in base 32. Throws where it is not this person's. */
export function unsealSecret(sealer: Sealer, personId: number, sealed: Buffer): string {
  const text = sealer.unseal(sealed);
  if (!text.startsWith(prefixOf(personId))) throw new Error('the secret of a second factor belongs to somebody else');
  return text.slice(prefixOf(personId).length);
}

function prefixOf(personId: number): string {
  return `second-factor of ${personId}: `;
}

/** Puts a person's tries in one order. Returns SECOND_FACTOR_THROTTLED while the delay after wrong codes lasts. */
export async function lockTries(
  platform: Platform,
  change: Change,
  personId: number,
  now: Date,
): Promise<HeldTries | AppError> {
  const key = secondFactorThrottleKey(platform.sealer, personId);
  const throttle = await lockOrAddThrottle(change, key, now);
  const refusal = throttled(throttle, now, 'SECOND_FACTOR_THROTTLED');
  return refusal ?? { key, throttle, account: await lockAccount(change, personId) };
}

/**
 * Judges a code; the right one is spent. SECOND_FACTOR_WRONG for a wrong one, one that was used, and where there is no
 * factor (any more) is answered, not thrown, because a wrong one has been counted.
 */
export async function proveSecondFactor(
  platform: Platform,
  change: Change,
  caller: Caller,
  { account, key, throttle }: HeldTries,
  code: string,
): Promise<Proof | AppError> {
  const { now } = caller;
  const judged = await judge(platform, change, account, code, now);
  if (judged === 'used') return fieldError('SECOND_FACTOR_WRONG', 'code');
  if (judged === 'wrong') {
    const counted = afterFailure(throttle, now);
    await saveThrottle(change, key, counted);
    if (counted.failures === FREE_FAILURES) {
      await queueMessage(platform, change, secondFactorGuessedMessage(platform.config, account.username));
    }
    await record(change, caller, account, 'account.second-factor-failed');
    return fieldError('SECOND_FACTOR_WRONG', 'code');
  }
  await clearThrottle(change, key);
  if (judged === 'recovery-code') await tellOfRecoveryCode(platform, change, caller, account);
  return judged;
}

/** A code that was right once is refused, but not counted: nobody was guessing. */
async function judge(
  platform: Platform,
  change: Change,
  { id }: Account,
  code: string,
  now: Date,
): Promise<Proof | 'used' | 'wrong'> {
  const factor = await findFactor(change, id);
  if (factor === undefined) return 'used';
  if (code.length !== APP_CODE_LENGTH) {
    const unused = await takeRecoveryCode(change, id, recoveryCodeDigests(platform.sealer, id, code), now);
    if (unused === undefined) return 'wrong';
    return unused ? 'recovery-code' : 'used';
  }
  const step = stepOfCode(unsealSecret(platform.sealer, id, factor.secret), code, now);
  if (step === undefined) return 'wrong';
  return (await takeStep(change, id, step)) ? 'app' : 'used';
}

async function tellOfRecoveryCode(platform: Platform, change: Change, caller: Caller, account: Account): Promise<void> {
  const left = await countUnusedRecoveryCodes(change, account.id);
  await queueMessage(platform, change, recoveryCodeUsedMessage(account.username, left));
  await record(change, caller, account, 'account.recovery-code-used', { recoveryCodesLeft: left });
}

async function record(
  change: Change,
  caller: Caller,
  { tag }: Account,
  action: string,
  after?: unknown,
): Promise<void> {
  recordEvent(change, caller, { action, subjectType: 'person', subjectTag: tag, after });
}
