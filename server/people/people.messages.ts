import { callUs } from '#contract/contact.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { Config } from '#server/config/config.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';
import type { PersonRecord } from './people.queries.ts';

/** Messages to people about their accounts and roles, sent only to their usernames. */

/** The role of a person who decides about other people's money. */
export type Office = 'an officer' | 'an administrator';

type Named = Pick<PersonRecord, 'username' | 'firstName' | 'lastName'>;

/** Tells a person that their account is active, as the activation notice promised. */
export function accountActiveMessage({ publicUrl }: Config, { username }: Pick<PersonRecord, 'username'>): Message {
  const where = publicUrl === undefined ? '' : ` at ${publicUrl}/login`;
  return messageTo(username, {
    subject: `Your ${PRODUCT_NAME} account is active`,
    body: `${PRODUCT_NAME}: your account is active. Log in${where} to see what you can do now.`,
  });
}

/** Tells a colleague that a person may now act for their business. */
export function newcomerMessage(
  { support }: Pick<Config, 'support'>,
  username: string,
  { newcomer, business }: { readonly newcomer: Named; readonly business: string },
): Message {
  return messageTo(username, {
    subject: `${nameOf(newcomer)} can now act for ${business}`,
    body: `${PRODUCT_NAME}: ${nameOf(newcomer)} can now act for ${business}. If you don't know them, ${callUs(support)}.`,
  });
}

/** Tells a person that they were deactivated. */
export function accountDeactivatedMessage(
  { support }: Pick<Config, 'support'>,
  { username }: Pick<PersonRecord, 'username'>,
): Message {
  return messageTo(username, {
    subject: `Your ${PRODUCT_NAME} account is deactivated`,
    body: `${PRODUCT_NAME}: we deactivated your account. You can't log in now. If this is not right, ${callUs(support)}.`,
  });
}

/** Tells a person, or a colleague, that they can no longer act for a business. */
export function leaverMessage(
  { support }: Pick<Config, 'support'>,
  username: string,
  { leaver, business }: { readonly leaver: Named; readonly business: string },
): Message {
  const isOwn = username === leaver.username;
  const about = `can no longer act for ${business}`;
  return messageTo(username, {
    subject: `${isOwn ? 'You' : nameOf(leaver)} ${about}`,
    body: `${PRODUCT_NAME}: ${isOwn ? 'you' : nameOf(leaver)} ${about}. If this is not right, ${callUs(support)}.`,
  });
}

/** Tells every other administrator about a new officer. */
export function newOfficerMessage(username: string, officer: Named, role: Office): Message {
  return messageTo(username, {
    subject: `${nameOf(officer)} is now ${role}`,
    body: `${PRODUCT_NAME}: ${nameOf(officer)} is now ${role}. If this is not right, remove the role under Users.`,
  });
}

/** Tells every other administrator that a person is no longer an officer. */
export function formerOfficerMessage(username: string, officer: Named, role: Office): Message {
  return messageTo(username, {
    subject: `${nameOf(officer)} is no longer ${role}`,
    body: `${PRODUCT_NAME}: ${nameOf(officer)} is no longer ${role}. If this is not right, change it under Users.`,
  });
}

/** Tells a person that they are no longer an officer. */
export function lostOfficeMessage(username: string, role: Office): Message {
  return messageTo(username, {
    subject: `You are no longer ${role}`,
    body: `${PRODUCT_NAME}: you are no longer ${role}. If this is not right, ask an administrator.`,
  });
}

/** Includes the username, because people may type any name. */
function nameOf({ username, firstName, lastName }: Named): string {
  const name = [firstName, lastName].filter((part) => part !== null).join(' ');
  return name === '' ? username : `${name} (${username})`;
}
