import { callUs } from '#contract/contact.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { Config } from '#server/config/config.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';

/** Tells a person who may act for a business that it is active again. */
export function businessActiveMessage(
  { support }: Pick<Config, 'support'>,
  username: string,
  business: string,
): Message {
  return messageTo(username, {
    subject: `${business} is active again`,
    body: `${PRODUCT_NAME}: ${business} is active again. You can apply for it now. If this is not right, ${callUs(support)}.`,
  });
}
