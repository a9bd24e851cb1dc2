import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * Brings a database that was made by an earlier text of 0002, 0004, 0009 or 0015 to the schema of a fresh one: those were
 * edited after they had landed (docs/decisions/0035-releases.md). Each repair first looks whether it is needed, so that a
 * database that is right already is neither changed nor locked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { isWrong, mend } of repairs) {
    const { rows } = await sql<{ isWrong: boolean }>`select ${isWrong} as "isWrong"`.execute(db);
    if (rows[0]?.isWrong !== true) continue;
    for (const statement of mend) await statement.execute(db);
  }
}

interface Repair {
  /** A condition in SQL, on the catalogs or on what is counted. */
  readonly isWrong: RawBuilder<unknown>;
  readonly mend: readonly RawBuilder<unknown>[];
}

/** People were counted row by row and searched by an expression. */
const people: Repair = {
  isWrong: sql`not exists (
    select from pg_attribute where attrelid = 'persons'::regclass and attname = 'search_text')`,
  mend: [
    sql`create or replace function count_row(counted text, counted_scope integer, difference integer) returns void
      language sql as $$
        insert into row_counts as existing (list, scope, rows) values (counted, counted_scope, greatest(difference, 0))
        on conflict (list, scope) do update set rows = existing.rows + difference
      $$`,
    sql`alter table persons
      add column waiting boolean not null generated always as (status = 'Verified') stored,
      add column search_text text not null generated always as (
        lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(10) || coalesce(phone, '') || chr(10) ||
          coalesce(email, ''))) stored`,
    sql`drop index persons_newest, persons_waiting, persons_search`,
    sql`create index persons_listed on persons (waiting desc, created_at desc, id desc)`,
    sql`create index persons_of_status on persons (status, created_at desc, id desc)`,
    sql`create index persons_search on persons using gin (search_text gin_trgm_ops)`,
    sql`drop trigger persons_counted on persons`,
    sql`create or replace function count_persons() returns trigger language plpgsql as $$
      declare difference integer := case tg_op when 'INSERT' then 1 else -1 end;
      begin
        perform count_row('persons', changed.shard, changed.persons * difference)
        from (select id % 32 as shard, count(*)::integer as persons from changed_persons group by 1 order by 1) as changed;
        return null;
      end $$`,
    sql`create trigger persons_added after insert on persons referencing new table as changed_persons
      for each statement execute function count_persons()`,
    sql`create trigger persons_removed after delete on persons referencing old table as changed_persons
      for each statement execute function count_persons()`,
    letSeeAll('count_persons()'),
  ],
};

/** Invoices were counted row by row, and everybody's list had no index by status. */
const invoices: Repair = {
  isWrong: sql`exists (
    select from pg_trigger where tgrelid = 'invoices'::regclass and tgname = 'invoices_counted')`,
  mend: [
    sql`drop index invoices_of_business`,
    sql`create index invoices_of_business on invoices (business_id, listed_on desc, id desc) include (status)`,
    sql`create index invoices_of_status on invoices (status, listed_on desc, id desc)`,
    sql`drop trigger invoices_counted on invoices`,
    sql`create trigger invoices_added after insert on invoices referencing new table as changed_invoices
      for each statement execute function count_invoices()`,
    sql`create trigger invoices_removed after delete on invoices referencing old table as changed_invoices
      for each statement execute function count_invoices()`,
  ],
};

/** A counter-entry could name another application's entry. */
const ledger: Repair = {
  isWrong: sql`to_regclass('ledger_entries_own') is null`,
  mend: [
    sql`alter table information_request_documents add column earlier_document_id integer`,
    sql`alter table ledger_entries drop constraint ledger_entries_reverses_fkey,
      add constraint ledger_entries_own unique (id, invoice_id, kind),
      add constraint ledger_entries_reverses_own foreign key (reverses, invoice_id, kind)
        references ledger_entries (id, invoice_id, kind)`,
    sql`create index invoices_paid_out on invoices (business_id, due_on)
      include (status, currency_id, tenor_days, advance, discount_fee, net_proceeds, outstanding)
      where status in ('Disbursed', 'Settled')`,
  ],
};

/** Two officers were asked for until the payout alone. */
const officers: Repair = {
  isWrong: sql`(select pg_get_constraintdef(oid) not like '%Settled%' from pg_constraint
    where conrelid = 'invoices'::regclass and conname = 'invoices_two_officers')`,
  mend: [
    sql`alter table invoices drop constraint invoices_two_officers, add constraint invoices_two_officers check (
      status not in ('Approved', 'Disbursed', 'Settled') or first_approved_by is distinct from decided_by)`,
  ],
};

/** Invoices were not counted by month for each business, or in rows for which saves that go together waited in a circle. */
const counting: Repair = {
  isWrong: sql`to_regprocedure('invoice_shard(date)') is null`,
  mend: [
    sql`alter table invoice_months drop constraint if exists invoice_months_rows_check`,
    sql`alter table row_counts add column if not exists months integer[] not null default '{}'`,
    sql`create or replace function find_place(counts integer[], passed integer, backwards boolean, out place integer,
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
      end $$`,
    sql`create function invoice_shard(day date) returns integer language sql stable as
      $$ select case when day >= current_date - 10 then pg_backend_pid() % 8 else 0 end $$`,
    sql`create or replace function month_number(day date) returns integer language sql immutable as
      $$ select (extract(year from day)::integer - 2000) * 12 + extract(month from day)::integer $$`,
    sql`create or replace function count_business_month(business integer, month integer, difference integer)
      returns void language sql as $$
        insert into row_counts as existing (list, scope, rows, months[month])
        values ('invoices', business, greatest(difference, 0), difference)
        on conflict (list, scope) do update set rows = existing.rows + difference,
          months[month] = coalesce(existing.months[month], 0) + difference
      $$`,
    sql`create or replace function count_month(counted date, counted_shard integer, passed integer[], difference integer)
      returns void language sql as $$
        insert into invoice_months as existing (month, shard, rows, days)
        values (counted, counted_shard, cardinality(passed) * difference,
          array(select cardinality(array_positions(passed, day)) * difference from generate_series(1, 31) as day))
        on conflict (month, shard) do update set rows = existing.rows + cardinality(passed) * difference,
          days = array(select one + other from unnest(existing.days, excluded.days) as both_days (one, other))
      $$`,
    sql`create or replace function count_invoices() returns trigger language plpgsql as $$
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
      end $$`,
    sql`create or replace function count_move() returns trigger language plpgsql as $$
      begin
        if month_number(old.listed_on) <> month_number(new.listed_on) then
          perform count_business_month(new.business_id, month_number(old.listed_on), -1);
          perform count_business_month(new.business_id, month_number(new.listed_on), 1);
        end if;
        perform count_month(date_trunc('month', moved.day)::date, invoice_shard(moved.day),
          array[extract(day from moved.day)::integer], moved.difference)
        from (select * from (values (old.listed_on, -1), (new.listed_on, 1)) as days (day, difference) order by 1) as moved;
        return null;
      end $$`,
    letSeeAll('count_invoices()'),
    letSeeAll('count_move()'),
    sql`drop function if exists count_day(integer, date, integer), invoice_shard(integer, date)`,
  ],
};

/** By what is counted, because a backup of such a database has no months either. */
const counts: Repair = {
  isWrong: sql`exists (select from row_counts
      where list = 'invoices' and rows <> (select coalesce(sum(month), 0) from unnest(months) as month))
    or (select coalesce(sum(rows), 0) from invoice_months)
      <> (select coalesce(sum(rows), 0) from row_counts where list = 'invoices')`,
  mend: [
    sql`lock table invoices in share row exclusive mode`,
    sql`delete from invoice_months`,
    sql`select count_month(month, shard, days, 1) from (
      select date_trunc('month', listed_on)::date as month, invoice_shard(listed_on) as shard,
        array_agg(extract(day from listed_on)::integer) as days
      from invoices group by 1, 2) as listed`,
    sql`update row_counts set rows = 0, months = '{}' where list = 'invoices'`,
    sql`with listed as (
        select business_id, month_number(listed_on) as month, count(*)::integer as rows from invoices group by 1, 2),
      spans as (select business_id, min(month) as first, max(month) as last from listed group by 1),
      lists as (
        select business_id, first, last, sum(coalesce(rows, 0))::integer as total,
          array_agg(coalesce(rows, 0) order by month) as months
        from (select business_id, first, last, month from spans, generate_series(first, last) as month) as every_month
          left join listed using (business_id, month)
        group by 1, 2, 3)
      insert into row_counts as existing (list, scope, rows, months)
      select 'invoices', business_id, total, format('[%s:%s]=%s', first, last, lists.months)::integer[] from lists
      on conflict (list, scope) do update set rows = excluded.rows, months = excluded.months`,
  ],
};

/** The last one after those that make what it counts with. */
const repairs: readonly Repair[] = [people, ledger, officers, counting, invoices, counts];

/** As migration 0013 has it: the work is the database's, whoever caused it. */
function letSeeAll(name: string): RawBuilder<unknown> {
  return sql`do $$ begin
    execute format('alter function %s security definer set search_path to %I, pg_temp', ${sql.lit(name)}, current_schema());
  end $$`;
}
