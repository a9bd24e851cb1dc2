import { fromMinor } from '#contract/money.ts';
import { maskedNumber } from '#contract/payouts/account.ts';
import { providerOfNumber } from '#contract/requests-to-pay/amount.ts';
import type { PayNowReply, ShownRequest } from '#contract/requests-to-pay/schema.ts';
import { ANSWER_WITHIN_MS } from '#contract/requests-to-pay/words.ts';
import type { RequestRow } from '#server/transfers/transfers.queries.ts';
import type { AskedRail } from './requests.service.ts';

/** A request to pay. Only officers see the provider's own words and the person who asked. */
export function presentRequest(row: RequestRow, { isStaff }: { readonly isStaff: boolean }): ShownRequest {
  const { tag, state, currency, providerReference, refusal, createdAt, sentAt } = row;
  return {
    tag,
    state,
    currency,
    providerReference,
    refusal,
    provider: providerOfNumber(row.number) ?? 'mtn', // we never ask other numbers
    amount: fromMinor(row.amount),
    from: maskedNumber(row.number),
    until: new Date((sentAt ?? createdAt).getTime() + ANSWER_WITHIN_MS).toISOString(),
    knownAt: row.knownAt?.toISOString() ?? null,
    said: isStaff ? row.said : null,
    askedBy: isStaff ? row.createdByName : null,
  };
}

/** A provider whose customers' phones we can ask. */
export function presentProvider({ provider, least, usualMost }: AskedRail): PayNowReply['providers'][number] {
  return { provider, least: fromMinor(least), usualMost: usualMost === null ? null : fromMinor(usualMost) };
}
