import { type Kysely, sql } from 'kysely';

/**
 * Officers propose more than write-offs (docs/decisions/0033-officers-who-cheat.md): the reversal of a payout made by hand, and a
 * receipt that nothing but an officer's word bears out. A payout after a reversal is a flag of its own. The table keeps its first name, because 1.1.0 writes write-offs to it
 * while both releases run. Confirming anything else needs the entry that came of it, so 1.1.0 cannot confirm it as a write-off.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table write_off_proposals
    add column kind text not null default 'writeOff' check (kind in ('writeOff', 'reversal', 'receipt')),
    add column reversed_entry integer references journal_entries,
    add column method text,
    add column reference text check (length(reference) between 2 and 60),
    add column paid_on date,
    add column payer text check (payer in ('buyer', 'client')),
    add column entry_tag uuid,
    add constraint write_off_proposals_reversal check ((kind = 'reversal') = (reversed_entry is not null)),
    add constraint write_off_proposals_receipt check (case when kind = 'receipt'
      then num_nulls(method, reference, paid_on, payer) = 0 else num_nonnulls(method, reference, paid_on, payer) = 0 end),
    add constraint write_off_proposals_entry check (kind = 'writeOff' or (confirmed_at is null) = (entry_tag is null))`.execute(
    db,
  );
  await sql`alter table flag_acknowledgements
    drop constraint flag_acknowledgements_kind,
    add constraint flag_acknowledgements_kind check ((other_invoice_id is null) = (fact is not null) and case
      when fact is null then kind in ('sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber')
      else kind in ('coverage', 'dueDate', 'buyerChanged', 'newPayoutAccount', 'holderDiffers', 'paidBefore') end)`.execute(
    db,
  );
  await sql`create index write_off_proposals_reversed_entry on write_off_proposals (reversed_entry)
    where reversed_entry is not null`.execute(db);
}
