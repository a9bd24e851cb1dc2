import { sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import { nameWords } from '#contract/statements/payer.ts';
import type { Connection } from '#server/db/database.ts';
import { likePattern } from '#server/db/like-pattern.ts';
import { type ClaimantRow, selectClaimants, type WaitingLine } from './waiting.queries.ts';

/** The businesses that may have paid a line, and the applications that it may pay. */

/** A business that a line's payer may be. */
export interface PayerRow {
  readonly lineId: number;
  readonly businessId: number;
  readonly name: string;
  readonly isBuyer: boolean;
  /** Whether the payer's number belongs to the business or one of its people; otherwise the name is similar. */
  readonly byNumber: boolean;
}

/** How many businesses with a payer's words we compare with it: those with the fewest other words. */
const NAMED_AT_MOST = 20;
/** How many applications we compare for each of amount, client and buyer. */
const OWED_AT_MOST = 5;

/** The businesses whose names contain the payer's words, and those that the payer's number belongs to. */
export async function selectPayers(connection: Connection, lines: readonly WaitingLine[]): Promise<PayerRow[]> {
  const given = lines.map(({ id, payerNumber: number, payerName }) => {
    // Initials are in nearly every name.
    const words = nameWords(payerName ?? '').filter((word) => word.length > 1);
    const longest = words.toSorted((one, other) => other.length - one.length)[0] ?? '';
    return { id, number, longest: longest.length < 3 ? null : likePattern(longest), words: words.map(likePattern) };
  });
  const { rows } = await sql<PayerRow>`
    with line as (select * from json_to_recordset(${JSON.stringify(given)}::json)
      as given (id integer, number text, longest text, words text[]))
    select line.id as "lineId", named.id as "businessId", named.name, named.ever_buyer as "isBuyer", false as "byNumber"
    from line cross join lateral (
      select id, name, ever_buyer from businesses
      where search_form like line.longest and search_form like all (line.words)
      order by length(search_form), id limit ${NAMED_AT_MOST}
    ) as named
    union all
    select line.id, owner.id, owner.name, owner.ever_buyer, true
    from line join (
      select business_id, phone as number from persons union select business_id, username from persons
      union select business_id, number from payout_accounts
    ) as contact on contact.number = line.number join businesses as owner on owner.id = contact.business_id`.execute(
    connection,
  );
  return rows;
}

/**
 * For each line, applications that are paid out and owe exactly what is left of it, or whose client or buyer may have
 * paid it: the earliest due first.
 */
export function selectOwed(
  connection: Connection,
  lines: readonly WaitingLine[],
  payers: readonly PayerRow[],
): Promise<(ClaimantRow & { readonly lineId: number })[]> {
  const given = lines.map(({ id, currencyId, date, left }) => {
    const businesses = payers.filter(({ lineId }) => lineId === id).map(({ businessId }) => businessId);
    return { id, currency_id: currencyId, day: date, amount: minorToNumeric(left), businesses };
  });
  const isAmount = sql`outstanding >= line.amount and outstanding < line.amount + 1`;
  const isClients = sql`business_id = any (line.businesses)`;
  const isBuyers = sql`buyer_id = any (line.businesses)`;
  const some = (condition: typeof isAmount, first: typeof isAmount) => sql`(
    select id from invoices where status = 'Disbursed' and outstanding > 0 and currency_id = line.currency_id
      and coalesce(paid_out_on, due_on - tenor_days) <= line.day and ${condition}
    order by (${first}) desc, due_on, id limit ${OWED_AT_MOST})`;
  const found = sql<{ line_id: number; invoice_id: number }>`(
    select line.id as line_id, owed.id as invoice_id
    from json_to_recordset(${JSON.stringify(given)}::json)
      as line (id integer, currency_id integer, day date, amount numeric, businesses integer[])
    cross join lateral (
      ${some(isAmount, sql`${isClients} or ${isBuyers}`)} union ${some(isClients, isAmount)} union ${some(isBuyers, isAmount)}
    ) as owed)`;
  return selectClaimants(connection)
    .innerJoin(found.as('found'), 'found.invoice_id', 'invoices.id')
    .select('found.line_id as lineId')
    .orderBy('invoices.due_on')
    .orderBy('invoices.id')
    .execute();
}
