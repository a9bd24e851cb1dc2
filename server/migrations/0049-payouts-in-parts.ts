import { type Kysely, sql } from 'kysely';

/**
 * A payout that a wallet does not take at once goes in parts (docs/decisions/0047-rails.md): each is a payout of its own, ordered
 * in the transaction that records the one before, of what is left by then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payouts add column part_of integer references payouts`.execute(db);
  await sql`create index payouts_part_of on payouts (part_of) where part_of is not null`.execute(db);
  await replacePosting(db);
}

/** As contract/journal/position.ts: what of the net proceeds no part has sent is owed to the client. */
async function replacePosting(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function post_payment(payment journal_entries) returns void language sql as $$
    with standing as (
      select * from journal_entries where invoice_id = payment.invoice_id and id <= payment.id),
    total as (
      select coalesce(sum(amount) filter (where kind = 'disbursement'), 0) as disbursed,
        coalesce(sum(amount - carried) filter (where kind = 'disbursement'), 0) as sent,
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
        case when disbursed > 0 then invoices.advance + added else 0 end as owed,
        case when disbursed > 0 then invoices.net_proceeds - sent else 0 end as rest
      from total, invoices where invoices.id = payment.invoice_id),
    applied as (select *, least(received, owed - lost) as applied from owed),
    shared as (select *, least(received - applied, lost) as recovered from applied),
    due as (select *, received - applied - recovered - surplus_paid as due from shared),
    cleared as (select *, greatest(0, least(rounded, due)) as rounded_due,
      case when is_out then discount_fee + extended else 0 end as fee from due),
    given as (select *, greatest(0, least(fee - earned, lost)) as fee_given_up from cleared),
    target (account, amount) as (
      select case case when statement_line_id is null then method else 'line' end when 'line' then 'suspense'
          when 'mtn' then 'cashMtn' when 'airtel' then 'cashAirtel' when 'bank' then 'cashBank' else 'cashMobileMoney' end,
        sum(case kind when 'receipt' then amount else -amount end)
      from standing where method is not null group by 1
      union all select account, amount from given, lateral (values
        ('advances', owed - lost - applied),
        ('feesNotEarned', earned - fee + fee_given_up),
        ('feeIncome', -earned),
        ('clientPayable', rounded_due - due - rest),
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
