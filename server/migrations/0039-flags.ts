import { type Kysely, sql } from 'kysely';

/** Acknowledgements of a changed buyer and of a new payout account (docs/decisions/0043-buyer-terms.md, 0044). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table flag_acknowledgements
    drop constraint flag_acknowledgements_kind,
    add constraint flag_acknowledgements_kind check ((other_invoice_id is null) = (fact is not null) and case
      when fact is null then kind in ('sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber')
      else kind in ('coverage', 'dueDate', 'buyerChanged', 'newPayoutAccount') end)`.execute(db);
}
