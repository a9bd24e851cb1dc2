import { sql } from 'kysely';
import type { AccountCode } from '#contract/journal/accounts.ts';
import type { OutsideKind, PostedKind } from '#contract/journal/position.ts';
import type { Connection } from '#server/db/database.ts';

/** Reads the journal for people. Sums are decimal text, because they may exceed the safe range of a number. */

interface LineRow {
  readonly tag: string;
  readonly kind: PostedKind | OutsideKind;
  readonly isReversal: boolean;
  readonly date: string;
  readonly account: AccountCode;
  readonly amount: string;
  readonly balance: string;
}

const entryColumns = sql`entry.tag, entry.kind, entry.reverses is not null as "isReversal", entry.occurred_on as date`;

/** The lines of an invoice by date, each with its account's balance after it. */
export async function selectApplicationLines(connection: Connection, invoiceId: number): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select ${entryColumns}, account, line.amount::text as amount,
      sum(line.amount) over (partition by account order by occurred_on, entry.id)::text as balance
    from journal_entries as entry join journal_lines as line on entry_id = entry.id
    where invoice_id = ${invoiceId} order by occurred_on, entry.id, account`.execute(connection);
  return rows;
}

/** The account and the page of its lines. */
export interface AccountPage {
  readonly account: AccountCode;
  readonly currency: string;
  /** The tag of the entry before which the page begins. */
  readonly before: string | undefined;
  readonly limit: number;
}

type AccountRow = Omit<LineRow, 'account'> & {
  /** Null for an entry that belongs to no application. */
  readonly applicationTag: string | null;
  readonly invoiceNumber: string | null;
  readonly client: string | null;
  readonly clientTag: string | null;
  readonly reference: string | null;
};

/** A page of an account's lines by date, the newest first. */
export async function selectAccountLines(connection: Connection, { account, currency, before, limit }: AccountPage) {
  const lines = sql`journal_lines as line join journal_entries as entry on entry.id = entry_id
      where account = ${account} and currency_id = (select id from currencies where code = ${currency})`;
  const end =
    before === undefined
      ? sql``
      : sql`and (occurred_on, id) < (select occurred_on, id
        from journal_entries where tag = ${before})`;
  const { rows } = await sql<AccountRow>`
    with page as (
      select entry.*, line.amount as posted from ${lines} ${end} order by occurred_on desc, id desc limit ${limit}),
    total as (select sum(line.amount) as amount from ${lines}
      and (occurred_on, id) <= (select occurred_on, id from page order by occurred_on desc, id desc limit 1))
    select ${entryColumns}, invoices.tag as "applicationTag", invoices.invoice_number as "invoiceNumber",
      client.name as client, client.tag as "clientTag", entry.reference, posted::text as amount,
      (total.amount - coalesce(sum(posted) over (order by occurred_on desc, entry.id desc
        rows between unbounded preceding and 1 preceding), 0))::text as balance
    from page as entry cross join total
      left join invoices on invoices.id = entry.invoice_id
      left join businesses as client on client.id = invoices.business_id
    order by occurred_on desc, entry.id desc`.execute(connection);
  return rows;
}

interface BalanceRow {
  readonly currency: string;
  readonly account: AccountCode;
  readonly balance: string;
}

/** The balance of each account at the end of a day. */
export async function selectBalances(connection: Connection, on: string): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    select currencies.code as currency, account, sum(line.amount)::text as balance
    from journal_lines as line join journal_entries as entry on entry.id = entry_id
      join currencies on currencies.id = currency_id
    where occurred_on <= ${on}
    group by currencies.id, account having sum(line.amount) <> 0 order by currencies.id`.execute(connection);
  return rows;
}
