import { callUs } from '#contract/contact.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { Config } from '#server/config/config.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';

/** A business that was closed is active again, for somebody who can act for it from now on. */
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
