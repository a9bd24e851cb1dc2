import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/**
 * Compares the lines of statements, their entries and the amounts in suspense with the events of the lines
 * (docs/decisions/0050-money-that-comes.md). Returns one sentence for each difference.
 */
export function verifyArrivals(connection: Connection): Promise<string[]> {
  return differencesOf(connection, 'arrival', comparisons);
}

/** A description of a difference, and a query for the rows that have it. */
export type Comparison = readonly [what: string, query: RawBuilder<{ tag: string }>];

/** Runs comparisons. Returns one sentence for each difference. */
export async function differencesOf(
  connection: Connection,
  subject: string,
  compared: readonly Comparison[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, query] of compared) {
    const { rows } = await query.execute(connection);
    faults.push(...rows.map(({ tag }) => `${subject} ${tag}: ${what}`));
  }
  return faults;
}

const SHOWN = sql`limit 50`;
const minor = (column: string) => sql`(${sql.ref(column)} * 100)::bigint::text`;

/** The event of an imported line. */
const imported = sql`audit_events as event on event.subject_tag = line.tag and event.action = 'statementLine.imported'`;

/** An entry as its event records it. */
const logged = sql`event.after -> 'entry'`;
const loggedLines = sql`(select string_agg(key || ' ' || value, ', ' order by key collate "C")
  from jsonb_each_text(${logged} -> 'lines'))`;
const ownLines = sql`(select string_agg(account || ' ' || ${minor('amount')}, ', ' order by account collate "C")
  from journal_lines where entry_id = entry.id)`;
const eventOfEntry = sql`audit_events as event on event.subject_type = 'statementLine'
  and event.subject_tag = line.tag and ${logged} ->> 'tag' = entry.tag::text`;

const withdrawal = sql`left join statement_withdrawals as withdrawal
  on withdrawal.statement_id = line.statement_id and withdrawal.confirmed_at is not null`;
const withdrawn = sql`audit_events as event on event.subject_type = 'statementLine' and event.subject_tag = line.tag
  and event.action = 'statementLine.withdrawn'`;

const comparisons: readonly Comparison[] = [
  [
    'the audit log contradicts this line or lacks it',
    sql`select line.tag from imported_lines as line left join ${imported}
      where event.id is null
        or (event.after ->> 'rail', event.after ->> 'id', event.after ->> 'date', event.after ->> 'amount')
          is distinct from (rail, provider_id, occurred_on::text, ${minor('line.amount')})
        or (event.after ->> 'payerNumber', event.after ->> 'payerName', event.after ->> 'details')
          is distinct from (payer_number, payer_name, details) ${SHOWN}`,
  ],
  [
    'the line is in the audit log, but not in the database',
    sql`select subject_tag as tag from audit_events where subject_type = 'statementLine'
      and action = 'statementLine.imported' and not exists (select from imported_lines where tag = subject_tag) ${SHOWN}`,
  ],
  [
    'the audit log contradicts its entry or lacks it',
    sql`select line.tag from journal_entries as entry join imported_lines as line on line.id = entry.statement_line_id
      left join ${eventOfEntry}
      where entry.invoice_id is null and (event.id is null
        or (${logged} ->> 'kind', ${logged} ->> 'amount', ${logged} ->> 'paid_on', ${logged} ->> 'method', ${logged} ->> 'reference')
          is distinct from (entry.kind, ${minor('entry.amount')}, entry.occurred_on::text, entry.method, entry.reference)
        or ${loggedLines} is distinct from ${ownLines}
        or ${logged} ->> 'reverses' is distinct from (select tag::text from journal_entries where id = entry.reverses)) ${SHOWN}`,
  ],
  [
    'an entry of it is in the audit log, but not in the database',
    sql`select subject_tag as tag from audit_events as event
      where subject_type = 'statementLine' and ${logged} ->> 'tag' is not null
        and not exists (select from journal_entries as entry where entry.tag::text = ${logged} ->> 'tag') ${SHOWN}`,
  ],
  [
    'its amount in suspense differs from the journal',
    sql`select line.tag from imported_lines as line
      left join (select statement_line_id as line_id, -sum(journal_lines.amount) as amount from journal_entries
        join journal_lines on entry_id = journal_entries.id and account = 'suspense'
        where statement_line_id is not null group by 1) as posted on posted.line_id = line.id
      left join suspense on suspense.line_id = line.id
      where coalesce(posted.amount, 0) <> coalesce(suspense.amount, 0) ${SHOWN}`,
  ],
  [
    'the audit log contradicts whether it repeats another line',
    sql`select line.tag from possible_repeats as repeat join imported_lines as line on line.id = repeat.line_id
      join imported_lines as other on other.id = repeat.of_line_id left join ${imported}
      left join lateral (select after ->> 'isSame' as is_same from audit_events where subject_type = 'statementLine'
        and subject_tag = line.tag and action = 'statementLine.repeatAnswered' order by id desc limit 1) as answer on true
      where event.after ->> 'repeats' is distinct from other.tag::text
        or repeat.is_same::text is distinct from answer.is_same ${SHOWN}`,
  ],
  [
    'it may repeat another line according to the audit log, but not in the database',
    sql`select line.tag from imported_lines as line join ${imported} where event.after ->> 'repeats' is not null
      and not exists (select from possible_repeats where line_id = line.id) ${SHOWN}`,
  ],
  [
    'called another payment by the officer who imported it',
    sql`select said.subject_tag as tag from audit_events as said join audit_events as event
        on event.subject_tag = said.subject_tag and event.action = 'statementLine.imported' and event.actor_tag = said.actor_tag
      where said.subject_type = 'statementLine' and said.action = 'statementLine.repeatAnswered'
        and said.after ->> 'isSame' = 'false' ${SHOWN}`,
  ],
  [
    'sent back by the officer who proposed it',
    sql`select sent.subject_tag as tag from audit_events as sent join audit_events as event
        on event.subject_tag = sent.subject_tag and event.action = 'statementLine.returnProposed'
        and event.after ->> 'proposal' = sent.after ->> 'proposal' and event.actor_tag = sent.actor_tag
      where sent.subject_type = 'statementLine' and sent.action = 'statementLine.returned' ${SHOWN}`,
  ],
  [
    'its statement is withdrawn, but the audit log contradicts that or lacks it',
    sql`select line.tag from imported_lines as line ${withdrawal} left join ${withdrawn}
      where withdrawal.id is not null and event.after ->> 'proposal' is distinct from withdrawal.tag::text ${SHOWN}`,
  ],
  [
    'its statement is withdrawn according to the audit log, but not in the database',
    sql`select line.tag from imported_lines as line ${withdrawal} join ${withdrawn} where withdrawal.id is null ${SHOWN}`,
  ],
  [
    'its statement is withdrawn, but it is in suspense',
    sql`select line.tag from imported_lines as line ${withdrawal} join suspense on suspense.line_id = line.id
      where withdrawal.id is not null and suspense.amount <> 0 ${SHOWN}`,
  ],
  [
    'withdrawn by the officer who proposed it',
    sql`select done.subject_tag as tag from audit_events as done join audit_events as event
        on event.subject_type = 'statement' and event.subject_tag = done.subject_tag
        and event.action = 'statement.withdrawalProposed' and event.after ->> 'proposal' = done.after ->> 'proposal'
        and event.actor_tag = done.actor_tag
      where done.subject_type = 'statement' and done.action = 'statement.withdrawn' ${SHOWN}`,
  ],
  [
    'sent back by the officer who imported it',
    sql`select sent.subject_tag as tag from audit_events as sent join audit_events as event
        on event.subject_tag = sent.subject_tag and event.action = 'statementLine.imported' and event.actor_tag = sent.actor_tag
      where sent.subject_type = 'statementLine' and sent.action = 'statementLine.returned' ${SHOWN}`,
  ],
];
