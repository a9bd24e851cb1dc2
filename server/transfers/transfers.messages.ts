import { counted } from '#contract/counts.ts';
import { formatAmount, formatNumeric, minorToNumeric, sumNumeric } from '#contract/money.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { TransferRow, UnfinishedRow } from './transfers.queries.ts';

/** Messages to officers about transfers over a rail. */

export type Told = Pick<Platform, 'rails' | 'config'>;

/** The amount, for officers. */
export function amountOf({ currency, amount }: TransferRow): string {
  return `${currency} ${formatAmount(amount)}`;
}

/** The address at which officers see the case. */
export function caseAt({ config: { publicUrl } }: Told, { invoiceTag }: TransferRow): string {
  return publicUrl === undefined ? '' : ` ${publicUrl}/desk/${invoiceTag}`;
}

/** Nothing has been heard about these transfers for a long time. */
export function lateMessage(platform: Told, username: string, late: readonly TransferRow[]): Message {
  const [first, ...others] = late;
  if (first === undefined || others.length > 0) return manyLateMessage(platform, username, late);
  return first.nextAskAt === null
    ? waitingMessage(platform, username, first)
    : unknownMessage(platform, username, first);
}

const LISTED = 5;

/** For many transfers: the count, the sums and the first few. The page shows the rest. */
function manyLateMessage(platform: Told, username: string, late: readonly TransferRow[]): Message {
  const payments = counted(late.length, 'payment');
  const first = late.slice(0, LISTED).map((transfer) => `${amountOf(transfer)}, ${referenceOf(platform, transfer)}`);
  const more = late.length > LISTED ? ` And ${late.length - LISTED} more.` : '';
  return messageTo(username, {
    subject: `We do not know whether ${payments} went through`,
    body:
      `${PRODUCT_NAME}: we do not know whether ${payments} went through: ${sumsOf(late).join('; ')}. ` +
      `The first: ${first.join('; ')}.${more} Do not pay or record any of them another way. Look under Payouts.` +
      payoutsAt(platform),
  });
}

/** These payouts are on their way to a frozen or replaced account. */
export function heldMessage(platform: Told, username: string, held: readonly UnfinishedRow[]): Message {
  const first = held.slice(0, LISTED).map((transfer) => `${amountOf(transfer)}: ${sayHeld(transfer)}.`);
  const more = held.length > LISTED ? ` And ${held.length - LISTED} more.` : '';
  return messageTo(username, {
    subject: `Stop ${counted(held.length, 'payment')}: the account was frozen or replaced`,
    body:
      `${PRODUCT_NAME}: a payout account was frozen or replaced, and money was on its way to it. ${first.join(' ')}${more} ` +
      `Look under Payouts.${payoutsAt(platform)}`,
  });
}

function sayHeld({ nextAskAt, batchNumber, fileReference }: UnfinishedRow): string {
  if (nextAskAt !== null) return 'we send nothing more of it';
  if (batchNumber === null) return 'it is in no file yet. Cancel it';
  return `it is in batch ${batchNumber} as ${sayRepaymentReference(fileReference)}. Ask the bank to stop it`;
}

function payoutsAt({ config: { publicUrl } }: Told): string {
  return publicUrl === undefined ? '' : ` ${publicUrl}/payouts`;
}

/** The sums of transfers on their way, by direction and currency. */
function sumsOf(late: readonly TransferRow[]): string[] {
  const groups = Map.groupBy(
    late,
    ({ direction, currency }) => `${direction === 'out' ? 'to' : 'from'} clients ${currency}`,
  );
  return [...groups].map(([group, of]) => {
    const sum = sumNumeric(of.map(({ amount }) => minorToNumeric(amount)));
    return `${group} ${formatNumeric(sum)}`;
  });
}

/** The reference by which to ask the provider or the bank. */
function referenceOf(platform: Told, { rail, nextAskAt, reference, fileReference }: TransferRow): string {
  return `${platform.rails.nameOf(rail)} ${nextAskAt === null ? sayRepaymentReference(fileReference) : reference}`;
}

/** A payout by file that is on no statement. */
function waitingMessage(platform: Told, username: string, transfer: TransferRow): Message {
  const amount = amountOf(transfer);
  const reference = sayRepaymentReference(transfer.fileReference);
  const next =
    transfer.sentAt === null
      ? 'It is not in a file yet: make a batch file under Payouts'
      : `Import the statement of the account. If ${reference} is not on it, ask the bank, and do not pay it another way`;
  return messageTo(username, {
    subject: `${amount} is not paid yet`,
    body: `${PRODUCT_NAME}: ${amount} to a bank account is not paid yet. ${next}.${caseAt(platform, transfer)}`,
  });
}

/** The provider was called and has not said how the transfer ended. */
function unknownMessage(platform: Told, username: string, transfer: TransferRow): Message {
  const provider = platform.rails.nameOf(transfer.rail);
  const amount = amountOf(transfer);
  if (transfer.direction === 'in')
    return messageTo(username, {
      subject: `We do not know whether a client paid ${amount}`,
      body:
        `${PRODUCT_NAME}: we do not know whether a client paid ${amount} by ${provider}. We keep asking. ` +
        `Do not record it yet: ask ${provider} for ${transfer.reference}.${caseAt(platform, transfer)}`,
    });
  return messageTo(username, {
    subject: `We do not know whether ${amount} was paid`,
    body:
      `${PRODUCT_NAME}: we do not know whether ${amount} was paid by ${provider}. We keep asking. ` +
      `Do not pay it another way: ask ${provider} for ${transfer.reference}.${caseAt(platform, transfer)}`,
  });
}
