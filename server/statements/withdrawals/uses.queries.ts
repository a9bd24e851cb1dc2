import { type RawBuilder, sql } from 'kysely';
import { formatAmount } from '#contract/money.ts';
import { referencesIn } from '#contract/statements/matching.ts';
import { MENTIONED_AT_MOST, type Mentioned, type StatementUses } from '#contract/statements/withdrawal.ts';
import { sayDate } from '#contract/time/calendar.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';

/** Everything that depends on the lines of a statement (contract/statements/withdrawal.ts). */

/** Finds everything that a withdrawal would affect. */
export async function findUses(
  connection: Connection,
  { id, currency }: { readonly id: number; readonly currency: string },
): Promise<StatementUses> {
  const ofCase = ({ invoiceNumber, amount, applicationTag }: CaseRow) => ({
    name: `${invoiceNumber}, ${currency} ${formatAmount(amount)}`,
    applicationTag,
  });
  const ofLine = ({ reference, amount }: LineRow) => named(`${reference}, ${currency} ${formatAmount(amount)}`);
  const [credited, open, confirmed, repeats, ended, shown, closed, later] = await together(
    selectCredited(connection, id),
    selectReturns(connection, id, sql`proposal.confirmed_at is null`),
    selectReturns(connection, id, sql`proposal.confirmed_at is not null`),
    selectRepeated(connection, id),
    selectEnded(connection, id),
    selectShownPaid(connection, id),
    selectClosedDays(connection, id),
    selectLaterFiles(connection, id),
  );
  return {
    credited: mention(credited, ofCase),
    returnOpen: mention(open, ofLine),
    repeat: mention(repeats, ofLine),
    returned: mention(confirmed, ofLine),
    paid: mention(ended, ofCase),
    closedDay: mention(closed, ({ day }) => named(sayDate(day))),
    payout: mention(shown, ofCase),
    importAgain: mention(later, ({ fileName }) => named(fileName)),
  };
}

type Mention = Mentioned['first'][number];

function named(name: string): Mention {
  return { name, applicationTag: null };
}

function mention<Row>(rows: readonly Row[], present: (row: Row) => Mention): Mentioned {
  return { total: rows.length, first: rows.slice(0, MENTIONED_AT_MOST).map(present) };
}

interface CaseRow {
  readonly applicationTag: string;
  readonly invoiceNumber: string;
  readonly amount: number;
}

interface LineRow {
  readonly reference: string;
  readonly amount: number;
}

async function rowsOf<Row>(connection: Connection, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(connection)).rows;
}

const isInForce = sql`entry.reverses is null
  and not exists (select from journal_entries as counter where counter.reverses = entry.id)`;

/** Receipts in force from the statement's lines, credited by Kasente or by an officer. */
function selectCredited(connection: Connection, id: number): Promise<CaseRow[]> {
  return rowsOf(
    connection,
    sql<CaseRow>`select invoices.tag as "applicationTag", invoices.invoice_number as "invoiceNumber", entry.amount
      from statement_lines as line join journal_entries as entry on entry.statement_line_id = line.id
        and entry.kind = 'receipt' and ${isInForce}
      join invoices on invoices.id = entry.invoice_id where line.statement_id = ${id} order by entry.id`,
  );
}

/** Proposals, confirmed or open, to send back money of the statement's lines. */
function selectReturns(connection: Connection, id: number, which: RawBuilder<unknown>): Promise<LineRow[]> {
  return rowsOf(
    connection,
    sql<LineRow>`select line.provider_id as reference, proposal.amount
      from statement_lines as line join suspense_returns as proposal on proposal.line_id = line.id
      where line.statement_id = ${id} and proposal.dropped_at is null and ${which} order by proposal.id`,
  );
}

/** Lines of other statements that do not count while the statement's lines may be the same payments. */
function selectRepeated(connection: Connection, id: number): Promise<LineRow[]> {
  return rowsOf(
    connection,
    sql<LineRow>`select line.provider_id as reference, line.amount
      from possible_repeats as repeat join statement_lines as own on own.id = repeat.of_line_id
      join statement_lines as line on line.id = repeat.line_id
      where own.statement_id = ${id} and line.statement_id <> ${id} and repeat.is_same is distinct from false
      order by line.id`,
  );
}

/** Payouts by file that ended as paid and that a line of the statement names; see paid-payouts.service.ts. */
async function selectEnded(connection: Connection, id: number): Promise<CaseRow[]> {
  const rows = await rowsOf(
    connection,
    sql<CaseRow & { reference: string; details: string }>`
      select invoices.tag as "applicationTag", invoices.invoice_number as "invoiceNumber", transfer.amount,
        transfer.file_reference as reference, line.details
      from statement_lines as line join currencies on currencies.id = line.currency_id
      join transfers as transfer on transfer.amount = -line.amount and transfer.currency = currencies.code
        and transfer.batch_id is not null and transfer.known_at is not null and transfer.entry_tag is not null
      join invoices on invoices.id = transfer.invoice_id
      where line.statement_id = ${id} and line.rail = 'bank' order by transfer.id`,
  );
  return rows.filter(({ reference, details }) => referencesIn(details).sound.includes(reference));
}

/** Payments in force to clients under the reference of one of the statement's outgoing lines. */
function selectShownPaid(connection: Connection, id: number): Promise<CaseRow[]> {
  return rowsOf(
    connection,
    sql<CaseRow>`select invoices.tag as "applicationTag", invoices.invoice_number as "invoiceNumber", entry.amount
      from statement_lines as line join journal_entries as entry on entry.method = line.rail
        and entry.currency_id = line.currency_id and reference_key(entry.reference) = line.reference_key
        and entry.kind in ('disbursement', 'surplus') and ${isInForce}
      join invoices on invoices.id = entry.invoice_id
      where line.statement_id = ${id} and line.amount < 0 order by entry.id`,
  );
}

/** Closed days on which the statement has lines. */
function selectClosedDays(connection: Connection, id: number): Promise<{ day: string }[]> {
  return rowsOf(
    connection,
    sql<{
      day: string;
    }>`select closed.day from reconciled_days as closed where exists (select from statement_lines as line
      where line.statement_id = ${id} and line.rail = closed.rail and line.currency_id = closed.currency_id
        and line.occurred_on = closed.day) order by closed.day`,
  );
}

/** Later statements for some of the same days with lines that had already counted. */
function selectLaterFiles(connection: Connection, id: number): Promise<{ fileName: string }[]> {
  return rowsOf(
    connection,
    sql<{ fileName: string }>`select later.file_name as "fileName" from standing_statements as later
      join statements as own on own.rail = later.rail and own.currency_id = later.currency_id and own.id < later.id
        and own.from_on <= later.until_on and own.until_on >= later.from_on
      where own.id = ${id} and own.new_count > 0 and later.new_count < later.line_count order by later.id`,
  );
}
