import { PRODUCT_NAME } from '#contract/product.ts';
import type { Message } from '#server/messages/messages.service.ts';
import type { Config } from '#server/platform/config.ts';
import type { PersonRecord } from './people.queries.ts';

/** What people are told about their standing, always at their username. */

/** The alert that the activation notice promises (specification, section 2, 'Dashboard'). */
export function accountActiveMessage(
  { publicUrl }: Config,
  { username, usernameKind }: Pick<PersonRecord, 'username' | 'usernameKind'>,
): Message {
  const where = publicUrl === undefined ? '' : ` at ${publicUrl}/login`;
  return {
    channel: usernameKind === 'email' ? 'email' : 'sms',
    to: username,
    subject: `Your ${PRODUCT_NAME} account is active`,
    body: `${PRODUCT_NAME}: your account is active. Log in${where} to see what you can do now.`,
  };
}
