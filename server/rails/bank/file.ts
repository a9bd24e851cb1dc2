import { minorToNumeric } from '#contract/money.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { PayoutBatch } from '#server/rails/rail.ts';

/**
 * The file for the bank (docs/operations.md, 'Bank by file'): CSV in UTF-8, with a last line that counts and sums it. A batch
 * whose file differs from its digest is not handed out: what is changed here makes earlier ones unreadable.
 */

const COLUMNS = ['Reference', 'Account name', 'Bank', 'Account number', 'Amount', 'Currency', 'Narration'] as const;

/** How a cell begins that a spreadsheet runs. */
const FORMULA = /^[\s=+\-@'|]+/;
/** Line ends, and what nobody sees. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** A text that no program takes for a formula; always in quotation marks, so that numbers stay texts. */
function text(value: string): string {
  const plain = value.normalize('NFC').replaceAll(UNSEEN, ' ').replace(FORMULA, '').trim();
  return `"${plain.replaceAll('"', '""')}"`;
}

/** Writes the file of a batch. */
export function writeFile({ number, currency, from, total, payouts }: PayoutBatch): string {
  const rows = payouts.map((payout) => {
    const reference = sayRepaymentReference(payout.reference);
    const to = [payout.holderName, payout.bankName ?? '', payout.number].map(text);
    const amount = minorToNumeric(payout.amount);
    return [text(reference), ...to, amount, text(currency), text(`${PRODUCT_NAME} ${reference}`)].join(',');
  });
  const batch = text(`Batch ${number} from ${from.number} ${from.name}`);
  const trailer = ['"TOTAL"', payouts.length, '', '', minorToNumeric(total), text(currency), batch].join(',');
  return [COLUMNS.map(text).join(','), ...rows, trailer, ''].join('\r\n');
}
