import { type Kysely, sql } from 'kysely';

/**
 * How many invoices are listed on each day, so that a jump into the middle of everybody's list passes over months and days
 * instead of half a million rows, and the list's total is a sum of few rows (docs/decisions/0006). Kept by the triggers
 * that count for each business. A month under way is eight rows, because all who make an invoice on one day would wait
 * for one row; a month that is over is one (`foldInvoiceMonths`). A row holds its days as an array, because one write is
 * what an invoice may cost.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table invoice_months (
    month date not null,
    shard integer not null check (shard between 0 and 7),
    rows integer not null,
    days integer[] not null check (cardinality(days) = 31),
    primary key (month, shard)) with (fillfactor = 50)`.execute(db);
  // Below 0 is a row whose invoices were counted in another of its month's. Without a policy: a client's own list has its own counter.
  await sql`alter table invoice_months enable row level security`.execute(db);
  await createCounting(db);
  await countByStatement(db);
  await countMoves(db);
  await sql`select count_month(month, shard, days, 1) from (
    select date_trunc('month', listed_on)::date as month, invoice_shard(business_id, listed_on) as shard,
      array_agg(extract(day from listed_on)::integer) as days
    from invoices group by 1, 2) as listed`.execute(db);
  await letFunctionsSeeAll(db);
}

/** `passed` are the days of the month, each as often as an invoice is listed on it. */
async function createCounting(db: Kysely<unknown>): Promise<void> {
  await sql`create function invoice_shard(business integer, day date) returns integer language sql stable as
    $$ select case when day >= current_date - 10 then business % 8 else 0 end $$`.execute(db);
  await sql`create function count_month(counted date, counted_shard integer, passed integer[], difference integer)
    returns void language sql as $$
      insert into invoice_months as existing (month, shard, rows, days)
      values (counted, counted_shard, cardinality(passed) * difference,
        array(select cardinality(array_positions(passed, day)) * difference from generate_series(1, 31) as day))
      on conflict (month, shard) do update set rows = existing.rows + cardinality(passed) * difference,
        days = array(select one + other from unnest(existing.days, excluded.days) as both_days (one, other))
    $$`.execute(db);
}

/** In one order of businesses, months and shards, so that two statements never wait for each other. */
async function countByStatement(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function count_invoices() returns trigger language plpgsql as $$
    declare difference integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      perform count_row('invoices', changed.business_id, changed.invoices * difference)
      from (select business_id, count(*)::integer as invoices from changed_invoices group by 1 order by 1) as changed;
      perform count_month(changed.month, changed.shard, changed.days, difference)
      from (select date_trunc('month', listed_on)::date as month, invoice_shard(business_id, listed_on) as shard,
          array_agg(extract(day from listed_on)::integer) as days
        from changed_invoices group by 1, 2 order by 1, 2) as changed;
      return null;
    end $$`.execute(db);
}

/** An application's date moves its invoice from the day of its creation to that one. */
async function countMoves(db: Kysely<unknown>): Promise<void> {
  await sql`create function count_move() returns trigger language plpgsql as $$
    begin
      perform count_month(date_trunc('month', moved.day)::date, invoice_shard(new.business_id, moved.day),
        array[extract(day from moved.day)::integer], moved.difference)
      from (select * from (values (old.listed_on, -1), (new.listed_on, 1)) as days (day, difference) order by 1) as moved;
      return null;
    end $$`.execute(db);
  await sql`create trigger invoices_moved after update of listed_on on invoices for each row
    when (old.listed_on <> new.listed_on) execute function count_move()`.execute(db);
}

/** As migration 0013 has it: the work is the database's, whoever caused it. */
async function letFunctionsSeeAll(db: Kysely<unknown>): Promise<void> {
  await sql`do $$
    declare named text;
    begin
      foreach named in array array['count_invoices()', 'count_move()'] loop
        execute format('alter function %s security definer', named);
        execute format('alter function %s set search_path to %I, pg_temp', named, current_schema());
      end loop;
    end $$`.execute(db);
}
