import { minorToNumeric } from '#contract/money.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { PayoutBatch } from '#server/rail-port/rail.ts';

/**
 * The file for the bank (docs/operations.md, 'Bank by file'): CSV in UTF-8, whose last line has the count and the sum.
 * A batch whose file no longer matches its digest is not handed out, so after a change here earlier files cannot be
 * read.
 */

const COLUMNS = ['Reference', 'Account name', 'Bank', 'Account number', 'Amount', 'Currency', 'Narration'] as const;

/** The start of a cell that a spreadsheet would run as a formula. */
const FORMULA = /^[\s=+\-@'|]+/;
/** Line ends and invisible characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** A text that no program takes for a formula; always quoted, so that numbers stay texts. */
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
