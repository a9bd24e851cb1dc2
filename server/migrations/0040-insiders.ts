import { type Kysely, sql } from 'kysely';

/**
 * Against people who work here (docs/decisions/0042-double-entry.md, 0046-paying-back.md): a certificate's number is
 * compared as it reads, what two officers agreed to stays, and a client's own words are theirs by the database, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await compareCertificates(db);
  await narrowExtensions(db);
  await narrowOwnWords(db);
  await replacePosting(db);
}

/** Small letters of other scripts, and what they look like; as in 0020-officers-who-cheat.ts. */
const lookAlikes: readonly (readonly [string, string])[] = [
  ['авеѕзкмнорстухіјԁԛԝӏьб', 'abes3kmhopctyxijdqwlb6'],
  ['αβεζηικμνορτυχϲϳ', 'abezhikmnoptyxcj'],
  ['ıɩɑɡʟɴʀ', 'iiaglnr'],
  ['٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'],
];

/**
 * A number's letters and digits, with those that look alike as one. Its index is not unique: a reversal frees a number, and
 * two older entries may read the same.
 */
async function compareCertificates(db: Kysely<unknown>): Promise<void> {
  const small = lookAlikes.map(([letters]) => letters).join('');
  const plain = lookAlikes.map(([, letters]) => letters).join('');
  await sql`create function certificate_key(certificate text) returns text language sql immutable strict parallel safe as $$
    select coalesce(nullif(translate(regexp_replace(lower(translate(normalize(certificate, NFKD),
      ${sql.lit(small + small.toUpperCase())}, ${sql.lit(plain + plain)}) collate "C"), '[^a-z0-9]', '', 'g'), 'oilszb', '011528'), ''),
      btrim(certificate)) $$`.execute(db);
  await sql`drop index journal_entries_certificate`.execute(db);
  await sql`create index journal_entries_certificate on journal_entries (certificate_key(certificate))
    where certificate is not null`.execute(db);
}

/**
 * A client asks, and accepts what was agreed: nothing else of theirs is written in this table, and their entry in the journal
 * goes with an acceptance. What was agreed or closed stays as it was, whoever writes.
 */
async function narrowExtensions(db: Kysely<unknown>): Promise<void> {
  const own = sql`exists (select from invoices where invoices.id = extensions.invoice_id)`;
  const me = sql`(select scope_person())`;
  await sql`drop policy own_rows on extensions`.execute(db);
  await sql`create policy own_rows on extensions for select using (${own})`.execute(db);
  await sql`create policy own_question on extensions for insert with check (
    ${own} and asked_by = ${me} and num_nonnulls(offered_by, agreed_by, closed_by, version) = 0)`.execute(db);
  await sql`create policy own_acceptance on extensions for update
    using (${own} and agreed_at is not null and closed_at is null)
    with check (${own} and closed_by = ${me} and version is not null)`.execute(db);
  await sql`create function keep_agreed_extension() returns trigger language plpgsql as $$
    begin
      if old.closed_at is not null or (old.agreed_at is not null
        and (new.invoice_id, new.financing_period_id, new.tenor_days, new.reason, new.asked_at, new.asked_by,
          new.offered_at, new.offered_by, new.agreed_at, new.agreed_by) is distinct from
          (old.invoice_id, old.financing_period_id, old.tenor_days, old.reason, old.asked_at, old.asked_by,
          old.offered_at, old.offered_by, old.agreed_at, old.agreed_by)) then
        raise exception 'extension % is agreed or closed', old.id
          using errcode = 'check_violation', constraint = 'extensions_agreed_stays';
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger extensions_agreed_stays before update on extensions
    for each row execute function keep_agreed_extension()`.execute(db);
  await sql`drop policy own_extension on journal_entries`.execute(db);
  await sql`create policy own_extension on journal_entries for insert with check (
    kind = 'extension' and reverses is null and recorded_by = ${me}
    and exists (select from extensions where extensions.invoice_id = journal_entries.invoice_id
      and agreed_at is not null and closed_at is null))`.execute(db);
  // What was written off takes the place of a part of the fee that is not earned.
  await sql`drop policy own_extension on journal_lines`.execute(db);
  await sql`create policy own_extension on journal_lines for insert with check (
    case when amount > 0 then account = 'advances' else account in ('feesNotEarned', 'writeOffs') end
    and exists (select from journal_entries as entry where entry.id = entry_id and entry.kind = 'extension'
      and entry.recorded_by = ${me}))`.execute(db);
}

/** A client's word is in their own name. */
async function narrowOwnWords(db: Kysely<unknown>): Promise<void> {
  await sql`drop policy own_word on collection_entries`.execute(db);
  await sql`create policy own_word on collection_entries for insert with check (
    kind = 'buyerLate' and by_person = (select scope_person())
    and exists (select from invoices where invoices.id = invoice_id))`.execute(db);
}

/** As contract/journal/position.ts: what is written off is first the fee that is not earned. */
async function replacePosting(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function post_payment(payment journal_entries) returns void language sql as $$
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
    due as (select *, received - applied - recovered - surplus_paid as due from shared),
    cleared as (select *, greatest(0, least(rounded, due)) as rounded_due,
      case when is_out then discount_fee + extended else 0 end as fee from due),
    given as (select *, greatest(0, least(fee - earned, lost)) as fee_given_up from cleared),
    target (account, amount) as (
      select case method when 'mtn' then 'cashMtn' when 'airtel' then 'cashAirtel'
          when 'bank' then 'cashBank' else 'cashMobileMoney' end,
        sum(case kind when 'receipt' then amount else -amount end)
      from standing where method is not null group by 1
      union all select account, amount from given, lateral (values
        ('advances', owed - lost - applied),
        ('feesNotEarned', earned - fee + fee_given_up),
        ('feeIncome', -earned),
        ('clientPayable', rounded_due - due),
        ('clientFractions', carried + rounded - rounded_due),
        ('rounding', -rounded),
        ('lateCharges', -charged),
        ('recoveries', -recovered),
        ('writeOffs', lost - fee_given_up),
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
