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
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Work } from '#server/platform/work.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { stepOfCode } from './app-codes.ts';
import { recoveryCodeDigests } from './recovery-codes.ts';
import { countUnusedRecoveryCodes, findFactor, takeRecoveryCode, takeStep } from './second-factor.queries.ts';

/**
 * Checks second-factor codes, at the second step of a login and before a factor is replaced. Wrong codes are counted by
 * person, under the throttle's lock, with the delays of wrong passwords. Neither a new handle nor a new login resets
 * them (docs/decisions/0017-second-factor.md).
 */

/** Which kind of code was used. */
type Proof = 'app' | 'recovery-code';

/** The person whose codes are checked. */
type Person = Pick<Account, 'id' | 'tag' | 'username'>;

/** A person's row of wrong codes, locked. */
export interface HeldCount {
  readonly key: Buffer;
  readonly throttle: Throttle;
}

/** The same, with the person's own row locked as well. */
interface HeldTries extends HeldCount {
  readonly account: Account;
}

/** The key of a person's row of wrong codes. */
export function secondFactorThrottleKey(sealer: Sealer, personId: number): Buffer {
  return sealer.digest(`second-factor:${personId}`);
}

/** Seals a secret together with its owner, so that it can't be moved to another person. */
export function sealSecret(sealer: Sealer, personId: number, secret: string): Buffer {
  return sealer.seal(`${prefixOf(personId)}${secret}`);
}

/** The secret in base 32. Throws if it belongs to another person. */
export function unsealSecret(sealer: Sealer, personId: number, sealed: Buffer): string {
  const text = sealer.unseal(sealed);
  if (!text.startsWith(prefixOf(personId))) throw new Error('the secret of a second factor belongs to somebody else');
  return text.slice(prefixOf(personId).length);
}

function prefixOf(personId: number): string {
  return `second-factor of ${personId}: `;
}

/** Locks a person's tries. Returns SECOND_FACTOR_THROTTLED during the delay after wrong codes. */
export async function lockTries(
  platform: Platform,
  change: Change,
  personId: number,
  now: Date,
): Promise<HeldTries | AppError> {
  const held = await lockCount(platform, change, personId, now);
  return held instanceof AppError ? held : { ...held, account: await lockAccount(change, personId) };
}

/** Locks a person's count of wrong codes alone. Returns SECOND_FACTOR_THROTTLED during the delay after wrong codes. */
export async function lockCount(
  platform: Platform,
  change: Change,
  personId: number,
  now: Date,
): Promise<HeldCount | AppError> {
  const key = secondFactorThrottleKey(platform.sealer, personId);
  const throttle = await lockOrAddThrottle(change, key, now);
  return throttled(throttle, now, 'SECOND_FACTOR_THROTTLED') ?? { key, throttle };
}

/**
 * Checks a code, and consumes a right one. Returns SECOND_FACTOR_WRONG for a wrong or used code, or if there is no
 * factor. It is returned rather than thrown, because the count of wrong codes must be committed.
 */
export async function proveSecondFactor(
  work: Work<Caller>,
  { account, key, throttle }: HeldCount & { readonly account: Person },
  code: string,
): Promise<Proof | AppError> {
  const { platform, change, caller } = work;
  const { now } = caller;
  const judged = await judge(platform, change, account, code, now);
  if (judged === 'used') return fieldError('SECOND_FACTOR_WRONG', 'code');
  if (judged === 'wrong') {
    const counted = afterFailure(throttle, now);
    await saveThrottle(change, key, counted);
    if (counted.failures === FREE_FAILURES) {
      await queueMessage(platform, change, secondFactorGuessedMessage(platform.config, account.username));
    }
    recordEvent(work, 'account.second-factor-failed', ['person', account.tag]);
    return fieldError('SECOND_FACTOR_WRONG', 'code');
  }
  await clearThrottle(change, key);
  if (judged === 'recovery-code') await notifyOfRecoveryCode(work, account);
  return judged;
}

/** A code that was right once is refused but not counted, because it isn't a guess. */
async function judge(
  platform: Platform,
  change: Change,
  { id }: Person,
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

async function notifyOfRecoveryCode(work: Work<Caller>, account: Person): Promise<void> {
  const { platform, change } = work;
  const left = await countUnusedRecoveryCodes(change, account.id);
  await queueMessage(platform, change, recoveryCodeUsedMessage(account.username, left));
  recordEvent(work, 'account.recovery-code-used', ['person', account.tag], {
    after: { recoveryCodesLeft: left },
  });
}
