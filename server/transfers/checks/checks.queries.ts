import { type RawBuilder, sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import type { TransferRecord } from '#contract/statements/reconciliation.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import { type Answer, LONGEST_SAID } from '#server/rail-port/rail.ts';

/** Providers' answers to questions that we ask again after a transfer's day. */

/**
 * Stores a provider's answer about a transfer, unless a newer one is stored. If there are several final answers, the
 * last one counts.
 */
export function storeAnswer(change: Change, { id }: { readonly id: number }, answer: Answer, now: Date): void {
  const asked = { asked_at: now, said: answer.said.slice(0, LONGEST_SAID) };
  const word = { ...asked, ...wordOf(answer, now) };
  change.send(
    change
      .insertInto('provider_records')
      .values({ transfer_id: id, ...word })
      .onConflict((conflict) =>
        conflict.column('transfer_id').doUpdateSet(word).where('provider_records.asked_at', '<=', now),
      ),
  );
}

function wordOf(answer: Answer, now: Date) {
  switch (answer.state) {
    case 'succeeded': {
      const { providerReference: provider_reference, amount } = answer;
      const said = amount === undefined ? null : minorToNumeric(amount);
      return { known_at: now, outcome: 'paid', provider_reference, amount: said } as const;
    }
    case 'failed':
    case 'notFound':
      return { known_at: now, outcome: 'notPaid', provider_reference: null, amount: null } as const;
    case 'taken':
    case 'unknown':
      return {};
  }
}

/** Days in Kampala, and the rails to read transfers of. */
export interface TransferDays {
  readonly rails: readonly string[];
  readonly currency: string;
  readonly days: readonly string[];
}

interface Period {
  readonly from: string;
  readonly until: string;
}

/** The end of a transfer's day. */
const dayEnd = sql`date_trunc('day', transfer.created_at, 'Africa/Kampala') + interval '24 hours'`;

/** Whether the provider has given no final answer since the transfer's day ended. */
const isUnanswered = sql<boolean>`coalesce(record.known_at < ${dayEnd}, true)`;

function madeIn(from: string, until: string) {
  const midnight = (day: string) => sql`${day}::date::timestamp at time zone 'Africa/Kampala'`;
  return sql`transfer.created_at >= ${midnight(from)} and transfer.created_at < ${midnight(addDays(until, 1))}`;
}

/** A transfer with its provider's last answer, and whether the answer dates from before the transfer's day ended. */
export type CheckedTransfer = TransferRecord & { readonly isUnanswered: boolean };

/** The transfers of these days, and those of other days with the same provider numbers. */
export async function selectChecked(connection: Connection, asked: TransferDays): Promise<CheckedTransfer[]> {
  const { rows } = await sql<CheckedTransfer>`
    with shown as (select transfer.id, transfer.provider_reference as here, record.provider_reference as there
      from unnest(${asked.days}::date[]) as one (day)
      join transfers as transfer on transfer.created_at >= one.day::timestamp at time zone 'Africa/Kampala'
        and transfer.created_at < (one.day + 1)::timestamp at time zone 'Africa/Kampala'
      left join provider_records as record on record.transfer_id = transfer.id
      where transfer.rail = any(${asked.rails}) and transfer.currency = ${asked.currency}),
    numbers as (select here as payment from shown where here is not null union select there from shown where there is not null),
    alike as (select id from shown union select id from transfers join numbers on provider_reference = payment
      union select transfer_id from provider_records join numbers on provider_reference = payment)
    select transfer.reference::text as reference, transfer.provider_reference as "numberHere", transfer.known_at as "knownAt",
      to_char(transfer.created_at at time zone 'Africa/Kampala', 'YYYY-MM-DD') as date,
      case transfer.direction when 'out' then -transfer.amount else transfer.amount end as amount,
      case when transfer.known_at is null then 'open'
        when transfer.entry_tag is not null and counter.id is null then 'paid' else 'notPaid' end as here,
      ending.id is not null as "isByHand",
      array_remove(array[payout.released_by, ending.proposed_by, ending.confirmed_by, counter.recorded_by], null)
        as "recordedBy",
      record.outcome as there, record.provider_reference as "numberThere", record.amount as "amountThere",
      ${isUnanswered} as "isUnanswered"
    from transfers as transfer left join provider_records as record on record.transfer_id = transfer.id
    left join payouts as payout on payout.id = transfer.payout_id
    left join transfer_endings as ending on ending.transfer_id = transfer.id and confirmed_at is not null
    left join journal_entries as entry on entry.tag = transfer.entry_tag
    left join journal_entries as counter on counter.reverses = entry.id
    where transfer.id in (select id from alike) and transfer.rail = any(${asked.rails})
    order by transfer.id`.execute(connection);
  return rows;
}

/** The rails and currencies with transfers on these days. */
export async function selectUsed(connection: Connection, { from, until }: Period) {
  const { rows } = await sql<{ rail: string; currency: string; currencyId: number }>`
    select distinct transfer.rail, transfer.currency, currencies.id as "currencyId" from transfers as transfer
    join currencies on currencies.code = transfer.currency where ${madeIn(from, until)}`.execute(connection);
  return rows;
}

/** Selects the transfers to ask about next. */
interface Turn {
  readonly limit: number;
  readonly askedBefore: Date;
}

/** Transfers of a period whose provider was called but has not answered since their day ended; oldest first. */
export function selectUnanswered(connection: Connection, { from, until }: Period, turn: Turn): Promise<string[]> {
  return selectTags(
    connection,
    sql`${madeIn(from, until)} and ${isUnanswered} and transfer.asked_at is not null`,
    turn,
  );
}

/** The transfers on a day of an account, starting with the one we asked about longest ago. */
export function selectToAsk(
  connection: Connection,
  { rails, currency, day }: Omit<TransferDays, 'days'> & { readonly day: string },
  turn: Turn,
): Promise<string[]> {
  const ofAccount = sql`transfer.rail = any(${rails}) and transfer.currency = ${currency}`;
  return selectTags(connection, sql`${ofAccount} and ${madeIn(day, day)}`, turn);
}

async function selectTags(connection: Connection, which: RawBuilder<unknown>, { limit, askedBefore }: Turn) {
  const { rows } = await sql<{ tag: string }>`select transfer.tag
    from transfers as transfer left join provider_records as record on record.transfer_id = transfer.id
    where ${which} and coalesce(record.asked_at < ${askedBefore}, true)
    order by record.asked_at nulls first, transfer.id limit ${limit}`.execute(connection);
  return rows.map(({ tag }) => tag);
}
