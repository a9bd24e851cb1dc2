import { formatAmount } from '#contract/money.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform.ts';
import type { TransferRow } from './transfers.queries.ts';

/** What officers are told of transfers over a rail. */

export type Told = Pick<Platform, 'rails' | 'config'>;

/** As officers know it. */
export function amountOf({ currency, amount }: TransferRow): string {
  return `${currency} ${formatAmount(amount)}`;
}

/** Where officers look at it. */
export function caseAt({ config: { publicUrl } }: Told, { invoiceTag }: TransferRow): string {
  return publicUrl === undefined ? '' : ` ${publicUrl}/desk/${invoiceTag}`;
}

/** Nothing is known of a payout for a long time. */
export function unknownMessage(platform: Told, username: string, transfer: TransferRow): Message {
  const provider = platform.rails.nameOf(transfer.rail);
  const amount = amountOf(transfer);
  return messageTo(username, {
    subject: `We do not know whether ${amount} was paid`,
    body:
      `${PRODUCT_NAME}: we do not know whether ${amount} was paid by ${provider}. We ask again and again. ` +
      `Do not pay it another way: ask ${provider} for ${transfer.reference}.${caseAt(platform, transfer)}`,
  });
}
