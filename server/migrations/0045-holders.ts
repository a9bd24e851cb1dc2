import { type Kysely, sql } from 'kysely';

/** What a provider says of who holds a payout account (docs/decisions/0044-payout-accounts.md), and who answers for a difference. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payout_accounts
    add column holder_state text,
    add column holder_said text,
    add column holder_asked_at timestamptz,
    add constraint payout_accounts_holder_state check (holder_state in ('active', 'none', 'closed', 'unknown')),
    add constraint payout_accounts_holder_said check (
      holder_said is null or (holder_state = 'active' and length(holder_said) between 1 and 100)),
    add constraint payout_accounts_holder_asked check ((holder_state is null) = (holder_asked_at is null))`.execute(db);
  await sql`alter table flag_acknowledgements
    drop constraint flag_acknowledgements_kind,
    add constraint flag_acknowledgements_kind check ((other_invoice_id is null) = (fact is not null) and case
      when fact is null then kind in ('sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber')
      else kind in ('coverage', 'dueDate', 'buyerChanged', 'newPayoutAccount', 'holderDiffers') end)`.execute(db);
}
