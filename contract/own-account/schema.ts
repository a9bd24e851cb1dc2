import { z } from 'zod';
import { currentPassword, handle, newPassword } from '#contract/accounts/schema.ts';
import { optional, tag } from '#contract/fields.ts';

/** Fields of the caller's own account: sessions, password, second factor (docs/decisions/0017-second-factor.md). */

/** Digits of an authenticator app's code (RFC 6238). */
export const APP_CODE_LENGTH = 6;
/** How many recovery codes a person gets. */
export const RECOVERY_CODES = 10;
/** Characters of a recovery code, without its dash. */
export const RECOVERY_CODE_LENGTH = 10;

const APP_CODE = 'Enter the 6 digits that your app shows';
const EITHER_CODE = 'Enter the 6 digits that your app shows, or a recovery code';

/** Separators that people type between the groups of a code. */
const SEPARATORS = /[\s-]/g;

/** The code shown by an authenticator app, as typed. */
export const appCode = z
  .string(APP_CODE)
  .max(50, APP_CODE)
  .transform((typed) => typed.replaceAll(SEPARATORS, ''))
  .refine((digits) => /^\d{6}$/.test(digits), APP_CODE);

/**
 * Crockford's base 32: no I, L, O or U; a typed I counts as 1 and a typed O as 0. The length tells a recovery code from
 * an app's code.
 */
export const RECOVERY_CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** An app's code or a recovery code, as typed; parses to its digits and capital letters. */
export const secondFactorCode = z
  .string(EITHER_CODE)
  .max(50, EITHER_CODE)
  .transform((typed) => typed.replaceAll(SEPARATORS, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1'))
  .refine((code) => /^(\d{6}|[0-9A-HJKMNP-TV-Z]{10})$/.test(code), EITHER_CODE);

const password = currentPassword('Enter your current password');

/** The second step of a login. */
export const secondStepBody = z.strictObject({ handle, code: secondFactorCode });

/** Starts setting up a second factor; `code` proves the existing one, if there is one. */
export const beginSecondFactorBody = z.strictObject({ password, code: optional(secondFactorCode) });

export const confirmSecondFactorBody = z.strictObject({ code: appCode });

/** The values for an authenticator app: the secret in base 32, and the same as an otpauth URI. */
export const begunSecondFactor = z.strictObject({ success: z.literal(true), secret: z.string(), uri: z.string() });

/** The new recovery codes; this is the only time they are shown. */
export const confirmedSecondFactor = z.strictObject({ success: z.literal(true), recoveryCodes: z.array(z.string()) });

/** The state of the caller's second factor. */
export const secondFactorReply = z.strictObject({
  success: z.literal(true),
  /** Whether the person must set it up before they can do anything else. */
  needed: z.boolean(),
  setUpAt: z.iso.datetime().nullable(),
  recoveryCodesLeft: z.int(),
});
export type SecondFactor = z.output<typeof secondFactorReply>;

/** One of the caller's live sessions. */
export const ownSession = z.strictObject({
  tag,
  /** Browser and system in plain words. */
  device: z.string(),
  ip: z.string().nullable(),
  since: z.iso.datetime(),
  lastActive: z.iso.datetime(),
  /** The session of this request. */
  current: z.boolean(),
});
export type OwnSession = z.output<typeof ownSession>;

/** Ending sessions requires the password again: somebody who stole a session must not be able to log its owner out. */
export const endSessionsBody = z.strictObject({ password });

/** The form for changing one's own password; also the request body. */
export const changePasswordForm = z.strictObject({
  password,
  newPassword: newPassword('Password must be at least 8 characters'),
});
