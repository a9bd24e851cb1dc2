import { PRODUCT_NAME } from '#contract/product.ts';
import { nextSteps } from '#contract/transfers/next-steps.ts';
import { refusalWords } from '#contract/transfers/refusals.ts';
import type { MessageText } from '#server/messages/messages.service.ts';
import type { Failed } from '#server/transfers/following.service.ts';
import { amountOf, caseAt, type Told } from '#server/transfers/transfers.messages.ts';
import type { TransferRow } from '#server/transfers/transfers.queries.ts';

/** Messages to officers about how a payout over a rail ended. */

/** A provider finally refused a payout. */
export function failedMessage(platform: Told, transfer: TransferRow, { refusal }: Failed): MessageText {
  const amount = amountOf(transfer);
  const { means } = refusalWords[refusal];
  return {
    subject: `${amount} was not paid`,
    body: `${PRODUCT_NAME}: ${amount} was not paid: ${platform.rails.nameOf(transfer.rail)} ${means}. ${nextSteps[refusal]}.${caseAt(platform, transfer)}`,
  };
}

/** A payout was paid although something should have stopped it by then. */
export function paidAnywayMessage(platform: Told, transfer: TransferRow, reason: string): MessageText {
  const amount = amountOf(transfer);
  return {
    subject: `${amount} was paid, look at the case`,
    body: `${PRODUCT_NAME}: ${amount} was paid, but ${reason}.${caseAt(platform, transfer)}`,
  };
}

/** One part of a payout was paid, and the rest (`transfer.amount`) was not sent. */
export function restKeptMessage(platform: Told, transfer: TransferRow, reason: string): MessageText {
  const amount = amountOf(transfer);
  return {
    subject: `${amount} is still to be paid`,
    body: `${PRODUCT_NAME}: we paid a part of a payout. The rest, ${amount}, is not sent yet. ${reason}. Then prepare the rest.${caseAt(platform, transfer)}`,
  };
}
