import { fromMinor } from '#contract/money.ts';
import { maskedAccount } from '#contract/payouts/account.ts';
import type { OpenTransfer, ShownTransfer } from '#contract/transfers/schema.ts';
import type { Platform } from '#server/platform.ts';
import type { OpenRow, ShownRow } from './transfers.queries.ts';

/** A payout over a rail; the provider's own words, and who released it, are for officers. */
export function presentTransfer(
  { rails }: Pick<Platform, 'rails'>,
  row: ShownRow,
  { isStaff }: { readonly isStaff: boolean },
): ShownTransfer {
  const { tag, state, providerReference, refusal, provider, number, bankName } = row;
  const to = maskedAccount({ provider, number, holderName: row.holderName ?? '', bankName });
  return {
    ...{ tag, state, providerReference, refusal, to },
    rail: rails.nameOf(row.rail),
    amount: fromMinor(row.amount),
    releasedAt: row.createdAt.toISOString(),
    nextAskAt: row.nextAskAt?.toISOString() ?? null,
    knownAt: row.knownAt?.toISOString() ?? null,
    said: isStaff ? row.said : null,
    releasedBy: isStaff ? row.createdByName : null,
  };
}

/** A line of the payouts that are on their way. */
export function presentOpen(platform: Pick<Platform, 'rails'>, row: OpenRow): OpenTransfer {
  const { invoiceTag: applicationTag, invoiceNumber, client, currency } = row;
  const shown = presentTransfer(platform, row, { isStaff: true });
  return { ...shown, applicationTag, invoiceNumber, client, currency, isLate: row.toldAt !== null };
}
