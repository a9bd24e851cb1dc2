import { type LedgerEntry, payers } from '#contract/payments/schema.ts';

/** What an entry of the ledger is, in words. */
export function entryName({ kind, payer, reverses }: Pick<LedgerEntry, 'kind' | 'payer' | 'reverses'>): string {
  const name = { disbursement: 'Paid out', surplus: 'Extra paid to client', receipt: 'Repayment' }[kind];
  const from = payer === null ? '' : ` from ${payers[payer].toLowerCase()}`;
  return reverses === null ? `${name}${from}` : `Reversed: ${name.toLowerCase()}${from}`;
}
