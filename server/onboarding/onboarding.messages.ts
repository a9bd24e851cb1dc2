import { PRODUCT_NAME } from '#contract/product.ts';
import type { Config } from '#server/config/config.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';

/** Tells clients about buyers that they requested. */

/** A link to the new-application screen, where the draft waits; empty without a public address. */
function whereDraftWaits({ publicUrl }: Config): string {
  return publicUrl === undefined ? '' : ` ${publicUrl}/invoice-discounting-application`;
}

export function buyerAddedMessage(config: Config, username: string, buyer: string): Message {
  return messageTo(username, {
    subject: `${buyer} is on ${PRODUCT_NAME} now`,
    body: `${buyer} is on ${PRODUCT_NAME} now. Choose it as the buyer of your invoice.${whereDraftWaits(config)}`,
  });
}

export function buyerRefusedMessage(config: Config, username: string, buyer: string, reason: string): Message {
  return messageTo(username, {
    subject: `We can't add ${buyer}`,
    body: `${PRODUCT_NAME}: we can't add ${buyer} as a buyer. ${reason}${whereDraftWaits(config)}`,
  });
}
