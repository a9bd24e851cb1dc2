/**
 * A username is an e-mail address, lower-cased, or a Ugandan mobile number kept as 07XXXXXXXX
 * (docs/decisions/0041-left-open.md).
 */
export interface Username {
  readonly kind: 'email' | 'phone';
  readonly value: string;
}

/**
 * What the login form requires of a username; the server finds out whether it is a phone number or an e-mail address.
 */
export const LOGIN_USERNAME = { minimum: 5, maximum: 300, message: 'Required' } as const;

/** 07 followed by 8 digits: the whole rule. */
export const PHONE_PATTERN = /^07\d{8}$/;

/** Something@domain.tld without spaces. The code that is sent there proves the address. */
export const EMAIL_PATTERN =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

const LONGEST_EMAIL = 254;

/**
 * Reads what a person typed as their phone number or e-mail. Spaces are ignored and +256 or 256 stands for 0.
 * Undefined where it is neither.
 */
export function readUsername(typed: string): Username | undefined {
  const email = typed.trim().toLowerCase();
  if (email.length <= LONGEST_EMAIL && EMAIL_PATTERN.test(email)) return { kind: 'email', value: email };
  const phone = plainPhone(typed);
  return PHONE_PATTERN.test(phone) ? { kind: 'phone', value: phone } : undefined;
}

/** A phone number as it is stored and validated: no spaces, and 0 instead of +256 or 256. */
export function plainPhone(typed: string): string {
  return typed.replaceAll(/[\s\u00a0]/g, '').replace(/^\+?256/, '0');
}
