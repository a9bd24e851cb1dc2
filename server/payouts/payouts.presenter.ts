import { fromMinor } from '#contract/money.ts';
import { maskedAccount } from '#contract/payouts/account.ts';
import type { WaitingPayout } from '#contract/payouts/schema.ts';
import type { WaitingPayoutRow } from '#server/payout-accounts/payout-holds.queries.ts';

/** Presents a payout that waits for its release. */
export function presentWaiting({ invoiceTag: applicationTag, ...row }: WaitingPayoutRow): WaitingPayout {
  const { tag, invoiceNumber, client, kind, currency, preparedBy } = row;
  const [amount, account] = [fromMinor(row.amount), maskedAccount(row)];
  const about = { tag, applicationTag, invoiceNumber, client, kind, currency };
  return { ...about, amount, account, preparedAt: row.preparedAt.toISOString(), preparedBy };
}
