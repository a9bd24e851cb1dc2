import { type Kysely, sql } from 'kysely';

/**
 * The journal (docs/decisions/0042-double-entry.md): entries of lines that sum to 0. What `ledger_entries` has moves into
 * it. Servers of 1.0.0 go on with that table until they are upgraded: each side copies what the other adds. The table,
 * `post_payment()` and both copies go with the release after the next (docs/decisions/0035-releases.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What is added meanwhile would be in one of the two alone.
  await sql`lock table ledger_entries in share row exclusive mode`.execute(db);
  await createAccounts(db);
  await createEntries(db);
  await createLines(db);
  await createPosting(db);
  await moveLedger(db);
  await compareSums(db);
  await copyBothWays(db);
}

/** By code, as contract/journal/accounts.ts has them. */
const chart: readonly (readonly [code: string, name: string, kind: string])[] = [
  ['cashMtn', 'Cash, MTN mobile money', 'asset'],
  ['cashAirtel', 'Cash, Airtel Money', 'asset'],
  ['cashMobileMoney', 'Cash, mobile money', 'asset'],
  ['cashBank', 'Cash, bank', 'asset'],
  ['advances', 'Advances to clients', 'asset'],
  ['feesNotEarned', 'Fees not yet earned', 'liability'],
  ['clientPayable', 'Owed to clients', 'liability'],
  ['clientFractions', 'Owed to clients, below what can be sent', 'liability'],
  ['suspense', 'Received, not yet assigned', 'liability'],
  ['feeIncome', 'Fee income', 'income'],
  ['lateCharges', 'Late charges', 'income'],
  ['recoveries', 'Recovered after a write-off', 'income'],
  ['rounding', 'Rounding', 'income'],
  ['writeOffs', 'Written off', 'expense'],
  ['buyersOwe', 'Buyers owe on financed invoices', 'memorandum'],
  ['financedInvoices', 'Financed invoices', 'memorandum'],
];

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`create table journal_accounts (
    code text primary key,
    name text not null,
    kind text not null check (kind in ('asset', 'liability', 'income', 'expense', 'memorandum')))`.execute(db);
  for (const [code, name, kind] of chart)
    await sql`insert into journal_accounts (code, name, kind) values (${code}, ${name}, ${kind})`.execute(db);
}

/** `carried` and `rounded` as in contract/journal/position.ts. Nobody records what Kasente does by itself. */
async function createEntries(db: Kysely<unknown>): Promise<void> {
  await sql`create table journal_entries (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    invoice_id integer not null references invoices,
    currency_id integer not null references currencies,
    kind text not null check (kind in ('disbursement', 'receipt', 'surplus', 'deduction', 'feeEarned', 'extension',
      'lateCharge', 'writeOff')),
    amount numeric(15,2) not null check (amount <> 0),
    carried numeric(15,2) not null default 0,
    rounded numeric(15,2) not null default 0,
    occurred_on date not null,
    method text check (method in ('mtn', 'airtel', 'mobileMoney', 'bank')),
    reference text,
    payer text check (payer in ('buyer', 'client')),
    deduction text check (deduction in ('withholdingTax', 'withheldVat', 'creditNote', 'dispute')),
    certificate text,
    reverses integer,
    reason text,
    recorded_at timestamptz not null,
    recorded_by integer references persons,
    constraint journal_entries_reversed_once unique (reverses),
    constraint journal_entries_own unique (id, invoice_id, kind),
    constraint journal_entries_reverses_own foreign key (reverses, invoice_id, kind)
      references journal_entries (id, invoice_id, kind),
    constraint journal_entries_sign check ((reverses is null) = (amount > 0)),
    constraint journal_entries_payer check ((kind = 'receipt') = (payer is not null)),
    constraint journal_entries_payment check (
      (kind in ('disbursement', 'receipt', 'surplus')) = (method is not null)
      and (method is null) = (reference is null)),
    constraint journal_entries_deduction check (
      (kind = 'deduction') = (deduction is not null) and (deduction is null) = (certificate is null)),
    constraint journal_entries_carried check (carried = 0 or kind in ('disbursement', 'surplus')),
    constraint journal_entries_rounded check (rounded = 0 or kind in ('receipt', 'surplus', 'writeOff')),
    constraint journal_entries_reason check (reason is not null or (reverses is null and kind <> 'writeOff')),
    constraint journal_entries_recorded check (
      recorded_by is not null or kind in ('feeEarned', 'lateCharge')))`.execute(db);
  await sql`create index journal_entries_of_invoice on journal_entries (invoice_id, id)`.execute(db);
  await sql`create index journal_entries_occurred on journal_entries (occurred_on)`.execute(db);
  await sql`create index journal_entries_recorded_by on journal_entries (recorded_by) where recorded_by is not null`.execute(
    db,
  );
  await sql`create index journal_entries_certificate on journal_entries (lower(certificate))
    where certificate is not null`.execute(db);
  await appendOnly(db, 'journal_entries');
  await sql`alter table journal_entries enable row level security`.execute(db);
  await sql`create policy own_rows on journal_entries for select using (
    exists (select from invoices where invoices.id = journal_entries.invoice_id))`.execute(db);
}

/**
 * An entry has its lines when its transaction ends, they sum to 0, and none comes later. An entry's transaction is told by
 * the row's own `xmin`.
 */
async function createLines(db: Kysely<unknown>): Promise<void> {
  await sql`create table journal_lines (
    entry_id integer not null references journal_entries,
    account text not null references journal_accounts,
    amount numeric(15,2) not null check (amount <> 0),
    primary key (entry_id, account) include (amount))`.execute(db);
  await appendOnly(db, 'journal_lines');
  await sql`alter table journal_lines enable row level security`.execute(db);
  await sql`create policy own_rows on journal_lines for select using (
    exists (select from journal_entries where journal_entries.id = journal_lines.entry_id))`.execute(db);
  await sql`create function refuse_unbalanced() returns trigger language plpgsql as $$
    declare total numeric; lines integer;
    begin
      select coalesce(sum(amount), 0), count(*) into total, lines from journal_lines where entry_id = new.id;
      if total <> 0 or lines < 2 then
        raise exception 'journal entry % has % lines that sum to %', new.id, lines, total
          using errcode = 'check_violation', constraint = 'journal_entries_balanced';
      end if;
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger journal_entries_balanced after insert on journal_entries
    deferrable initially deferred for each row execute function refuse_unbalanced()`.execute(db);
  await sql`create function refuse_late_line() returns trigger language plpgsql as $$
    begin
      if not exists (select from journal_entries where id = new.entry_id
          and xmin = (pg_current_xact_id()::text::numeric % 4294967296)::text::xid) then
        raise exception 'journal entry % is closed', new.entry_id
          using errcode = 'check_violation', constraint = 'journal_lines_in_time';
      end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger journal_lines_in_time after insert on journal_lines
    for each row execute function refuse_late_line()`.execute(db);
}

/** The lines of a payment that a server of 1.0.0 recorded: as contract/journal/position.ts, in SQL, until those are gone. */
async function createPosting(db: Kysely<unknown>): Promise<void> {
  await sql`create function post_payment(payment journal_entries) returns void language sql as $$
    with standing as (
      select * from journal_entries where invoice_id = payment.invoice_id and id <= payment.id),
    total as (
      select coalesce(sum(amount) filter (where kind = 'disbursement'), 0) as disbursed,
        coalesce(sum(amount) filter (where kind = 'receipt'), 0) as received,
        coalesce(sum(amount) filter (where kind = 'receipt' and payer = 'buyer'), 0) as from_buyer,
        coalesce(sum(amount) filter (where kind = 'deduction'), 0) as deducted,
        coalesce(sum(amount) filter (where kind in ('extension', 'lateCharge')), 0) as added,
        coalesce(sum(amount) filter (where kind = 'extension'), 0) as extended,
        coalesce(sum(amount) filter (where kind = 'lateCharge'), 0) as charged,
        coalesce(sum(amount) filter (where kind = 'feeEarned'), 0) as earned,
        coalesce(sum(amount) filter (where kind = 'writeOff'), 0) as lost,
        coalesce(sum(amount - carried) filter (where kind = 'surplus'), 0) as surplus_paid,
        sum(carried) as carried, sum(rounded) as rounded
      from standing),
    owed as (
      select total.*, invoices.face_value, invoices.discount_fee, disbursed > 0 as is_out,
        case when disbursed > 0 then invoices.advance + added else 0 end as owed
      from total, invoices where invoices.id = payment.invoice_id),
    applied as (select *, least(received, owed - lost) as applied from owed),
    shared as (select *, least(received - applied, lost) as recovered from applied),
    target (account, amount) as (
      select case method when 'mtn' then 'cashMtn' when 'airtel' then 'cashAirtel'
          when 'bank' then 'cashBank' else 'cashMobileMoney' end,
        sum(case kind when 'receipt' then amount else -amount end)
      from standing where method is not null group by 1
      union all select account, amount from shared, lateral (values
        ('advances', owed - lost - applied),
        ('feesNotEarned', earned - case when is_out then discount_fee + extended else 0 end),
        ('feeIncome', -earned),
        ('clientPayable', surplus_paid - (received - applied - recovered)),
        ('clientFractions', carried + rounded),
        ('rounding', -rounded),
        ('lateCharges', -charged),
        ('recoveries', -recovered),
        ('writeOffs', lost),
        ('buyersOwe', case when is_out then greatest(0, face_value - from_buyer - deducted) else 0 end),
        ('financedInvoices', -case when is_out then greatest(0, face_value - from_buyer - deducted) else 0 end)
      ) as line (account, amount)),
    before (account, amount) as (
      select account, sum(line.amount) from journal_lines as line join standing on standing.id = entry_id group by 1)
    insert into journal_lines (entry_id, account, amount)
    select payment.id, account, coalesce(target.amount, 0) - coalesce(before.amount, 0)
    from target full join before using (account)
    where coalesce(target.amount, 0) <> coalesce(before.amount, 0)
  $$`.execute(db);
}

/** In the order in which it was recorded. */
async function moveLedger(db: Kysely<unknown>): Promise<void> {
  await sql`do $$
    declare old ledger_entries; entry journal_entries;
    begin
      for old in select * from ledger_entries order by id loop
        insert into journal_entries (tag, invoice_id, currency_id, kind, amount, occurred_on, method, reference, payer,
          reverses, reason, recorded_at, recorded_by)
        select old.tag, old.invoice_id, currency_id, old.kind, old.amount, old.paid_on, old.method, old.reference,
          old.payer, (select moved.id from journal_entries as moved join ledger_entries as original using (tag)
            where original.id = old.reverses), old.reason, old.recorded_at, old.recorded_by
        from invoices where invoices.id = old.invoice_id
        returning * into entry;
        perform post_payment(entry);
      end loop;
    end $$`.execute(db);
}

/** To the shilling, for each application, or nothing is changed. */
async function compareSums(db: Kysely<unknown>): Promise<void> {
  await sql`do $$
    declare wrong record;
    begin
      select * into wrong from (
        select id, status, coalesce(outstanding, 0) as outstanding, surplus_owed,
          coalesce((select sum(line.amount) from journal_lines as line join journal_entries as entry on entry.id = entry_id
            where entry.invoice_id = invoices.id and account = 'advances'), 0) as advances,
          coalesce((select -sum(line.amount) from journal_lines as line join journal_entries as entry on entry.id = entry_id
            where entry.invoice_id = invoices.id and account = 'clientPayable'), 0) as payable,
          coalesce((select sum(case old.kind when 'receipt' then amount else -amount end) from ledger_entries as old
            where old.invoice_id = invoices.id), 0) as moved,
          coalesce((select sum(line.amount) from journal_lines as line join journal_entries as entry on entry.id = entry_id
            where entry.invoice_id = invoices.id and account like 'cash%'), 0) as cash
        from invoices where exists (select from ledger_entries as old where old.invoice_id = invoices.id)) as compared
      where outstanding <> advances or surplus_owed <> payable or moved <> cash limit 1;
      if found then
        raise exception 'the payments of invoice % do not add up: % owed in its row and % in the journal, % to the client and %, % moved and %',
          wrong.id, wrong.outstanding, wrong.advances, wrong.surplus_owed, wrong.payable, wrong.moved, wrong.cash;
      end if;
    end $$`.execute(db);
}

/** What one side adds is copied to the other; a copy is not copied back. */
async function copyBothWays(db: Kysely<unknown>): Promise<void> {
  await sql`create function copy_to_journal() returns trigger language plpgsql as $$
    declare entry journal_entries;
    begin
      if exists (select from journal_entries where tag = new.tag) then return null; end if;
      insert into journal_entries (tag, invoice_id, currency_id, kind, amount, occurred_on, method, reference, payer,
        reverses, reason, recorded_at, recorded_by, carried)
      select new.tag, new.invoice_id, currency_id, new.kind, new.amount, new.paid_on, new.method, new.reference, new.payer,
        (select original.id from journal_entries as original join ledger_entries as copied using (tag)
          where copied.id = new.reverses), new.reason, new.recorded_at, new.recorded_by,
        case new.kind when 'disbursement' then new.amount - sign(new.amount) * net_proceeds else 0 end
      from invoices where invoices.id = new.invoice_id
      returning * into entry;
      perform post_payment(entry);
      return null;
    end $$`.execute(db);
  await sql`create trigger ledger_entries_to_journal after insert on ledger_entries
    for each row execute function copy_to_journal()`.execute(db);
  await sql`create function copy_to_ledger() returns trigger language plpgsql as $$
    begin
      if new.kind not in ('disbursement', 'receipt', 'surplus')
        or exists (select from ledger_entries where tag = new.tag) then return null; end if;
      insert into ledger_entries (tag, invoice_id, kind, amount, paid_on, method, reference, payer, reverses, reason,
        recorded_at, recorded_by)
      values (new.tag, new.invoice_id, new.kind, new.amount - new.carried, new.occurred_on,
        case new.method when 'bank' then 'bank' else 'mobileMoney' end, new.reference, new.payer,
        (select copied.id from ledger_entries as copied join journal_entries as original using (tag)
          where original.id = new.reverses), new.reason, new.recorded_at, new.recorded_by);
      return null;
    end $$`.execute(db);
  await sql`create trigger journal_entries_to_ledger after insert on journal_entries
    for each row execute function copy_to_ledger()`.execute(db);
}

async function appendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`create trigger ${sql.ref(`${table}_append_only`)} before update or delete or truncate on ${sql.table(table)}
    for each statement execute function refuse_change()`.execute(db);
}
