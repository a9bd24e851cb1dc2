import type { AssignRefusal } from '#contract/statements/schema.ts';
import { type SuggestionReason, suggestFor } from '#contract/statements/suggestions.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { isBarred } from '#server/invoices/invoices.service.ts';
import { findNewUntil } from '#server/people/standing/standing.service.ts';
import type { Context } from '#server/platform/work.ts';
import type { FoundMatch } from './matching.service.ts';
import { type PayerRow, selectOwed, selectPayers } from './suggestions.queries.ts';
import { type ClaimantRow, selectReversed } from './waiting.queries.ts';

/** A line with what the reader may do: why not assign it, or the applications to offer. */
export interface Offer extends FoundMatch {
  readonly refusal: AssignRefusal | null;
  readonly suggested: readonly { readonly to: ClaimantRow; readonly reasons: readonly SuggestionReason[] }[];
  /** The buyers that the payer may be. */
  readonly buyers: readonly string[];
}

/** Finds what to offer the reader for each line. */
export async function findOffers(
  context: Context,
  connection: Connection,
  found: readonly FoundMatch[],
): Promise<Offer[]> {
  const { person } = context.caller;
  const lines = found.map(({ line }) => line);
  const [payers, newUntil, reversed] = await together(
    selectPayers(connection, lines),
    findNewUntil(context, connection),
    selectReversed(
      connection,
      lines.map(({ id }) => id),
      person.id,
    ),
  );
  const owed = await selectOwed(connection, lines, payers);
  return found.map((one) => {
    const { line, match, payout } = one;
    const ownReversal = reversed.includes(line.id) ? 'OWN_REVERSAL' : null;
    const refusal = newUntil === undefined ? ownReversal : 'NEW_OFFICER';
    const paidBy = payers.filter(({ lineId }) => lineId === line.id);
    const matched = match.isSure ? [match.to] : match.to;
    const others = owed.filter(({ lineId, tag }) => lineId === line.id && matched.every((one) => one.tag !== tag));
    const candidates = [...matched, ...others].map((row) => ({
      ...row,
      hasPayersNumber: paidBy.some(({ byNumber, businessId }) => byNumber && businessId === row.businessId),
      isBarred: isBarred(context.caller, { ...row, case: { submittedBy: row.submittedBy } }),
    }));
    // Money that may be a returned payout is no repayment, whoever sent it.
    const isOffered = refusal === null && payout === null;
    const suggested = isOffered ? suggestFor({ ...line, amount: line.left }, candidates) : [];
    return { ...one, refusal, suggested, buyers: buyersAmong(paidBy) };
  });
}

/** The names of the buyers among the businesses that may have paid. */
export function buyersAmong(payers: readonly PayerRow[]): string[] {
  return payers.filter(({ isBuyer }) => isBuyer).map(({ name }) => name);
}
