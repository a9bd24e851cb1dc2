import { type Insertable, sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import type { ComparedLines, KnownLine, LineDetails } from '#contract/statements/known-lines.ts';
import { layoutOf, type Rail } from '#contract/statements/layouts.ts';
import type { StatementLine } from '#contract/statements/read-statement.ts';
import type { Connection } from '#server/db/database.ts';
import { insertRows } from '#server/db/insert-rows.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import type { ArrivedLine } from '#server/journal/journal.service.ts';

/** The id of a currency by its code. */
export async function selectCurrency(connection: Connection, code: string): Promise<number | undefined> {
  const found = await connection.selectFrom('currencies').where('code', '=', code).select('id').executeTakeFirst();
  return found?.id;
}

/** The ids of lines, as their keys, on one account. */
interface Keys {
  readonly rail: Rail;
  readonly currencyId: number;
  readonly keys: readonly string[];
}

/**
 * Lines from earlier imports that have one of the keys and, on accounts whose lines may lack an id, lines with the same
 * days and amounts.
 */
export async function selectKnownLines(
  connection: Connection,
  { rail, currencyId, keys, lines }: Keys & { readonly lines: readonly StatementLine[] },
): Promise<KnownLine[]> {
  const stored = () =>
    connection
      .selectFrom('statement_lines')
      .where('rail', '=', rail)
      .where('currency_id', '=', currencyId)
      .select(['id as place', 'reference_key as key', 'provider_id as id', 'amount', 'occurred_on as date', 'details'])
      .select(['payer_number as payerNumber', 'payer_name as payerName']);
  const alike = layoutOf(rail).mayLackId === true ? lines : [];
  const days = alike.map(({ date }) => date);
  const amounts = alike.map(({ amount }) => minorToNumeric(amount));
  return stored()
    .where(sql<boolean>`reference_key = any(${keys})`)
    .union(
      stored().where(
        sql<boolean>`(occurred_on, amount) in (select * from unnest(${days}::date[], ${amounts}::numeric[]))`,
      ),
    )
    .execute();
}

const entryKey = sql<string>`reference_key(entry.reference)`;

function selectReceipts(connection: Connection, { rail, currencyId, keys }: Keys) {
  return connection
    .selectFrom('journal_entries as entry')
    .leftJoin('journal_entries as counter', 'counter.reverses', 'entry.id')
    .where('entry.method', '=', rail)
    .where(sql<boolean>`${entryKey} = any(${keys})`)
    .where('entry.kind', '=', 'receipt')
    .where('entry.currency_id', '=', currencyId)
    .where('entry.reverses', 'is', null)
    .where('counter.id', 'is', null);
}

/** Receipts in force that officers recorded with one of these references. */
export function selectOwnReceipts(connection: Connection, keys: Keys) {
  return selectReceipts(connection, keys)
    .where('entry.statement_line_id', 'is', null)
    .select(['entry.id', 'entry.tag', entryKey.as('key')])
    .execute();
}

/** A receipt that an officer recorded. */
export type OwnReceipt = Awaited<ReturnType<typeof selectOwnReceipts>>[number];

/** All receipts in force with one of these references, and their applications. */
export function selectCounted(connection: Connection, keys: Keys) {
  return selectReceipts(connection, keys)
    .innerJoin('invoices', 'invoices.id', 'entry.invoice_id')
    .select(['entry.tag', 'entry.amount', 'entry.invoice_id as invoiceId', 'entry.statement_line_id as lineId'])
    .select('invoices.invoice_number as invoiceNumber')
    .orderBy('entry.id')
    .execute();
}
export type CountedReceipt = Awaited<ReturnType<typeof selectCounted>>[number];

/**
 * Stores a statement; undefined if the same file was imported for the same days, and no statement of the account was
 * withdrawn since.
 */
export function insertStatement(change: Change, statement: Insertable<Tables['statements']>) {
  return change
    .insertInto('statements')
    .values({
      ...statement,
      after_withdrawal: sql`(select max(withdrawal.id) from statement_withdrawals as withdrawal
        join statements as withdrawn on withdrawn.id = withdrawal.statement_id
        where withdrawal.confirmed_at is not null and withdrawn.rail = ${statement.rail}
          and withdrawn.currency_id = ${statement.currency_id})`,
    })
    .onConflict((conflict) => conflict.constraint('statements_once').doNothing())
    .returning(['id', 'tag'])
    .executeTakeFirst();
}

/** A stored line, with the fields that its entries need. */
export interface InsertedLine extends ArrivedLine, Omit<StatementLine, 'id' | 'place'> {
  readonly rail: Rail;
  /** The provider's id. */
  readonly reference: string;
  readonly key: string;
}

/** Stores the lines of a statement, in order. */
export async function insertLines(
  change: Change,
  { id, rail, currencyId }: { readonly id: number; readonly rail: Rail; readonly currencyId: number },
  lines: readonly StatementLine[],
): Promise<InsertedLine[]> {
  if (lines.length === 0) return [];
  const rows = lines.map((line) => ({
    statement_id: id,
    rail,
    currency_id: currencyId,
    place: line.place,
    provider_id: line.id,
    occurred_on: line.date,
    amount: minorToNumeric(line.amount),
    details: line.details,
    payer_number: line.payerNumber,
    payer_name: line.payerName,
  }));
  const inserted = await insertRows(change, 'statement_lines', rows)
    .returning(['id', 'tag', 'provider_id as reference', 'occurred_on as date', 'amount', 'details'])
    .returning(['payer_number as payerNumber', 'payer_name as payerName', 'reference_key as key'])
    .execute();
  return inserted.map((row) => ({ ...row, rail, currencyId }));
}

/**
 * Stores the contradictions between statements: earlier lines that a new statement lacks, and earlier statements that
 * lack its new lines. Only for days that were over when the statement was imported, and for lines of an account that
 * the statement may cover. Returns the number of contradictions.
 */
export async function insertContradictions(
  change: Change,
  statementId: number,
  keys: readonly string[],
): Promise<number> {
  const isOfDay = sql`line.rail = statements.rail and line.currency_id = statements.currency_id
    and line.occurred_on between statements.from_on and statements.until_on
    and line.occurred_on < (statements.imported_at at time zone 'Africa/Kampala')::date
    and line.statement_id <> statements.id`;
  const mayHave = sql`(has.account = statements.account or 'all' in (has.account, statements.account))`;
  const { rows } = await sql<{ count: number }>`with kept as (insert into contradictions (statement_id, line_id)
    select statements.id, line.id from statements join statement_lines as line on ${isOfDay}
      join statements as has on has.id = line.statement_id and ${mayHave}
      where statements.id = ${statementId}
        and not exists (select from unnest(${keys}::text[]) as own (key) where own.key = line.reference_key)
    union all select statements.id, line.id from statements as has
      join standing_statements as statements on statements.rail = has.rail and statements.currency_id = has.currency_id and ${mayHave}
        and statements.from_on <= has.until_on and statements.until_on >= has.from_on
      join statement_lines as line on line.statement_id = has.id and ${isOfDay}
      where has.id = ${statementId} returning id)
    select count(*)::integer as count from kept`.execute(change);
  return rows[0]?.count ?? 0;
}

/**
 * The day of this statement's contradictions on which the most statements of its importer contradict others, and the
 * number of those statements.
 */
export async function selectWorstDay(change: Change, statementId: number) {
  const { rows } = await sql<{ day: string; statements: number }>`
    select line.occurred_on as day, count(distinct contradictions.statement_id)::integer as statements
    from statements as own
    join standing_statements as same on same.imported_by = own.imported_by and same.rail = own.rail
      and same.currency_id = own.currency_id
    join contradictions on contradictions.statement_id = same.id
    join statement_lines as line on line.id = contradictions.line_id
    where own.id = ${statementId} and line.occurred_on = any(array(select distinct kept.occurred_on
      from contradictions as found join statement_lines as kept on kept.id = found.line_id
      where found.statement_id = ${statementId}))
    group by line.occurred_on order by statements desc limit 1`.execute(change);
  return rows[0];
}

/** Stores how a statement differs about known lines, on any day. */
export async function insertContradictingLines(
  change: Change,
  { id, rail, currencyId }: { readonly id: number; readonly rail: Rail; readonly currencyId: number },
  contradicting: ComparedLines['contradicting'],
): Promise<void> {
  if (contradicting.length === 0) return;
  const column = <Value>(of: (said: LineDetails) => Value) => contradicting.map(({ said }) => of(said));
  await sql`insert into contradictions (statement_id, line_id, occurred_on, amount, payer_number, payer_name, details)
    select ${id}, line.id, said.occurred_on, said.amount, said.payer_number, said.payer_name, said.details
    from unnest(${contradicting.map(({ key }) => key)}::text[], ${column(({ date }) => date)}::date[],
        ${column(({ amount }) => minorToNumeric(amount))}::numeric[], ${column(({ payerNumber }) => payerNumber)}::text[],
        ${column(({ payerName }) => payerName)}::text[], ${column(({ details }) => details)}::text[])
      as said (key, occurred_on, amount, payer_number, payer_name, details)
    join statement_lines as line on line.rail = ${rail} and line.currency_id = ${currencyId} and line.reference_key = said.key
    on conflict do nothing`.execute(change);
}

/** Records which typed receipts the lines prove. */
export function insertKnown(change: Change, known: readonly Insertable<Tables['known_receipts']>[]): void {
  if (known.length > 0) change.send(insertRows(change, 'known_receipts', known));
}
