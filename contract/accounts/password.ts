/** How we judge passwords, in the browser and on the server (docs/decisions/0041-left-open.md). */

export const PASSWORD_MINIMUM = 8;
export const PASSWORD_MAXIMUM = 256;

/**
 * Normalises a password before we judge, hash or compare it: keyboards write é as one character or as two, and
 * full-width letters count as ordinary ones.
 */
export function normalizePassword(typed: string): string {
  return typed.normalize('NFKC');
}

const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/] as const;

/** Strength levels in order of their ids, 0 to 3. */
export const strengthLevels = ['Too weak', 'Weak', 'Medium', 'Strong'] as const;

export interface Strength {
  readonly id: 0 | 1 | 2 | 3;
  readonly level: (typeof strengthLevels)[number];
}

/** Weak from 2 classes and 6 characters; Medium from 4 and 8; Strong from 4 and 10. */
export function passwordStrength(typed: string): Strength {
  const password = normalizePassword(typed);
  const met = classes.filter((pattern) => pattern.test(password)).length;
  if (met === 4 && password.length >= 10) return { id: 3, level: 'Strong' };
  if (met === 4 && password.length >= 8) return { id: 2, level: 'Medium' };
  if (met >= 2 && password.length >= 6) return { id: 1, level: 'Weak' };
  return { id: 0, level: 'Too weak' };
}

/** The hint under the sign-up password. */
export function strengthHint(password: string): string {
  return passwordStrength(password).id > 1
    ? 'Password is strong'
    : 'Weak password. Include lower case, upper case, numbers and symbols.';
}

/** Whether a new password has the minimum length. */
export function isLongEnough(typed: string): boolean {
  return normalizePassword(typed).length >= PASSWORD_MINIMUM;
}

function includes(pattern: RegExp): (typed: string) => boolean {
  return (typed) => pattern.test(normalizePassword(typed));
}

/** The reset page's checklist, in its order on screen. */
export const requirements = [
  { label: 'At least 8 characters', met: isLongEnough },
  { label: 'Includes number', met: includes(/\d/) },
  { label: 'Includes lowercase letter', met: includes(/[a-z]/) },
  { label: 'Includes uppercase letter', met: includes(/[A-Z]/) },
  { label: 'Includes special symbol', met: includes(/[^A-Za-z0-9]/) },
] as const;

/** 100 minus an equal share per unmet requirement. */
export function requirementScore(password: string): number {
  const unmet = requirements.filter((requirement) => !requirement.met(password)).length;
  return 100 - (100 / requirements.length) * unmet;
}

/** The colour of the meter's bars: green above 80, yellow above 50, otherwise red. */
export function meterColor(score: number): 'green' | 'yellow' | 'red' {
  if (score > 80) return 'green';
  return score > 50 ? 'yellow' : 'red';
}
