/** How passwords are judged on screen and at the door (docs/decisions/0041-left-open.md). */

export const PASSWORD_MINIMUM = 8;
export const PASSWORD_MAXIMUM = 256;

const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/] as const;

/** Strength levels in order of their ids, 0 to 3. */
export const strengthLevels = ['Too weak', 'Weak', 'Medium', 'Strong'] as const;

export interface Strength {
  readonly id: 0 | 1 | 2 | 3;
  readonly level: (typeof strengthLevels)[number];
}

/** Weak from 2 classes and 6 characters; Medium from 4 and 8; Strong from 4 and 10. */
export function passwordStrength(password: string): Strength {
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

/** The reset page's checklist, in its order on screen. */
export const requirements = [
  { label: 'At least 8 characters', met: (password: string) => password.length >= PASSWORD_MINIMUM },
  { label: 'Includes number', met: (password: string) => /\d/.test(password) },
  { label: 'Includes lowercase letter', met: (password: string) => /[a-z]/.test(password) },
  { label: 'Includes uppercase letter', met: (password: string) => /[A-Z]/.test(password) },
  { label: 'Includes special symbol', met: (password: string) => /[^A-Za-z0-9]/.test(password) },
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
