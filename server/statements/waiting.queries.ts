import { sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import type { ImportedStatement } from '#contract/statements/schema.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import { payable } from '#server/invoices/due.ts';
import { personName } from '#server/sessions/person-name.ts';
import { isBeingMatched, progressOf } from '#server/statements/matching/after-import.queries.ts';

/** Money in suspense, and the applications to which it may belong. */

function selectLines(connection: Connection) {
  return connection
    .selectFrom('suspense')
    .innerJoin('statement_lines as line', 'line.id', 'suspense.line_id')
    .innerJoin('statements', 'statements.id', 'line.statement_id')
    .innerJoin('currencies', 'currencies.id', 'line.currency_id')
    .select(['line.id', 'line.tag', 'line.rail', 'line.currency_id as currencyId', 'currencies.code as currency'])
    .select(['line.occurred_on as date', 'line.amount', 'suspense.amount as left', 'line.provider_id as providerId'])
    .select(['line.payer_number as payerNumber', 'line.payer_name as payerName', 'line.details'])
    .innerJoin('persons as importer', 'importer.id', 'statements.imported_by')
    .select(['statements.imported_by as importedBy', 'importer.business_id as importerBusinessId'])
    .select(
      sql<boolean>`exists (select from journal_entries as entry
        where entry.statement_line_id = line.id and entry.kind = 'receipt')`.as('wasAssigned'),
    );
}

/** A line with money left in suspense. Amounts in minor units. */
export type WaitingLine = Awaited<ReturnType<ReturnType<typeof selectLines>['execute']>>[number];

interface WaitingPart {
  /** The statements whose lines to read; by default all. */
  readonly statementIds?: readonly number[] | undefined;
  /** The id of the line before the first one to read. */
  readonly after?: number;
  readonly limit: number;
}

/** Lines with money left in suspense, oldest first. */
export function selectWaiting(
  connection: Connection,
  { statementIds, after = 0, limit }: WaitingPart,
): Promise<WaitingLine[]> {
  const lines = selectLines(connection).where('suspense.amount', '>', 0).where('suspense.line_id', '>', after);
  return (statementIds === undefined ? lines : lines.where(sql<boolean>`line.statement_id = any(${statementIds})`))
    .orderBy('suspense.line_id')
    .limit(limit)
    .execute();
}

/**
 * Locks a line, then reads what is left of it; undefined if it was never in suspense. We use two statements, because
 * one that waits for a lock would see the other tables as they were before.
 */
export async function lockWaiting(change: Change, tag: string): Promise<WaitingLine | undefined> {
  const lock = sql`select from suspense where line_id = (select id from statement_lines where tag = ${tag}) for update`;
  const [, line] = await together(lock.execute(change), selectWaitingLine(change, tag));
  return line;
}

/** The incoming line with a key, and the entry of its arrival. */
export function selectLineOf(
  connection: Connection,
  { rail, currencyId, key }: { readonly rail: Rail; readonly currencyId: number; readonly key: string },
): Promise<{ readonly tag: string; readonly arrivalTag: string | null } | undefined> {
  return connection
    .selectFrom('statement_lines as line')
    .leftJoin('journal_entries as arrival', (join) =>
      join.onRef('arrival.statement_line_id', '=', 'line.id').on('arrival.kind', '=', 'arrival'),
    )
    .where('line.rail', '=', rail)
    .where('line.currency_id', '=', currencyId)
    .where('line.reference_key', '=', key)
    .where('line.amount', '>', 0)
    .select(['line.tag', 'arrival.tag as arrivalTag'])
    .executeTakeFirst();
}

/** The lines of these of which a person reversed a receipt: one credited from it, or a typed one that it proves. */
export async function selectReversed(
  connection: Connection,
  lineIds: readonly number[],
  personId: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(entry.statement_line_id, known.line_id) as id
    from journal_entries as counter join journal_entries as entry on entry.id = counter.reverses
      left join known_receipts as known on known.entry_id = entry.id
    where entry.kind = 'receipt' and counter.recorded_by = ${personId}
      and (entry.statement_line_id = any (${lineIds}) or known.line_id = any (${lineIds}))`.execute(connection);
  return rows.map(({ id }) => id);
}

/** The line with that tag. */
export function selectWaitingLine(connection: Connection, tag: string): Promise<WaitingLine | undefined> {
  return selectLines(connection).where('line.tag', '=', tag).executeTakeFirst();
}

/** The number of waiting lines, and their sums by currency. */
export async function selectWaitingSums(connection: Connection) {
  const { rows } = await sql<{ currency: string; lines: number; amount: string }>`
    select currencies.code as currency, count(*)::integer as lines, sum(suspense.amount)::text as amount
    from suspense join statement_lines as line on line.id = line_id join currencies on currencies.id = currency_id
    where suspense.amount > 0 group by currencies.id, currencies.code order by currencies.id`.execute(connection);
  return rows;
}

/** The columns of applications to which money may belong. */
export function selectClaimants(connection: Connection) {
  return connection
    .selectFrom('invoices')
    .innerJoin('businesses as client', 'client.id', 'invoices.business_id')
    .innerJoin('businesses as buyer', 'buyer.id', 'invoices.buyer_id')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .where('invoices.submitted_at', 'is not', null)
    .select(['invoices.id', 'invoices.tag', 'invoices.repayment_reference as reference', 'invoices.status'])
    .select(['invoices.invoice_number as invoiceNumber', 'client.name as client', 'buyer.name as buyer'])
    .select(['invoices.business_id as businessId', 'invoices.buyer_id as buyerId'])
    .select(['invoices.submitted_by as submittedBy', 'currencies.code as currency', 'invoices.face_value as faceValue'])
    .select(sql<number>`coalesce(invoices.outstanding, 0)`.as('outstanding'))
    .select([
      sql<string | null>`coalesce(invoices.paid_out_on, invoices.due_on - invoices.tenor_days)`.as('paidOutOn'),
      sql<number>`coalesce((select sum(amount) from journal_entries as entry
        where entry.invoice_id = invoices.id and entry.kind = 'receipt'), 0.00)`.as('received'),
    ]);
}

/** An application to which money may belong, for officers. */
export type ClaimantRow = Awaited<ReturnType<ReturnType<typeof selectClaimants>['execute']>>[number];

/** The applications with these repayment references. */
export async function selectByReference(connection: Connection, references: readonly string[]) {
  if (references.length === 0) return [];
  return selectClaimants(connection).where(sql<boolean>`repayment_reference = any(${references})`).execute();
}

/** The payouts by file with these references, and their applications. */
export async function selectPayouts(connection: Connection, references: readonly string[]) {
  if (references.length === 0) return [];
  return connection
    .selectFrom('transfers as transfer')
    .innerJoin('invoices', 'invoices.id', 'transfer.invoice_id')
    .innerJoin('businesses as client', 'client.id', 'invoices.business_id')
    .where(sql<boolean>`transfer.file_reference = any(${references})`)
    .where('transfer.batch_id', 'is not', null)
    .select(['transfer.file_reference as reference', 'transfer.provider_reference as paidAs'])
    .select(['invoices.tag', 'invoices.invoice_number as invoiceNumber', 'client.name as client'])
    .execute();
}
export type NamedPayout = Awaited<ReturnType<typeof selectPayouts>>[number];

/** The ids and references that can identify a payment. */
export interface PaymentNames {
  readonly rail: Rail;
  readonly currencyId: number;
  /** The provider's ids, as keys. */
  readonly keys: readonly string[];
  /** The references in the text of its lines. */
  readonly references: readonly string[];
  /** The references of its transfers. */
  readonly transfers: readonly string[];
}

/**
 * The businesses of all applications that a payment concerns: through an entry, a transfer, or a reference in its text.
 */
export async function selectConcerned(
  connection: Connection,
  { rail, currencyId, keys, references, transfers }: PaymentNames,
): Promise<{ readonly businessId: number; readonly buyerId: number; readonly submittedBy: number | null }[]> {
  const { rows } = await sql<{ businessId: number; buyerId: number; submittedBy: number | null }>`
    select business_id as "businessId", buyer_id as "buyerId", submitted_by as "submittedBy" from invoices where id in (
      select invoice_id from journal_entries as entry
        where method = ${rail} and currency_id = ${currencyId} and reference_key(entry.reference) = any(${keys})
      union select id from invoices where repayment_reference = any(${references})
      union select invoice_id from transfers
        where file_reference = any(${references}) or reference = any(${transfers}::uuid[]))`.execute(connection);
  return rows;
}

/**
 * For each line, the applications on which exactly its amount can be paid and whose client has the payer's number. The
 * lines are passed in, not read by this query: before the first ANALYZE after a large import, PostgreSQL would read all
 * lines for each application.
 */
export async function selectByAmount(connection: Connection, lines: readonly WaitingLine[]) {
  if (lines.length === 0) return [];
  const [ids, currencies] = [lines.map(({ id }) => id), lines.map(({ currencyId }) => currencyId)];
  const [amounts, numbers] = [
    lines.map(({ amount }) => minorToNumeric(amount)),
    lines.map(({ payerNumber }) => payerNumber),
  ];
  const given = sql<{ id: number; currency_id: number; amount: number; payer_number: string | null }>`
    unnest(${ids}::integer[], ${currencies}::integer[], ${amounts}::numeric[], ${numbers}::text[])`;
  return selectClaimants(connection)
    .innerJoin(given.as<'line'>(sql`line (id, currency_id, amount, payer_number)`), (join) =>
      join.onRef('line.currency_id', '=', 'invoices.currency_id').on('line.amount', '=', payable),
    )
    .where('invoices.status', '=', 'Disbursed')
    .where(
      sql<boolean>`(exists (select from persons where persons.business_id = invoices.business_id
          and line.payer_number in (persons.phone, persons.username))
        or exists (select from payout_accounts where payout_accounts.business_id = invoices.business_id
          and payout_accounts.number = line.payer_number))`,
    )
    .select('line.id as lineId')
    .execute();
}

const FOUND_AT_MOST = 10;

/** Paid out applications, by repayment reference, invoice number or client's name. */
export function searchClaimants(
  connection: Connection,
  {
    currencyId,
    phrase,
    reference,
  }: { readonly currencyId: number; readonly phrase: string; readonly reference: string },
): Promise<ClaimantRow[]> {
  const key = phrase.toLowerCase();
  return selectClaimants(connection)
    .where('invoices.currency_id', '=', currencyId)
    .where('invoices.status', 'in', ['Disbursed', 'Settled'])
    .where(
      sql<boolean>`(repayment_reference = ${reference} or lower(invoices.invoice_number) = ${key} or lower(client.name) = ${key})`,
    )
    .orderBy('invoices.status')
    .orderBy('invoices.id', 'desc')
    .limit(FOUND_AT_MOST)
    .execute();
}

interface StatementsQuery {
  /** Only imports that cover this day of an account. */
  readonly of?: { readonly rail: Rail; readonly currencyId: number; readonly day: string };
  readonly limit: number;
}

/** The newest imports, with the proposals to withdraw them. */
export function selectStatements(connection: Connection, { of, limit }: StatementsQuery) {
  const statements = connection
    .selectFrom('statements')
    .innerJoin('currencies', 'currencies.id', 'statements.currency_id')
    .innerJoin('persons', 'persons.id', 'statements.imported_by')
    .leftJoin('statement_withdrawals as withdrawal', (join) =>
      join.onRef('withdrawal.statement_id', '=', 'statements.id').on('withdrawal.dropped_at', 'is', null),
    )
    .leftJoin('persons as proposer', 'proposer.id', 'withdrawal.proposed_by')
    .leftJoin('persons as confirmer', 'confirmer.id', 'withdrawal.confirmed_by')
    .select(['withdrawal.tag as withdrawal_tag', 'withdrawal.reason', 'withdrawal.proposed_by', 'confirmed_at'])
    .select([personName('proposer').as('proposer'), personName('confirmer').as('confirmer')])
    .select(['statements.tag', 'rail', 'currencies.code as currency', 'file_name', 'from_on', 'until_on'])
    .select(['statements.account', 'line_count', 'new_count', 'received', 'sent', 'imported_at'])
    .select(
      sql<ImportedStatement['matching']>`case when ${isBeingMatched} then
        json_build_object('toMatch', ${progressOf.toMatch}, 'matched', ${progressOf.matched}) end`.as('matching'),
    )
    .select(personName('persons').as('imported_by'))
    .orderBy('statements.id', 'desc')
    .limit(limit);
  if (of === undefined) return statements.execute();
  return statements
    .where('rail', '=', of.rail)
    .where('currency_id', '=', of.currencyId)
    .where('from_on', '<=', of.day)
    .where('until_on', '>=', of.day)
    .execute();
}
