import { sql } from 'kysely';
import type { ContradictedLine, Contradiction } from '#contract/statements/reconciliation.ts';
import type { Connection } from '#server/db/database.ts';
import { personName } from '#server/sessions/person-name.ts';
import type { AccountDays } from './reconciliation.queries.ts';

/** The most lines that are shown of one contradiction. */
const LINES_SHOWN = 10;

const importedOn = sql`(imported_at at time zone 'Africa/Kampala')::date`;
const words = (table: string) => sql`json_build_object('date', ${sql.ref(`${table}.occurred_on`)},
  'amount', (${sql.ref(`${table}.amount`)} * 100)::bigint, 'payerNumber', ${sql.ref(`${table}.payer_number`)},
  'payerName', ${sql.ref(`${table}.payer_name`)}, 'details', ${sql.ref(`${table}.details`)})`;

/**
 * Whether a line is a payment of its own, not one that may repeat another: some statements list a pending payment with
 * another id, or none.
 */
const isCountable = sql`not exists (select from possible_repeats as repeat
  where repeat.line_id = line.id and repeat.is_same is distinct from false)`;

/**
 * Contradictions between statements on some days of an account, one for each pair of statements and day. Several files
 * of one officer for the same days of an account are parts of one statement; it lacks a line if all the parts imported
 * after the day was over lack it. PostgreSQL counts the lines, because a pair may have thousands.
 */
export async function selectContradictions(
  connection: Connection,
  { rail, currencyId, days }: AccountDays,
  { withLineIds = false } = {},
): Promise<Contradiction[]> {
  const { rows } = await sql<PairRow>`
    with whole as materialized (
      select id, account, ${importedOn} as imported_on, from_on, until_on,
        min(id) over (partition by account, from_on, until_on, imported_by) as whole_id
      from standing_statements where rail = ${rail} and currency_id = ${currencyId}),
    part as (
      select whole_id, day, count(*) as parts from whole
      join unnest(${days}::date[]) as day on day between from_on and until_on and day < imported_on
      group by whole_id, day),
    found as materialized (
      select line.id as line_id, contradictions.id, contradictions.statement_id,
        contradictions.amount is null as is_lacking
      from statement_lines as line join contradictions on contradictions.line_id = line.id
      where line.rail = ${rail} and line.currency_id = ${currencyId} and line.occurred_on = any(${days}::date[])
        and ${isCountable}),
    lacking_once as materialized (
      select line_id, other.whole_id as other_id, count(*) as parts, max(found.id) as id,
        max(statement_id) as statement_id
      from found join whole as other on other.id = statement_id where is_lacking group by line_id, other.whole_id),
    lacking as (
      select lacking_once.*, line.amount as line_amount, line.occurred_on as day, has.whole_id as has_id,
        has.account as has_account, other.account as other_account
      from lacking_once join statement_lines as line on line.id = line_id join whole as has on has.id = line.statement_id
      join whole as other on other.id = other_id
      join part on part.whole_id = other_id and part.day = line.occurred_on and part.parts = lacking_once.parts
      where has.whole_id <> other_id),
    -- A line of both accounts is lacking once a statement of both lacks it, or one of each.
    really as (
      select *, has_account <> 'all' or bool_or(other_account = 'all') over by_line
        or min(other_account) over by_line <> max(other_account) over by_line as is_real
      from lacking window by_line as (partition by line_id)),
    otherwise as (
      select contradictions.id, line.id as line_id, line.amount as line_amount, line.occurred_on as day,
        has.whole_id as has_id, other.whole_id as other_id, contradictions.statement_id,
        concat_ws('|', line.id, contradictions.occurred_on, contradictions.amount, contradictions.payer_number,
          contradictions.payer_name, contradictions.details) as words
      from found join contradictions on contradictions.id = found.id
      join statement_lines as line on line.id = found.line_id
      join whole as has on has.id = line.statement_id
      join whole as other on other.id = contradictions.statement_id where not is_lacking),
    pair as (
      select day, has_id, other_id, true as is_lacking, count(*) as lines, sum(line_amount) as amount,
        md5(string_agg(line_id::text, ' ' order by line_id)) as digest, max(statement_id) as statement_id,
        array_agg(id order by line_id) as ids, array_agg(line_id) as line_ids
      from really where is_real group by day, has_id, other_id
      union all
      select day, has_id, other_id, false, count(distinct line_id), sum(line_amount) filter (where is_first),
        md5(string_agg(words, ' ' order by line_id, words)), max(statement_id),
        array_agg(id order by line_id, id), array_agg(line_id)
      from (select *, row_number() over (partition by has_id, other_id, line_id order by id) = 1 as is_first,
          row_number() over (partition by has_id, other_id, words order by id) as repeat from otherwise) as counted
      where repeat = 1 group by day, has_id, other_id)
    select pair.day as date, pair.is_lacking as "isLacking", pair.lines::integer as "lineCount", pair.amount, pair.digest,
      array[has.imported_by] as "recordedBy",
      case when ${withLineIds} then pair.line_ids else '{}' end as "lineIds", shown.lines,
      has.tag as "hasTag", has.account as "hasAccount", has.file_name as "hasFile", has.imported_at as "hasAt",
      ${personName('hasBy')} as "hasName",
      other.tag as "otherTag", other.account as "otherAccount", other.file_name as "otherFile",
      other.imported_at as "otherAt", ${personName('otherBy')} as "otherName"
    from pair
    join lateral (select json_agg(json_build_object('reference', line.provider_id, 'ours', ${words('line')},
          'other', case when contradictions.amount is null then null else ${words('contradictions')} end)
          order by line.id, contradictions.id) as lines, min(line.statement_id) as has_statement
        from contradictions join statement_lines as line on line.id = contradictions.line_id
        where contradictions.id = any(pair.ids[1:${sql.lit(LINES_SHOWN)}])) as shown on true
    join statements as has on has.id = shown.has_statement
    join persons as "hasBy" on "hasBy".id = has.imported_by
    join statements as other on other.id = pair.statement_id
    join persons as "otherBy" on "otherBy".id = other.imported_by
    order by pair.ids[1], other.id`.execute(connection);
  return rows.map(presentPair);
}

interface PairRow extends Omit<Contradiction, 'imports' | 'lines'> {
  readonly lines: readonly ContradictedLine[];
  readonly hasTag: string;
  readonly hasAccount: Contradiction['imports'][0]['account'];
  readonly hasFile: string;
  readonly hasAt: Date;
  readonly hasName: string;
  readonly otherTag: string;
  readonly otherAccount: Contradiction['imports'][0]['account'];
  readonly otherFile: string;
  readonly otherAt: Date;
  readonly otherName: string;
}

function presentPair({ hasTag, hasAccount, hasFile, hasAt, hasName, ...row }: PairRow): Contradiction {
  const { otherTag, otherAccount, otherFile, otherAt, otherName, ...contradiction } = row;
  return {
    ...contradiction,
    imports: [
      { tag: hasTag, account: hasAccount, fileName: hasFile, importedAt: hasAt, by: hasName },
      { tag: otherTag, account: otherAccount, fileName: otherFile, importedAt: otherAt, by: otherName },
    ],
  };
}
