import { sql } from 'kysely';
import type { ComparedLines } from '#contract/statements/known-lines.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** Lines that may be the same payment as another line. */

interface InsertedRepeat {
  readonly key: string;
  /** The tag of the line that it may repeat. */
  readonly of: string;
}

/** Stores which new lines may repeat another line. Both lines must be stored already. */
export async function insertRepeats(
  change: Change,
  { rail, currencyId }: { readonly rail: Rail; readonly currencyId: number },
  repeats: ComparedLines['repeats'],
): Promise<InsertedRepeat[]> {
  if (repeats.length === 0) return [];
  const lineOf = (key: string) => sql`(select min(id) from statement_lines
    where rail = ${rail} and currency_id = ${currencyId} and reference_key = given.${sql.ref(key)})`;
  const { rows } = await sql<InsertedRepeat>`
    with given as (select * from unnest(${repeats.map(({ key }) => key)}::text[], ${repeats.map(({ of }) => of)}::text[])
        as given (key, of_key)),
      stored as (insert into possible_repeats (line_id, of_line_id) select ${lineOf('key')}, ${lineOf('of_key')} from given
        returning line_id, of_line_id)
    select line.reference_key as key, other.tag as of from stored
      join statement_lines as line on line.id = line_id join statement_lines as other on other.id = of_line_id`.execute(
    change,
  );
  return rows;
}

function selectRepeats(connection: Connection) {
  return connection
    .selectFrom('possible_repeats as repeat')
    .innerJoin('statement_lines as line', 'line.id', 'repeat.line_id')
    .innerJoin('statement_lines as other', 'other.id', 'repeat.of_line_id')
    .innerJoin('statements as source', 'source.id', 'line.statement_id')
    .innerJoin('statements as otherSource', 'otherSource.id', 'other.statement_id')
    .innerJoin('currencies', 'currencies.id', 'line.currency_id')
    .leftJoin('persons', 'persons.id', 'repeat.answered_by')
    .select(['line.id', 'line.tag', 'line.rail', 'line.currency_id as currencyId', 'currencies.code as currency'])
    .select(['line.occurred_on as date', 'line.amount', 'line.provider_id as providerId', 'line.details'])
    .select(['line.payer_name as payerName', 'source.file_name as fileName', 'source.imported_by as importedBy'])
    .select(['other.provider_id as otherId', 'other.details as otherDetails', 'other.payer_name as otherPayer'])
    .select(['otherSource.file_name as otherFile', 'repeat.is_same as isSame'])
    .select(sql<string | null>`case when repeat.is_same then ${personName('persons')} end`.as('saidBy'))
    .select(
      sql<{ tag: string; invoiceNumber: string }[]>`coalesce((select jsonb_agg(distinct jsonb_build_object(
          'tag', invoices.tag, 'invoiceNumber', invoices.invoice_number))
        from journal_entries as entry join invoices on invoices.id = entry.invoice_id
        where (entry.statement_line_id = other.id
            or entry.id in (select entry_id from known_receipts where line_id = other.id))
          and entry.kind = 'receipt' and entry.reverses is null
          and not exists (select from journal_entries as counter where counter.reverses = entry.id)), '[]')`.as('on'),
    );
}

/** A line that may repeat another one. */
export type RepeatRow = Awaited<ReturnType<ReturnType<typeof selectRepeats>['execute']>>[number];

/** Repeats that no officer has answered, and those declared the same since a moment, oldest first. */
export function selectOpenRepeats(
  connection: Connection,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<RepeatRow[]> {
  return selectRepeats(connection)
    .where((where) =>
      where.or([
        where('repeat.is_same', 'is', null),
        where.and([where('repeat.is_same', '=', true), where('repeat.answered_at', '>=', since)]),
      ]),
    )
    .orderBy('repeat.is_same', (order) => order.asc().nullsFirst())
    .orderBy('line.id')
    .limit(limit)
    .execute();
}

/** Locks the open question about a line; undefined if there is none. */
export async function lockRepeat(change: Change, tag: string): Promise<RepeatRow | undefined> {
  await sql`select from possible_repeats
    where line_id = (select id from statement_lines where tag = ${tag}) for update`.execute(change);
  return selectRepeats(change).where('line.tag', '=', tag).executeTakeFirst();
}

/** Stores an officer's answer. */
export function updateRepeat(
  change: Change,
  lineId: number,
  answer: { readonly is_same: boolean; readonly answered_at: Date; readonly answered_by: number },
): void {
  change.send(change.updateTable('possible_repeats').set(answer).where('line_id', '=', lineId));
}
