import { deductions } from '#contract/journal/position.ts';
import { type LedgerEntry, type LedgerKind, payers } from '#contract/payments/schema.ts';

const names: Readonly<Record<LedgerKind, string>> = {
  disbursement: 'Paid out',
  surplus: 'Extra paid to client',
  receipt: 'Repayment',
  deduction: 'Kept back by buyer',
  extension: 'Fee for more time',
  writeOff: 'Written off',
};

/** An entry of the ledger, in words. */
export function entryName({ kind, payer, deduction, reverses }: LedgerEntry): string {
  const name = deduction === null ? names[kind] : deductions[deduction];
  const from = payer === null ? '' : ` from ${payers[payer].toLowerCase()}`;
  return reverses === null ? `${name}${from}` : `Reversed: ${name.toLowerCase()}${from}`;
}
