import { type Kysely, sql } from 'kysely';

/**
 * An approval that is taken back ('Cancelled'), by its client ('Withdrawn') or by nobody in time ('Lapsed') keeps who
 * decided it and when (docs/decisions/0045-offers.md). The number of such an invoice may be used again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices
    drop constraint invoices_status,
    drop constraint invoices_first_approval,
    drop constraint invoices_decided_whole`.execute(db);
  await sql`alter table invoices
    add constraint invoices_status check (status in ('Draft', 'Submitted', 'In Review', 'Info Requested', 'Approved',
      'Declined', 'Withdrawn', 'Cancelled', 'Lapsed', 'Disbursed', 'Settled')),
    add constraint invoices_first_approval check (
      (first_approved_by is null) = (first_approved_at is null)
      and (first_approved_by is null or status not in ('Draft', 'Submitted')
        and (status <> 'Withdrawn' or decided_at is not null))),
    add constraint invoices_decided_whole check (
      (decided_at is null) = (decided_by is null) and case
        when status in ('Approved', 'Declined', 'Cancelled', 'Lapsed', 'Disbursed', 'Settled') then decided_at is not null
        when status = 'Withdrawn' then true
        else decided_at is null end)`.execute(db);
  await sql`drop index invoices_number`.execute(db);
  await sql`create unique index invoices_number on invoices (business_id, buyer_id, invoice_number_key)
    where status not in ('Declined', 'Withdrawn', 'Cancelled', 'Lapsed')`.execute(db);
}
