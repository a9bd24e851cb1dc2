import { randomInt } from 'node:crypto';
import { RECOVERY_CODE_LENGTH, RECOVERY_CODE_LETTERS, RECOVERY_CODES } from '#contract/own-account/schema.ts';
import type { Sealer } from '#server/secrets/sealer.ts';

/** Recovery codes for a lost phone: 50 random bits each, stored as keyed digests, usable once. */

/** Ten different codes, in the form for comparison: without the dash. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(newCode());
  return [...codes];
}

function newCode(): string {
  const letters = Array.from({ length: RECOVERY_CODE_LENGTH }, () =>
    RECOVERY_CODE_LETTERS.charAt(randomInt(RECOVERY_CODE_LETTERS.length)),
  );
  return letters.join('');
}

/** For display: two groups of five. */
export function presentRecoveryCode(code: string): string {
  return `${code.slice(0, RECOVERY_CODE_LENGTH / 2)}-${code.slice(RECOVERY_CODE_LENGTH / 2)}`;
}

/** The stored digest of a person's recovery code. */
export function recoveryCodeDigest(sealer: Sealer, personId: number, code: string): Buffer {
  return sealer.digest(textOf(personId, code));
}

/** All digests that may be stored for it, including the one under the previous secret. */
export function recoveryCodeDigests(sealer: Sealer, personId: number, code: string): Buffer[] {
  return sealer.digests(textOf(personId, code));
}

function textOf(personId: number, code: string): string {
  return `recovery-code:${personId}:${code}`;
}
