import { callUs } from '#contract/contact.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { Config } from '#server/config/config.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';
import type { PersonRecord } from './people.queries.ts';

/** What people are told about their own standing and that of others, always at their username. */

/** What somebody is who decides on other people's money. */
export type Office = 'an officer' | 'an administrator';

type Named = Pick<PersonRecord, 'username' | 'firstName' | 'lastName'>;

/** Tells somebody that their account is active, as the activation notice announced. */
export function accountActiveMessage({ publicUrl }: Config, { username }: Pick<PersonRecord, 'username'>): Message {
  const where = publicUrl === undefined ? '' : ` at ${publicUrl}/login`;
  return messageTo(username, {
    subject: `Your ${PRODUCT_NAME} account is active`,
    body: `${PRODUCT_NAME}: your account is active. Log in${where} to see what you can do now.`,
  });
}

/** Somebody can act for the business of who reads it. */
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

/** Somebody was deactivated: for themselves. */
export function accountDeactivatedMessage(
  { support }: Pick<Config, 'support'>,
  { username }: Pick<PersonRecord, 'username'>,
): Message {
  return messageTo(username, {
    subject: `Your ${PRODUCT_NAME} account is deactivated`,
    body: `${PRODUCT_NAME}: we deactivated your account. You can't log in now. If this is not right, ${callUs(support)}.`,
  });
}

/** Somebody can act for a business no more: for them, or for a colleague. */
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

/** Somebody decides on other people's money from now on: for every other administrator. */
export function newOfficerMessage(username: string, officer: Named, role: Office): Message {
  return messageTo(username, {
    subject: `${nameOf(officer)} is now ${role}`,
    body: `${PRODUCT_NAME}: ${nameOf(officer)} is now ${role}. If this is not right, remove the role under Users.`,
  });
}

/** Somebody decides on other people's money no more: for every other administrator. */
export function formerOfficerMessage(username: string, officer: Named, role: Office): Message {
  return messageTo(username, {
    subject: `${nameOf(officer)} is no longer ${role}`,
    body: `${PRODUCT_NAME}: ${nameOf(officer)} is no longer ${role}. If this is not right, change it under Users.`,
  });
}

/** The same for who lost the role. */
export function lostOfficeMessage(username: string, role: Office): Message {
  return messageTo(username, {
    subject: `You are no longer ${role}`,
    body: `${PRODUCT_NAME}: you are no longer ${role}. If this is not right, ask an administrator.`,
  });
}

/** With the username: a name is what somebody typed. */
function nameOf({ username, firstName, lastName }: Named): string {
  const name = [firstName, lastName].filter((part) => part !== null).join(' ');
  return name === '' ? username : `${name} (${username})`;
}
