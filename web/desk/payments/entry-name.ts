import { deductions, type OutsideKind, type PostedKind } from '#contract/journal/position.ts';
import { type LedgerEntry, payers } from '#contract/payments/schema.ts';

const names: Readonly<Record<PostedKind | OutsideKind, string>> = {
  disbursement: 'Paid out',
  surplus: 'Extra paid to client',
  receipt: 'Repayment',
  deduction: 'Kept back by buyer',
  feeEarned: 'Fee earned',
  extension: 'Fee for more time',
  lateCharge: 'Late charge',
  rounding: 'Rounding',
  writeOff: 'Written off',
  arrival: 'Received',
  returned: 'Sent back',
};

/** A journal entry in words. */
export function kindName({
  kind,
  isReversal,
}: {
  readonly kind: keyof typeof names;
  readonly isReversal: boolean;
}): string {
  return isReversal ? `Reversed: ${names[kind].toLowerCase()}` : names[kind];
}

/** A ledger entry in words. */
export function entryName({ kind, payer, deduction, reverses }: LedgerEntry): string {
  const name = deduction === null ? names[kind] : deductions[deduction];
  const from = payer === null ? '' : ` from ${payers[payer].toLowerCase()}`;
  return reverses === null ? `${name}${from}` : `Reversed: ${name.toLowerCase()}${from}`;
}
