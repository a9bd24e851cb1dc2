import { formatAmount } from '#contract/money.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
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

/** Nothing is known of a transfer for a long time. */
export function lateMessage(platform: Told, username: string, transfer: TransferRow): Message {
  return transfer.nextAskAt === null
    ? waitingMessage(platform, username, transfer)
    : unknownMessage(platform, username, transfer);
}

/** A payout by file that no statement has. */
function waitingMessage(platform: Told, username: string, transfer: TransferRow): Message {
  const amount = amountOf(transfer);
  const reference = sayRepaymentReference(transfer.fileReference);
  const next =
    transfer.sentAt === null
      ? 'It is in no file yet: make a batch file under Payouts'
      : `Import the statement of the account. If ${reference} is not on it, ask the bank, and do not pay it another way`;
  return messageTo(username, {
    subject: `${amount} is not paid yet`,
    body: `${PRODUCT_NAME}: ${amount} to a bank account is not paid yet. ${next}.${caseAt(platform, transfer)}`,
  });
}

/** Its provider was called, and tells nothing. */
function unknownMessage(platform: Told, username: string, transfer: TransferRow): Message {
  const provider = platform.rails.nameOf(transfer.rail);
  const amount = amountOf(transfer);
  if (transfer.direction === 'in')
    return messageTo(username, {
      subject: `We do not know whether a client paid ${amount}`,
      body:
        `${PRODUCT_NAME}: we do not know whether a client paid ${amount} by ${provider}. We ask again and again. ` +
        `Do not record it yet: ask ${provider} for ${transfer.reference}.${caseAt(platform, transfer)}`,
    });
  return messageTo(username, {
    subject: `We do not know whether ${amount} was paid`,
    body:
      `${PRODUCT_NAME}: we do not know whether ${amount} was paid by ${provider}. We ask again and again. ` +
      `Do not pay it another way: ask ${provider} for ${transfer.reference}.${caseAt(platform, transfer)}`,
  });
}
