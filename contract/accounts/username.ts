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
 * The length that the login form requires. The server finds out whether a username is a phone number or an e-mail
 * address.
 */
export const LOGIN_USERNAME = { minimum: 5, maximum: 300, message: 'Required' } as const;

/** 07 followed by 8 digits; we check nothing else. */
export const PHONE_PATTERN = /^07\d{8}$/;

/** Something@domain.tld without spaces. The code that we send there proves the address. */
export const EMAIL_PATTERN =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

const LONGEST_EMAIL = 254;

/**
 * Reads a typed phone number or e-mail address; undefined if it is neither. A phone number may be written in any form
 * that {@link plainPhone} reads; an e-mail address may have spaces and invisible characters around it.
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
 * Removes the characters that people put between a number's digits: spaces, dashes, dots, slashes, brackets, quotation
 * marks and invisible characters. Full-width and Arabic digits become 0 to 9. Letters stay, so that nobody's O is read
 * as 0, and so do @, and * and #, which hide digits or belong to dial codes.
 */
export function plainNumber(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll(/[^\p{L}\p{N}+@*#]/gu, '');
}

/** The prefix of a `tel:` link, after {@link plainNumber} has removed its colon. */
const LINK = /^tel(?=[+\d])/i;
/**
 * +256, 256, 00256, and 000256 (the prefix for calls abroad from Uganda), each with or without the 0 of the national
 * number.
 */
const COUNTRY_CODE = /^(?:\+|00|000)?2560?/;
const WITHOUT_ZERO = /^(?=[1-9]\d{8}$)/;

/**
 * Converts a phone number to the national form that we store and compare (07XXXXXXXX for a mobile number), however it
 * is written: `tel:+256-700-000-001`, `+256 (0) 700 000 001`, `00256700000001`, `700000001`. Numbers of other countries
 * keep their + or 00, so that no pattern accepts them.
 */
export function plainPhone(typed: string): string {
  const number = plainNumber(typed).replace(LINK, '');
  const national = number.replace(COUNTRY_CODE, '0');
  return national === number ? number.replace(WITHOUT_ZERO, '0') : national;
}
