import { type Insertable, sql } from 'kysely';
import { cashAccounts } from '#contract/journal/accounts.ts';
import { type Rail, railCodes } from '#contract/statements/layouts.ts';
import type { CountedLine, Movement } from '#contract/statements/reconciliation.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** An account of ours. */
export interface OwnAccount {
  readonly rail: Rail;
  readonly currency: string;
  readonly currencyId: number;
}

/** One of our accounts and the days to read, without repeats. */
export interface AccountDays extends OwnAccount {
  readonly days: readonly string[];
}

const entryKey = sql`reference_key(entry.reference)`;

/**
 * The people behind an entry: its recorder; for an automatic credit, the importer; for a payout ended by hand, both
 * officers too.
 */
const recorders = sql`array(select coalesce(entry.recorded_by, (select imported_by from statements
    join imported_lines as line on line.statement_id = statements.id where line.id = entry.statement_line_id)) as person
  union select unnest(array[proposed_by, confirmed_by]) from transfer_endings as ending
    join transfers as transfer on transfer.id = ending.transfer_id
    where transfer.entry_tag = entry.tag and ending.confirmed_at is not null)`;

/** A line with its details. */
export interface Line extends Movement {
  readonly id: number;
  readonly details: string;
}

/** Both sides of an account on some days, with counterparts dated on other days. */
export async function selectSides(connection: Connection, account: AccountDays) {
  const { rail, currencyId, days } = account;
  const cash = sql`journal_entries as entry join journal_lines as posted on posted.entry_id = entry.id
    and posted.account = ${cashAccounts[rail]}
    where entry.currency_id = ${currencyId} and entry.method = ${rail}`;
  const keys = sql`select reference_key from statement_lines
      where rail = ${rail} and currency_id = ${currencyId} and occurred_on = any(${days}::date[])
    union select ${entryKey} from ${cash} and entry.occurred_on = any(${days}::date[])`;
  const [lines, entries] = await together(
    sql<Line>`select line.id, provider_id as reference, occurred_on as date, amount, imported_at as "recordedAt",
        '{}'::integer[] as "recordedBy", line.details
      from statement_lines as line join statements on statements.id = line.statement_id
      where line.rail = ${rail} and line.currency_id = ${currencyId} and reference_key in (${keys})
        and not exists (select from possible_repeats as repeat where repeat.line_id = line.id and repeat.is_same)
      order by line.id`.execute(connection),
    sql<Movement>`select entry.reference, entry.occurred_on as date, posted.amount, entry.recorded_at as "recordedAt",
        array_remove(${recorders}, null) as "recordedBy" from ${cash} and ${entryKey} in (${keys}) order by entry.id`.execute(
      connection,
    ),
  );
  return { lines: lines.rows, entries: entries.rows };
}

/** A payout that two officers ended as not paid: the references by which a line may name it, and the two officers. */
export interface EndedUnpaid {
  readonly reference: string;
  readonly number: string | null;
  readonly recordedBy: readonly number[];
}

/** Payouts to accounts at a provider, by file or over a rail, that officers ended as not paid. There are few. */
export async function selectEndedUnpaid(connection: Connection, { rail, currency }: OwnAccount) {
  const { rows } = await sql<EndedUnpaid>`
    select transfer.file_reference as reference, record.provider_reference as number,
      array_remove(array[payout.released_by, ending.proposed_by, ending.confirmed_by], null) as "recordedBy"
    from transfer_endings as ending join transfers as transfer on transfer.id = ending.transfer_id
    join payouts as payout on payout.id = transfer.payout_id
    join payout_accounts as account on account.id = payout.account_id
    left join provider_records as record on record.transfer_id = transfer.id
    where ending.outcome = 'notPaid' and ending.confirmed_at is not null
      and account.provider = ${rail} and transfer.currency = ${currency}`.execute(connection);
  return rows;
}

/** An incoming line, with a receipt in force for it. */
export interface CountedRow extends Omit<CountedLine, 'on' | 'names'> {
  readonly details: string;
  readonly tag: string;
  readonly invoiceNumber: string;
}

/** Lines of some days with their receipts: typed before the import, or credited from suspense. */
export async function selectCountedLines(connection: Connection, { rail, currencyId, days }: AccountDays) {
  const { rows } = await sql<CountedRow>`
    select line.provider_id as reference, line.occurred_on as date, line.amount, line.details, entry.amount as counted,
      entry.recorded_at as "recordedAt", array_remove(array[entry.recorded_by], null) as "recordedBy",
      invoices.tag, invoices.invoice_number as "invoiceNumber"
    from statement_lines as line
    join (select line_id, entry_id from known_receipts
      union all select statement_line_id, id from journal_entries where statement_line_id is not null) as counts
      on counts.line_id = line.id
    join journal_entries as entry on entry.id = counts.entry_id and entry.kind = 'receipt' and entry.reverses is null
    join invoices on invoices.id = entry.invoice_id
    where line.rail = ${rail} and line.currency_id = ${currencyId} and line.occurred_on = any(${days}::date[])
      and not exists (select from journal_entries as counter where counter.reverses = entry.id)
    order by entry.id`.execute(connection);
  return rows;
}

/** The days that a statement covers, leaving out withdrawn ones. */
export async function selectCovered(connection: Connection, { rail, currencyId, days }: AccountDays) {
  const { rows } = await sql<{ day: string }>`select asked.day from unnest(${days}::date[]) as asked (day)
    where exists (select from standing_statements where rail = ${rail} and currency_id = ${currencyId}
      and asked.day between from_on and until_on)`.execute(connection);
  return rows.map(({ day }) => day);
}

/** The closed days of an account. */
export function selectClosed(connection: Connection, { rail, currencyId, days }: AccountDays) {
  return connection
    .selectFrom('reconciled_days as closed')
    .innerJoin('persons', 'persons.id', 'closed.closed_by')
    .where('closed.rail', '=', rail)
    .where('closed.currency_id', '=', currencyId)
    .where(sql<boolean>`closed.day = any(${days}::date[])`)
    .select(['closed.day', 'closed.closed_at as at', personName('persons').as('by')])
    .select(['closed.by_statement as byStatement', 'closed.by_journal as byJournal'])
    .execute();
}

/** Explained differences on some days of an account. */
export function selectExplained(connection: Connection, { rail, currencyId, days }: AccountDays) {
  return connection
    .selectFrom('explained_differences as explained')
    .innerJoin('persons', 'persons.id', 'explained.explained_by')
    .where('explained.rail', '=', rail)
    .where('explained.currency_id', '=', currencyId)
    .where(sql<boolean>`explained.day = any(${days}::date[])`)
    .select(['explained.day', 'explained.difference', 'explained.reason', 'explained.explained_by as byId'])
    .select(personName('persons').as('by'))
    .execute();
}

/** The accounts that have had a statement. */
export async function selectAccounts(connection: Connection): Promise<OwnAccount[]> {
  return connection
    .selectFrom('statements')
    .innerJoin('currencies', 'currencies.id', 'statements.currency_id')
    .select(['statements.rail', 'currencies.code as currency', 'currencies.id as currencyId'])
    .distinct()
    .orderBy('statements.rail')
    .orderBy('currencies.code')
    .execute();
}

/**
 * The dates of entries, lines and contradictions recorded since `since`, and of lines withdrawn since then. Covers
 * every account, once there is a statement.
 */
export async function selectTouched(connection: Connection, since: string) {
  const start = sql`${since}::date::timestamp at time zone 'Africa/Kampala'`;
  const { rows } = await sql<OwnAccount & { day: string }>`
    select distinct touched.rail, currencies.code as currency, currencies.id as "currencyId", touched.day
    from (select method as rail, currency_id, occurred_on as day from journal_entries
        where recorded_at >= ${start} and method = any(${railCodes}) and exists (select from statements)
      union all select line.rail, line.currency_id, line.occurred_on from statements
        join statement_lines as line on line.statement_id = statements.id where imported_at >= ${start}
      union all select line.rail, line.currency_id, line.occurred_on from standing_statements as statements
        join contradictions on contradictions.statement_id = statements.id
        join statement_lines as line on line.id = contradictions.line_id where imported_at >= ${start}
      union all select line.rail, line.currency_id, line.occurred_on from statement_withdrawals as withdrawal
        join imported_lines as line on line.statement_id = withdrawal.statement_id
        where withdrawal.confirmed_at >= ${start}) as touched
    join currencies on currencies.id = touched.currency_id
    order by touched.rail, currency, touched.day`.execute(connection);
  return rows;
}

/** Whether officers have been notified on a day. */
export async function wasNotified(connection: Connection, day: string): Promise<boolean> {
  const news = connection.selectFrom('reconciliation_news').where('day', '=', day);
  return (await news.select('day').executeTakeFirst()) !== undefined;
}

/** Records that officers were notified on a day. Returns false if another server has already notified them. */
export async function recordNotified(change: Change, day: string, at: Date, differences: number): Promise<boolean> {
  const news = { day, told_at: at, differences };
  const kept = await change
    .insertInto('reconciliation_news')
    .values(news)
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst();
  return kept !== undefined;
}

/** Stores an explanation. */
export function insertExplanation(change: Change, row: Insertable<Tables['explained_differences']>): void {
  change.send(change.insertInto('explained_differences').values(row));
}

/** Records that a day is closed. */
export function insertClosed(change: Change, row: Insertable<Tables['reconciled_days']>): void {
  change.send(change.insertInto('reconciled_days').values(row));
}
