import { PRODUCT_NAME } from '#contract/product.ts';
import type { Config } from '#server/config/config.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';
import { webAddress } from './accounts.messages.ts';

/**
 * Messages about changed credentials, or about somebody else's login that lacks the second step. They contain no
 * secret.
 */

const NOT_YOU = 'If it was not you, tell an administrator at once.';

export function passwordChangedMessage(config: Config, username: string): Message {
  return messageTo(username, {
    subject: `Your ${PRODUCT_NAME} password was changed`,
    body: `${PRODUCT_NAME}: your password was changed, and other devices were logged out. If it was not you, choose a new one at ${webAddress(config)}/forgot-password at once.`,
  });
}

export function secondFactorSetUpMessage(username: string): Message {
  return messageTo(username, {
    subject: `Your ${PRODUCT_NAME} second factor was set up`,
    body: `${PRODUCT_NAME}: an authenticator app was set up for your account. From now on, logging in takes its code too. ${NOT_YOU}`,
  });
}

export function recoveryCodeUsedMessage(username: string, left: number): Message {
  const rest = left === 1 ? '1 recovery code is' : `${left} recovery codes are`;
  return messageTo(username, {
    subject: `A ${PRODUCT_NAME} recovery code was used`,
    body: `${PRODUCT_NAME}: one of your recovery codes was used to prove that it is you. ${rest} left. ${NOT_YOU}`,
  });
}

export function secondFactorResetMessage(username: string): Message {
  return messageTo(username, {
    subject: `Your ${PRODUCT_NAME} second factor was reset`,
    body: `${PRODUCT_NAME}: an administrator took your second factor away, and you were logged out. Log in with your password and set up a new one under My Account. If you did not ask for it, tell an administrator at once.`,
  });
}

/** Somebody has the password and is guessing the second factor. */
export function secondFactorGuessedMessage(config: Config, username: string): Message {
  return messageTo(username, {
    subject: `Wrong codes for your ${PRODUCT_NAME} account`,
    body: `${PRODUCT_NAME}: somebody entered your right password and then ten wrong codes. If it was not you, choose a new password at ${webAddress(config)}/forgot-password at once.`,
  });
}
