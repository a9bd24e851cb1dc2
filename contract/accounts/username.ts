import { INVISIBLE } from '#contract/text/invisible.ts';

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
 * Reads a typed phone number or e-mail address; undefined if it is neither. A phone number may be written in any of the
 * ways of {@link plainPhone}; an e-mail address may have spaces and invisible characters around it.
 */
export function readUsername(typed: string): Username | undefined {
  const email = plainEmail(typed);
  if (email.length <= LONGEST_EMAIL && EMAIL_PATTERN.test(email)) return { kind: 'email', value: email };
  const phone = plainPhone(typed);
  return PHONE_PATTERN.test(phone) ? { kind: 'phone', value: phone } : undefined;
}

const EVERY_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** An e-mail address as we store and compare it: lower case, without surrounding spaces and invisible characters. */
export function plainEmail(typed: string): string {
  return typed.replaceAll(EVERY_INVISIBLE, '').trim().toLowerCase();
}

/**
 * A typed number without what people put between its digits: spaces, dashes, dots, slashes, brackets, quotation marks
 * and invisible characters. Full-width and Arabic digits become 0 to 9. Letters stay, so that nobody's O is read as 0,
 * and so do @, and * and #, which hide digits or belong to dial codes.
 */
export function plainNumber(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll(/[^\p{L}\p{N}+@*#]/gu, '');
}

/** The word before a number in a link, as `tel:` is left by {@link plainNumber}. */
const LINK = /^tel(?=[+\d])/i;
/** +256, 256, 00256, and 000256 as Uganda dials abroad, each with or without the 0 of the national number. */
const COUNTRY_CODE = /^(?:\+|00|000)?2560?/;
const WITHOUT_ZERO = /^(?=[1-9]\d{8}$)/;

/**
 * A phone number in the national form that we store and compare, 07XXXXXXXX if it is a mobile one, however it is
 * written: `tel:+256-700-000-001`, `+256 (0) 700 000 001`, `00256700000001`, `700000001`. Numbers of other countries
 * keep their + or 00, so that no pattern takes them.
 */
export function plainPhone(typed: string): string {
  const number = plainNumber(typed).replace(LINK, '');
  const national = number.replace(COUNTRY_CODE, '0');
  return national === number ? number.replace(WITHOUT_ZERO, '0') : national;
}
