import { type RawBuilder, sql } from 'kysely';
import { sayHolder } from '#contract/payouts/holders.ts';
import type { Connection } from '#server/db/database.ts';
import { type Comparison, differencesOf } from './record-arrivals.queries.ts';

/**
 * Compares transfers, decisions of two officers on how they ended, files for the bank, payout accounts and providers'
 * answers about their holders with the audit log (docs/decisions/0047-rails.md). Returns one sentence for each
 * difference.
 */
export async function verifyTransfers(connection: Connection): Promise<string[]> {
  return [
    ...(await differencesOf(connection, 'transfer', ofTransfers)),
    ...(await differencesOf(connection, 'batch', ofBatches)),
    ...(await differencesOf(connection, 'payout account', ofAccounts)),
    ...(await differingHolders(connection)),
  ];
}

/** Accounts whose last answer about the holder differs from the log. */
async function differingHolders(connection: Connection): Promise<string[]> {
  const { rows } = await sql<Parameters<typeof sayHolder>[0] & { readonly tag: string; readonly says: string | null }>`
    select account.tag, provider, holder_state as "holderState", holder_said as "holderSaid",
      (select after ->> 'says' from audit_events where subject_type = 'business' and subject_tag = businesses.tag
        and action = 'payout-account.asked' and after ->> 'account' = account.tag::text
        order by sequence desc limit 1) as says
    from payout_accounts as account join businesses on businesses.id = account.business_id`.execute(connection);
  return rows
    .filter((account) => sayHolder(account) !== account.says)
    .map(({ tag }) => `payout account ${tag}: the audit log contradicts the name of its holder`);
}

/** The event of an application that refers to a record by its tag. */
const event = (action: string, key: string, tag: RawBuilder<unknown>, name = 'event') => {
  const alias = sql.ref(name);
  return sql`audit_events as ${alias} on ${alias}.subject_type = 'invoice' and ${alias}.subject_tag = invoices.tag
    and ${alias}.action = ${action} and ${alias}.after ->> ${key} = (${tag})::text`;
};
const ofInvoice = sql`join invoices on invoices.id = transfer.invoice_id`;
const by = (person: string) => sql`(select tag from persons where id = ${sql.ref(person)})`;
const minor = (column: string) => sql`(${sql.ref(column)} * 100)::bigint::text`;
const SHOWN = sql`limit 50`;

/** Records that are in the log but not in the database. */
const without = (action: string, key: string, there: RawBuilder<unknown>) =>
  sql<{ tag: string }>`select after ->> 'transfer' as tag from audit_events
    where subject_type = 'invoice' and action = ${action} and after ->> 'transfer' is not null
      and not exists (${there} = after ->> ${key}) ${SHOWN}`;

const endings = sql`transfer_endings as ending join transfers as transfer on transfer.id = ending.transfer_id ${ofInvoice}`;

const ofTransfers: readonly Comparison[] = [
  [
    'its release is not in the audit log in this form',
    // Only the first payout of several parts has a preparation event.
    sql`select transfer.tag from transfers as transfer ${ofInvoice} join payouts on payouts.id = transfer.payout_id
      join payouts as whole on whole.id = coalesce(payouts.part_of, payouts.id)
      join payout_accounts as account on account.id = payouts.account_id
      left join ${event('payout.prepared', 'payout', sql`whole.tag`, 'prepared')}
      left join ${event('payout.released', 'transfer', sql`transfer.tag`, 'released')}
      where (released.after ->> 'payout', released.after ->> 'reference', released.after ->> 'rail',
            coalesce(released.after ->> 'amount', prepared.after ->> 'amount'), released.actor_tag)
          is distinct from (payouts.tag::text, transfer.reference::text, transfer.rail,
            ${minor('transfer.amount')}, ${by('transfer.created_by')})
        or (prepared.after ->> 'amount', prepared.after ->> 'account',
            coalesce(prepared.after ->> 'reference', whole.reference::text))
          is distinct from (${minor('whole.amount')}, account.tag::text, whole.reference::text)
        or transfer.number <> account.number ${SHOWN}`,
  ],
  [
    'its request is not in the audit log in this form',
    sql`select transfer.tag from transfers as transfer ${ofInvoice}
      left join ${event('request.ordered', 'transfer', sql`transfer.tag`)}
      where transfer.direction = 'in'
        and (event.after ->> 'reference', event.after ->> 'rail', event.after ->> 'amount', event.actor_tag)
          is distinct from (transfer.reference::text, transfer.rail, ${minor('transfer.amount')}, ${by('transfer.created_by')})
      ${SHOWN}`,
  ],
  [
    'its release is in the audit log, but not in the database',
    without('payout.released', 'transfer', sql`select from transfers where tag::text`),
  ],
  [
    'its request is in the audit log, but not in the database',
    without('request.ordered', 'transfer', sql`select from transfers where tag::text`),
  ],
  [
    'an officer’s proposal to end it is not in the audit log',
    sql`select transfer.tag from ${endings} left join ${event('transfer.endingProposed', 'tag', sql`ending.tag`)}
      where (event.after ->> 'transfer', event.after ->> 'outcome', event.after ->> 'providerReference',
          event.after ->> 'reason', event.after ->> 'said', event.actor_tag)
        is distinct from (transfer.tag::text, ending.outcome, ending.provider_reference,
          ending.reason, ending.said, ${by('ending.proposed_by')}) ${SHOWN}`,
  ],
  [
    'the confirmation of its end is not in the audit log',
    sql`select transfer.tag from ${endings} left join ${event('transfer.endingConfirmed', 'tag', sql`ending.tag`)}
      where confirmed_at is not null
        and (event.after ->> 'outcome', event.after ->> 'providerReference', event.actor_tag)
          is distinct from (ending.outcome, ending.provider_reference, ${by('ending.confirmed_by')}) ${SHOWN}`,
  ],
  [
    'a proposal to end it is in the audit log, but not in the database',
    without('transfer.endingProposed', 'tag', sql`select from transfer_endings where tag::text`),
  ],
  [
    'two officers ended it according to the audit log, but not in the database',
    without(
      'transfer.endingConfirmed',
      'tag',
      sql`select from transfer_endings where confirmed_at is not null and tag::text`,
    ),
  ],
  [
    'its end was confirmed by the officer who proposed it',
    sql`select confirmed.after ->> 'transfer' as tag from audit_events as confirmed join audit_events as proposed
        on proposed.subject_tag = confirmed.subject_tag and proposed.action = 'transfer.endingProposed'
        and proposed.after ->> 'tag' = confirmed.after ->> 'tag' and proposed.actor_tag = confirmed.actor_tag
      where confirmed.subject_type = 'invoice' and confirmed.action = 'transfer.endingConfirmed' ${SHOWN}`,
  ],
  [
    'ended by hand without the decision of two officers',
    sql`select transfer.tag from transfers as transfer
      where (transfer.refusal = 'byHand' or transfer.state = 'reconciled')
        and not exists (select from transfer_endings as ending where ending.transfer_id = transfer.id and confirmed_at is not null
          and outcome = case transfer.state when 'reconciled' then 'paid' else 'notPaid' end
          and provider_reference is not distinct from transfer.provider_reference) ${SHOWN}`,
  ],
  [
    'its end is not in the audit log in this form',
    // Includes transfers that ended in the log but are open in the database: a payout is due again only after its
    // transfer failed.
    sql`select transfer.tag from transfers as transfer ${ofInvoice} left join payouts on payouts.id = transfer.payout_id
      left join audit_events as event on event.subject_type = 'invoice' and event.subject_tag = invoices.tag
        and (event.action in ('payout.paid', 'payout.failed', 'request.paid', 'request.refused')
            and event.after ->> 'transfer' = transfer.tag::text
          or event.action = 'payout.cancelled' and event.after ->> 'payout' = payouts.tag::text)
      where (event.id is not null, event.action in ('payout.paid', 'request.paid'), event.after ->> 'providerReference',
            case event.action when 'payout.cancelled' then 'cancelled' else event.after ->> 'refusal' end, event.after ->> 'entry')
          is distinct from (transfer.known_at is not null,
            case when transfer.known_at is not null then transfer.state <> 'failed' end, transfer.provider_reference,
            transfer.refusal, transfer.entry_tag::text)
        or (payouts.failed_at is not null, payouts.entry_tag)
          is distinct from (transfer.state = 'failed', transfer.entry_tag) and transfer.direction = 'out' ${SHOWN}`,
  ],
];

const ofBatches: readonly Comparison[] = [
  [
    'the audit log contradicts it or lacks it',
    sql`select batch.tag from payout_batches as batch left join audit_events as event
        on event.subject_type = 'payoutBatch' and event.subject_tag = batch.tag and event.action = 'payoutBatch.made'
      where (event.after ->> 'number', event.after ->> 'currency', event.after ->> 'total', event.after ->> 'sha256', event.actor_tag)
          is distinct from (number::text, currency, total::text, encode(sha256, 'hex'), ${by('made_by')})
        or (select array_agg(listed.tag order by listed.tag) from jsonb_array_elements_text(event.after -> 'transfers') as listed (tag))
          is distinct from (select array_agg(transfers.tag::text order by transfers.tag::text) from transfers where batch_id = batch.id) ${SHOWN}`,
  ],
  [
    'it is in the audit log, but not in the database',
    sql`select subject_tag as tag from audit_events where subject_type = 'payoutBatch' and action = 'payoutBatch.made'
      and not exists (select from payout_batches where tag = subject_tag) ${SHOWN}`,
  ],
];

/** The last event of an account with one of these actions. */
const eventOf = (name: string, ...actions: string[]) => sql`left join lateral (select action, at, actor_tag, after
    from audit_events where subject_type = 'business' and subject_tag = businesses.tag and after ->> 'account' = account.tag::text
      and action in (${sql.join(actions)}) order by sequence desc limit 1) as ${sql.ref(name)} on true`;
const accounts = sql`payout_accounts as account join businesses on businesses.id = account.business_id`;

const ofAccounts: readonly Comparison[] = [
  [
    'it was not added in this form according to the audit log',
    // The earliest events of accounts have no number.
    sql`select account.tag from ${accounts} ${eventOf('added', 'payout-account.added')}
      where coalesce((added.after ->> 'addedBy')::uuid, added.actor_tag) is distinct from ${by('account.added_by')}
        or added.after ->> 'number' is not null
          and (added.after ->> 'provider', added.after ->> 'number', added.after ->> 'holderName', added.after ->> 'bankName')
            is distinct from (provider, number, holder_name, bank_name) ${SHOWN}`,
  ],
  [
    'the audit log contradicts when it was checked or frozen',
    sql`select account.tag from ${accounts} ${eventOf('verified', 'payout-account.verified')}
      ${eventOf('last', 'payout-account.verified', 'payout-account.frozen')}
      where (verified.at, verified.actor_tag, coalesce(verified.after ->> 'skipsWait', 'false'))
          is distinct from (account.verified_at, ${by('account.verified_by')}, account.skips_wait::text)
        or (last.action is not distinct from 'payout-account.frozen') <> (account.frozen_at is not null) ${SHOWN}`,
  ],
];
