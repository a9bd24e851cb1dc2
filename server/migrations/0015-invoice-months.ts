import { type Kysely, sql } from 'kysely';

/**
 * How many invoices are listed on each day, and of each business in each month, so that a page in the middle of a list is found
 * by its counts and not by passing over half of the list, and everybody's total is a sum of few rows (docs/decisions/0006).
 * Kept by the triggers that count for each business. A month under way is eight rows, because all who make an invoice on one
 * day would wait for one row; a month that is over is one (`foldInvoiceMonths`). A connection has one of the eight: one for
 * each business made saves that go together (docs/decisions/0027) wait for each other in a circle. Counts stand in arrays, because one write
 * more is what an invoice may cost.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A row below 0 is one whose invoices were counted in another of its month's.
  await sql`create table invoice_months (
    month date not null,
    shard integer not null check (shard between 0 and 7),
    rows integer not null,
    days integer[] not null check (cardinality(days) = 31),
    primary key (month, shard)) with (fillfactor = 50)`.execute(db);
  // Without a policy: a client's own list has its own counter.
  await sql`alter table invoice_months enable row level security`.execute(db);
  // Subscripts are months since 2000, as `month_number` says them; the first is that of the oldest invoice.
  await sql`alter table row_counts add column months integer[] not null default '{}'`.execute(db);
  await createCounting(db);
  await createFinding(db);
  await countByStatement(db);
  await countMoves(db);
  await countExisting(db);
  await letFunctionsSeeAll(db);
}

async function countExisting(db: Kysely<unknown>): Promise<void> {
  await sql`select count_month(month, shard, days, 1) from (
    select date_trunc('month', listed_on)::date as month, invoice_shard(listed_on) as shard,
      array_agg(extract(day from listed_on)::integer) as days
    from invoices group by 1, 2) as listed`.execute(db);
  await sql`with listed as (
      select business_id, month_number(listed_on) as month, count(*)::integer as rows from invoices group by 1, 2),
    spans as (select business_id, min(month) as first, max(month) as last from listed group by 1),
    lists as (
      select business_id, first, last, array_agg(coalesce(rows, 0) order by month) as months
      from (select business_id, first, last, month from spans, generate_series(first, last) as month) as every_month
        left join listed using (business_id, month)
      group by 1, 2, 3)
    update row_counts set months = format('[%s:%s]=%s', first, last, lists.months)::integer[]
    from lists where list = 'invoices' and scope = business_id`.execute(db);
}

/** Where in a list one is after so many rows: at which of its counts, and how many rows further. Null past the last. */
async function createFinding(db: Kysely<unknown>): Promise<void> {
  await sql`create function find_place(counts integer[], passed integer, backwards boolean, out place integer,
      out further integer) returns record language plpgsql immutable parallel safe as $$
    declare
      first integer := case when backwards then array_upper(counts, 1) else array_lower(counts, 1) end;
      step integer := case when backwards then -1 else 1 end;
    begin
      further := passed;
      for number in 0 .. coalesce(cardinality(counts), 0) - 1 loop
        place := first + number * step;
        if further < coalesce(counts[place], 0) then return; end if;
        further := further - coalesce(counts[place], 0);
      end loop;
      place := null;
    end $$`.execute(db);
}

/** `passed` are the days of the month, each as often as an invoice is listed on it. */
async function createCounting(db: Kysely<unknown>): Promise<void> {
  await sql`create function invoice_shard(day date) returns integer language sql stable as
    $$ select case when day >= current_date - 10 then pg_backend_pid() % 8 else 0 end $$`.execute(db);
  await sql`create function month_number(day date) returns integer language sql immutable as
    $$ select (extract(year from day)::integer - 2000) * 12 + extract(month from day)::integer $$`.execute(db);
  await sql`create function count_business_month(business integer, month integer, difference integer)
    returns void language sql as $$
      insert into row_counts as existing (list, scope, rows, months[month])
      values ('invoices', business, greatest(difference, 0), difference)
      on conflict (list, scope) do update set rows = existing.rows + difference,
        months[month] = coalesce(existing.months[month], 0) + difference
    $$`.execute(db);
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
      perform count_business_month(changed.business_id, changed.month, changed.invoices * difference)
      from (select business_id, month_number(listed_on) as month, count(*)::integer as invoices
        from changed_invoices group by 1, 2 order by 1, 2) as changed;
      perform count_month(changed.month, changed.shard, changed.days, difference)
      from (select date_trunc('month', listed_on)::date as month, invoice_shard(listed_on) as shard,
          array_agg(extract(day from listed_on)::integer) as days
        from changed_invoices group by 1, 2 order by 1, 2) as changed;
      return null;
    end $$`.execute(db);
}

/** An application's date moves its invoice from the day of its creation to that one. */
async function countMoves(db: Kysely<unknown>): Promise<void> {
  await sql`create function count_move() returns trigger language plpgsql as $$
    begin
      if month_number(old.listed_on) <> month_number(new.listed_on) then
        perform count_business_month(new.business_id, month_number(old.listed_on), -1);
        perform count_business_month(new.business_id, month_number(new.listed_on), 1);
      end if;
      perform count_month(date_trunc('month', moved.day)::date, invoice_shard(moved.day),
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
