import { z } from 'zod';
import { lookupId, optional, tag } from '#contract/fields.ts';
import { permissionCodes } from '#contract/permissions.ts';
import { normalizePassword, PASSWORD_MAXIMUM, PASSWORD_MINIMUM } from './password.ts';
import { EMAIL_PATTERN, LOGIN_USERNAME, PHONE_PATTERN, plainEmail, plainPhone, readUsername } from './username.ts';

/** Fields and messages of sign-up, login and reset. */

/** Sign-up PIN and reset code: 5 digits. */
export const CODE_LENGTH = 5;
/** How long the server accepts a code, in seconds, in both modes. */
export const CODE_LIFETIME_SECONDS = 300;
/** How long the countdown on the sign-up screen lasts, in seconds. */
export const PIN_COUNTDOWN_SECONDS = { email: 300, other: 65 } as const;
/** A new code may be asked for after this many seconds. */
export const CODE_COOLDOWN_SECONDS = 60;

export const genders = ['male', 'female'] as const;

const CONTACT = 'Enter a valid email or phone number';

/** A new password, normalised. Only its length is limited; its composition is free. */
export function newPassword(message: string) {
  return z
    .string(message)
    .overwrite(normalizePassword)
    .min(PASSWORD_MINIMUM, message)
    .max(PASSWORD_MAXIMUM, 'Password must be at most 256 characters');
}

/**
 * A password to compare with a stored hash. It stays as typed, because hashes from before we normalised passwords may
 * belong to exactly that text.
 */
export function currentPassword(message: string) {
  return z.string(message).min(1, message);
}

const signupPassword = newPassword('Password must be at least 8 characters');
const resetPassword = newPassword('Password must be at least 8 characters long');
const industryId = lookupId('Please select your business sector');
const districtId = lookupId('Please select your district');
const gender = z.enum(genders, 'Please select your gender');

/** The login form; also the request body of the call. */
export const loginForm = z.strictObject({
  username: z
    .string(LOGIN_USERNAME.message)
    .trim()
    .min(LOGIN_USERNAME.minimum, LOGIN_USERNAME.message)
    .max(LOGIN_USERNAME.maximum, LOGIN_USERNAME.message),
  password: z.string('Required'),
});

/** The sign-up form as shown, with one field for phone or e-mail. */
export const signupForm = z.strictObject({
  phoneOrEmail: z
    .string('Phone number or email is required')
    .trim()
    .min(1, 'Phone number or email is required')
    .refine((typed) => readUsername(typed) !== undefined, CONTACT),
  gender,
  industryId,
  districtId,
  password: signupPassword,
});

const email = z.string(CONTACT).overwrite(plainEmail).max(254, CONTACT).regex(EMAIL_PATTERN, CONTACT);
const phone = z
  .string(CONTACT)
  .max(LOGIN_USERNAME.maximum, CONTACT)
  .overwrite(plainPhone)
  .regex(PHONE_PATTERN, CONTACT);

/** The request body of a sign-up: exactly one of e-mail or phone. */
export const registerBody = z
  .strictObject({
    password: signupPassword,
    gender,
    industryId,
    districtId,
    email: optional(email),
    phone: optional(phone),
  })
  .refine((body) => (body.email === undefined) !== (body.phone === undefined), {
    error: CONTACT,
    path: ['phoneOrEmail'],
  });

/** An opaque 256-bit handle of a sign-up or reset, base64url; never a person's tag. */
export const handle = z.string().min(1).max(100);

export const code = z
  .string('OTP must be exactly 5 digits')
  .length(CODE_LENGTH, 'OTP must be exactly 5 digits')
  .regex(/^\d+$/, 'OTP must contain only numbers');

export const verifyBody = z.strictObject({ userTag: handle, pin: code });
export const resendBody = z.strictObject({ userTag: handle });

/** The forgot-password form; also the request's body. */
export const resetRequestForm = z.strictObject({
  username: z
    .string('Please enter your phone number or email')
    .trim()
    .min(1, 'Please enter your phone number or email')
    .max(300, 'Please enter your phone number or email'),
});

export const newPasswordForm = z.strictObject({ password: resetPassword });
export const resetDoBody = z.strictObject({ otpTag: handle, newPassword: resetPassword });

/** How a code was sent: by e-mail, or by other means (SMS). */
export const mode = z.enum(['email', 'other']);

export const registerReply = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  msg: z.string(),
  userTag: handle,
  mode,
});

/** A permission code in upper or lower case; compared in upper case. */
const permission = z.string().toUpperCase().pipe(z.enum(permissionCodes));

/** The signed-in person, as the login reply describes them. */
export const sessionUser = z.strictObject({
  tag,
  username: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  bizName: z.string().nullable(),
  bizTag: tag.nullable(),
  perms: z.array(permission),
  roles: z.array(z.string()),
  /** The server always sets it; if it is absent, the web app assumes one minute. */
  clientUITimeoutMinutes: z.number().optional(),
  appVersion: z.string(),
});
export type SessionUser = z.output<typeof sessionUser>;

export const loginReply = z.strictObject({ success: z.literal(true), user: sessionUser });
export type LoginReply = z.output<typeof loginReply>;

/** A handle for the next step of a reset. */
export const handleReply = z.strictObject({ success: z.literal(true), data: z.strictObject({ tag: handle }) });
