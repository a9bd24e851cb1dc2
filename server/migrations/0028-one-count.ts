import { type Kysely, sql } from 'kysely';

/**
 * Invoices are counted once, a row for each client in `row_counts`, and no more by month and day: a far page is an OFFSET
 * (docs/decisions/0006-invoice-list.md). A save of one client waits for the same client's others alone.
 *
 * Releases up to 1.0.0 run on until they are upgraded. They add `invoice_months` up for everybody's total, so it is counted on,
 * in rows that hardly two connections share; and they ask `find_place` where a far page begins, which now says: at the end of the
 * list, and all of the way from there. Both go with the next release, and `row_counts.months` with them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // At once what dropping the trigger takes: to ask for more later could wait for one who waits for this.
  await sql`lock table invoices in access exclusive mode`.execute(db);
  await sql`drop trigger invoices_moved on invoices`.execute(db);
  await countOnce(db);
  await sql`drop function count_move(), count_month(date, integer, integer[], integer),
    count_business_month(integer, integer, integer), invoice_shard(date), month_number(date)`.execute(db);
  await keepForOlderReleases(db);
}

/** In one order of businesses, so that two statements never wait for each other. */
async function countOnce(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function count_invoices() returns trigger language plpgsql as $$
    declare difference integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      perform count_row('invoices', changed.business_id, changed.invoices * difference)
      from (select business_id, count(*)::integer as invoices from changed_invoices group by 1 order by 1) as changed;
      insert into invoice_months as existing (month, shard, rows, days)
      select date '9000-01-01' + pg_backend_pid() % 512, 0, count(*) * difference, array_fill(0, array[31])
      from changed_invoices having count(*) > 0
      on conflict (month, shard) do update set rows = existing.rows + excluded.rows;
      return null;
    end $$`.execute(db);
  // As migration 0013 has it: the work is the database's, whoever caused it.
  await sql`do $$ begin
    execute format('alter function count_invoices() security definer set search_path to %I, pg_temp', current_schema());
  end $$`.execute(db);
}

/** One row before every invoice's month, which has the count so far, and one after. */
async function keepForOlderReleases(db: Kysely<unknown>): Promise<void> {
  await sql`delete from invoice_months`.execute(db);
  await sql`insert into invoice_months (month, shard, rows, days)
    select month, 0, case when month > '9000-01-01' then 0 else (
        select coalesce(sum(rows), 0) from row_counts where list = 'invoices') end, array_fill(0, array[31])
    from unnest(array[date '0001-01-01', date '9999-12-01']) as month`.execute(db);
  await sql`update row_counts set months = '{}' where months <> '{}'`.execute(db);
  // Without the room that the arrays took: everybody's total reads all of the table.
  await sql`cluster row_counts using row_counts_pkey`.execute(db);
  await sql`create or replace function find_place(counts integer[], passed integer, backwards boolean, out place integer,
      out further integer) returns record language sql immutable parallel safe as $$
    select case when backwards then coalesce(array_upper(counts, 1), 95988) else coalesce(array_lower(counts, 1), -23987) end,
      passed
  $$`.execute(db);
}
