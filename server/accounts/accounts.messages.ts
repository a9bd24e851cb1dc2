import { CODE_LIFETIME_SECONDS, PIN_COUNTDOWN_SECONDS } from '#contract/accounts/schema.ts';
import { readUsername } from '#contract/accounts/username.ts';
import { counted } from '#contract/counts.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { MINUTE_SECONDS } from '#contract/time/durations.ts';
import type { Config } from '#server/config/config.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';

/**
 * Messages about accounts, sent only to the username. In a message with a code, the code is the only group of five
 * digits, so such a message contains no link and no phone number.
 */

const MINUTES = CODE_LIFETIME_SECONDS / MINUTE_SECONDS;

/** The PIN that finishes a sign-up. It gives the time that the screen counts down, which is shorter for a text message. */
export function pinMessage(username: string, pin: string, expiresAt: Date): Message {
  const mode = readUsername(username)?.kind === 'email' ? 'email' : 'other';
  const within = counted(Math.floor(PIN_COUNTDOWN_SECONDS[mode] / MINUTE_SECONDS), 'minute');
  const text = {
    subject: `Your ${PRODUCT_NAME} PIN`,
    body: `${PRODUCT_NAME}: your PIN to finish signing up is ${pin}. Enter it within ${within}. Don't share it with anyone, not even us.`,
  };
  return { ...messageTo(username, text), expiresAt };
}

/** The code to set a new password. */
export function resetCodeMessage(username: string, code: string, expiresAt: Date): Message {
  const text = {
    subject: `Your ${PRODUCT_NAME} verification code`,
    body: `${PRODUCT_NAME}: your code to set a new password is ${code}. It works for ${MINUTES} minutes. Don't share it with anyone, not even us. If you did not ask for it, ignore this message.`,
  };
  return { ...messageTo(username, text), expiresAt };
}

/** Tells the owner that somebody tried to sign up with their username, and how to get in. */
export function alreadyRegisteredMessage(config: Config, username: string): Message {
  const web = webAddress(config);
  return messageTo(username, {
    subject: `You already have a ${PRODUCT_NAME} account`,
    body: `${PRODUCT_NAME}: somebody tried to sign up with your phone number or email. You already have an account. If it was you, log in at ${web}/login or choose a new password at ${web}/forgot-password. If not, ignore this message.`,
  });
}

/** A link that still works while codes are blocked. */
export function codesBlockedMessage(config: Config, username: string, token: string, expiresAt: Date): Message {
  const text = {
    subject: `Too many wrong codes for your ${PRODUCT_NAME} account`,
    body: `${PRODUCT_NAME}: too many wrong codes were entered for your account, so codes stop working for a day. To get in now, choose a new password with this link. It works once, for one day: ${webAddress(config)}/reset-password#${token} Don't share it with anyone.`,
  };
  return { ...messageTo(username, text), expiresAt };
}

/**
 * The base of links: PUBLIC_URL or, in development without it, the address that the server prints. Never the request's
 * host, which the caller controls.
 */
export function webAddress(config: Config): string {
  return config.publicUrl ?? `http://localhost:${config.port}`;
}
