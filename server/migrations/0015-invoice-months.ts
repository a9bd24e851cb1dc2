import { type Kysely, sql } from 'kysely';

/**
 * How many invoices are listed on each day, so that a jump into the middle of everybody's list passes over months and days
 * instead of half a million rows, and the list's total is a sum of few rows (docs/decisions/0006). Kept by the triggers
 * that count for each business. A month is eight rows, by business, because all who make an invoice on one day would wait
 * for one row; a row holds its days as an array, because one write is what an invoice may cost.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table invoice_months (
    month date not null,
    shard integer not null check (shard between 0 and 7),
    rows integer not null check (rows >= 0),
    days integer[] not null check (cardinality(days) = 31),
    primary key (month, shard)) with (fillfactor = 50)`.execute(db);
  // Without a policy: a client's own list has its own counter.
  await sql`alter table invoice_months enable row level security`.execute(db);
  await createCounting(db);
  await countByStatement(db);
  await countMoves(db);
  await sql`select count_day(business_id % 8, listed_on, count(*)::integer) from invoices
    group by business_id % 8, listed_on`.execute(db);
  await letFunctionsSeeAll(db);
}

/** The row offered for insertion is checked even where it is not inserted, so it must not be below 0. */
async function createCounting(db: Kysely<unknown>): Promise<void> {
  await sql`create function count_day(counted_shard integer, counted date, difference integer) returns void
    language sql as $$
      insert into invoice_months as existing (month, shard, rows, days)
      values (date_trunc('month', counted)::date, counted_shard, greatest(difference, 0),
        array_fill(0, array[extract(day from counted)::integer - 1]) || greatest(difference, 0)
          || array_fill(0, array[31 - extract(day from counted)::integer]))
      on conflict (month, shard) do update set rows = existing.rows + difference,
        days[extract(day from counted)::integer] = existing.days[extract(day from counted)::integer] + difference
    $$`.execute(db);
}

/** In one order of businesses, shards and days, so that two statements never wait for each other. */
async function countByStatement(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function count_invoices() returns trigger language plpgsql as $$
    declare difference integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      perform count_row('invoices', changed.business_id, changed.invoices * difference)
      from (select business_id, count(*)::integer as invoices from changed_invoices group by 1 order by 1) as changed;
      perform count_day(changed.shard, changed.listed_on, changed.invoices * difference)
      from (select business_id % 8 as shard, listed_on, count(*)::integer as invoices from changed_invoices
        group by 1, 2 order by 1, 2) as changed;
      return null;
    end $$`.execute(db);
}

/** An application's date moves its invoice from the day of its creation to that one. */
async function countMoves(db: Kysely<unknown>): Promise<void> {
  await sql`create function count_move() returns trigger language plpgsql as $$
    begin
      perform count_day(new.business_id % 8, moved.day, moved.difference)
      from (select * from (values (old.listed_on, -1), (new.listed_on, 1)) as days (day, difference) order by 1) as moved;
      return null;
    end $$`.execute(db);
  await sql`create trigger invoices_moved after update of listed_on on invoices for each row
    when (old.listed_on <> new.listed_on)
    execute function count_move()`.execute(db);
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
