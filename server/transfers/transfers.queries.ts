import { type Insertable, sql, type Updateable } from 'kysely';
import type { ShownTransfer } from '#contract/transfers/schema.ts';
import type { Connection } from '#server/db/database.ts';
import type { Transfers } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** Whether payments to an account have stopped: it was frozen, replaced or checked again after the release. */
export const isAccountHeld = sql<boolean>`(account.frozen_at is not null or account.replaced_at is not null
  or account.verified_at > transfer.created_at)`;

function transfers(connection: Connection) {
  return connection
    .selectFrom('transfers as transfer')
    .innerJoin('invoices', 'invoices.id', 'transfer.invoice_id')
    .select(['transfer.id', 'transfer.tag', 'transfer.rail', 'transfer.direction', 'transfer.amount'])
    .select(['transfer.currency', 'transfer.number', 'transfer.label', 'transfer.reference', 'transfer.state'])
    .select(['transfer.payout_id as payoutId', 'transfer.created_at as createdAt', 'transfer.created_by as createdBy'])
    .select(['transfer.sent_at as sentAt', 'transfer.asked_at as askedAt', 'transfer.next_ask_at as nextAskAt'])
    .select('transfer.known_at as knownAt')
    .select(['transfer.asks', 'transfer.told_at as toldAt', 'transfer.said', 'transfer.refusal'])
    .select('transfer.refused_at as refusedAt')
    .select(['transfer.holder_name as holderName', 'transfer.provider_reference as providerReference'])
    .select([
      'transfer.file_reference as fileReference',
      'invoices.tag as invoiceTag',
      'transfer.is_ending as isEnding',
    ])
    .select(
      sql<boolean>`exists (select from payouts join payout_accounts as account on account.id = payouts.account_id
        where payouts.id = transfer.payout_id and ${isAccountHeld})`.as('isHeld'),
    );
}

/** A transfer with the fields for following it. */
export type TransferRow = Awaited<ReturnType<ReturnType<typeof transfers>['execute']>>[number];

/**
 * Whether officers may end the transfer: they were told that it is late, or it was never sent. A payout that waits for
 * a file is cancelled instead.
 */
export function mayEnd({ sentAt, toldAt, nextAskAt }: Pick<TransferRow, 'sentAt' | 'toldAt' | 'nextAskAt'>): boolean {
  return sentAt === null ? nextAskAt !== null : toldAt !== null;
}

/** The current state of a transfer. */
export function selectTransfer(connection: Connection, tag: string): Promise<TransferRow | undefined> {
  return transfers(connection).where('transfer.tag', '=', tag).executeTakeFirst();
}

/** A transfer, locked, so that two workers take turns. */
export function lockTransfer(change: Change, tag: string): Promise<TransferRow | undefined> {
  return transfers(change).where('transfer.tag', '=', tag).forUpdate('transfer').executeTakeFirst();
}

/** The parts of the payout that were paid before this one, in wire form. */
const paidParts = sql<NonNullable<ShownTransfer['part']>['paid']>`(
  select coalesce(json_agg(json_build_object('amount', part.amount, 'providerReference', part.provider_reference)
    order by part.id), '[]')
  from transfers as part join payouts as earlier on earlier.id = part.payout_id
  where part.id < transfer.id and payouts.part_of in (earlier.id, earlier.part_of))`.as('paidParts');

/** The newest payout of an application that went over a rail, with its releaser. */
export function selectLastPayout(connection: Connection, invoiceTag: string) {
  return transfers(connection)
    .leftJoin('persons', 'persons.id', 'transfer.created_by') // clients do not see officers
    .innerJoin('payouts', 'payouts.id', 'transfer.payout_id')
    .innerJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .where((where) =>
      where.or([where('invoices.tag', '=', invoiceTag), where('invoices.application_tag', '=', invoiceTag)]),
    )
    .leftJoin('payout_batches as batch', 'batch.id', 'transfer.batch_id')
    .select(['account.provider', 'account.bank_name as bankName', 'batch.number as batchNumber'])
    .select(['payouts.amount as payoutAmount', paidParts])
    .select(['payouts.tag as payoutTag', personName('persons').$castTo<string | null>().as('createdByName')])
    .orderBy('transfer.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
export type ShownRow = NonNullable<Awaited<ReturnType<typeof selectLastPayout>>>;

/** Payouts on their way, and requests to pay that officers were told about. */
const isListed = sql<boolean>`transfer.known_at is null and (transfer.direction = 'out' or transfer.told_at is not null)`;

/** The number of listed transfers by currency, and the sum of those that are payouts, in minor units. */
export function sumOpen(connection: Connection) {
  return connection
    .selectFrom('transfers as transfer')
    .where(isListed)
    .groupBy('transfer.currency')
    .orderBy('transfer.currency')
    .select('transfer.currency')
    .select(sql<number>`count(*)::integer`.as('count'))
    .select(sql<number>`coalesce(sum(transfer.amount) filter (where transfer.direction = 'out'), 0.00)`.as('amount'))
    .execute();
}

/** The listed transfers: first those that officers were told about, then the oldest. */
export function selectOpen(connection: Connection, limit: number) {
  const told = sql`coalesce(transfer.told_at, 'infinity')`;
  // Picks the rows before joining, because thousands may be open.
  const chosen = connection
    .selectFrom('transfers as transfer')
    .where(isListed)
    .select('transfer.id')
    .orderBy(told)
    .orderBy('transfer.id')
    .limit(limit);
  return transfers(connection)
    .innerJoin('businesses', 'businesses.id', 'invoices.business_id')
    .innerJoin('persons', 'persons.id', 'transfer.created_by')
    .leftJoin('payouts', 'payouts.id', 'transfer.payout_id')
    .leftJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .leftJoin('payout_batches as batch', 'batch.id', 'transfer.batch_id')
    .where('transfer.id', 'in', chosen)
    .select(['account.provider', 'account.bank_name as bankName', 'batch.number as batchNumber'])
    .select(['payouts.amount as payoutAmount', paidParts])
    .select(['payouts.tag as payoutTag', 'invoices.invoice_number as invoiceNumber'])
    .select(['businesses.name as client', 'businesses.tag as clientTag'])
    .select(personName('persons').$castTo<string | null>().as('createdByName'))
    .orderBy(told)
    .orderBy('transfer.id')
    .execute();
}
export type OpenRow = Awaited<ReturnType<typeof selectOpen>>[number];

/** The requests to pay on an application, newest first, with the people who asked. */
export function selectRequests(connection: Connection, invoiceTag: string, limit: number) {
  return transfers(connection)
    .leftJoin('persons', 'persons.id', 'transfer.created_by')
    .where((where) =>
      where.or([where('invoices.tag', '=', invoiceTag), where('invoices.application_tag', '=', invoiceTag)]),
    )
    .where('transfer.direction', '=', 'in')
    .select(personName('persons').$castTo<string | null>().as('createdByName'))
    .orderBy('transfer.id', 'desc')
    .limit(limit)
    .execute();
}
export type RequestRow = Awaited<ReturnType<typeof selectRequests>>[number];

/** Whether a phone is being asked to pay an application. */
export async function hasOpenRequest(connection: Connection, invoiceTag: string): Promise<boolean> {
  const [newest] = await selectRequests(connection, invoiceTag, 1);
  return newest !== undefined && newest.nextAskAt !== null;
}

/** The time of a person's nth newest request; undefined if they made fewer. */
export async function selectNthNewestRequest(connection: Connection, personId: number, nth: number) {
  const found = await connection
    .selectFrom('transfers')
    .where('created_by', '=', personId)
    .where('direction', '=', 'in')
    .select('created_at as createdAt')
    .orderBy('id', 'desc')
    .offset(nth - 1)
    .limit(1)
    .executeTakeFirst();
  return found?.createdAt;
}

/** The unfinished transfer of a rail with this reference. */
export function selectUnfinished(connection: Connection, rail: string, reference: string) {
  return connection
    .selectFrom('transfers')
    .where('rail', '=', rail)
    .where(sql<boolean>`reference = ${reference}::uuid`)
    .where('next_ask_at', 'is not', null)
    .select(['tag', 'asked_at as askedAt'])
    .executeTakeFirst();
}

/** Whether another transfer of the rail already has this number from the provider. */
export async function isProviderReferenceTaken(
  connection: Connection,
  { id, rail }: Pick<TransferRow, 'id' | 'rail'>,
  providerReference: string,
): Promise<boolean> {
  const other = await connection
    .selectFrom('transfers')
    .where('rail', '=', rail)
    .where('provider_reference', '=', providerReference)
    .where('id', '<>', id)
    .select('id')
    .executeTakeFirst();
  return other !== undefined;
}

/** Transfers whose next question is overdue, which means that their job was lost. */
export async function selectForgotten(connection: Connection, before: Date, limit: number): Promise<string[]> {
  const rows = await connection
    .selectFrom('transfers')
    .where('next_ask_at', '<', before)
    .select('tag')
    .orderBy('next_ask_at')
    .limit(limit)
    .execute();
  return rows.map(({ tag }) => tag);
}

/** The number of transfers with an unknown outcome, by rail. */
export async function countUnknown(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const rows = await connection
    .selectFrom('transfers')
    .where('known_at', 'is', null)
    .where('state', '=', 'unknown')
    .select(({ fn }) => ['rail', fn.countAll<string>().as('count')])
    .groupBy('rail')
    .execute();
  return new Map(rows.map(({ rail, count }) => [rail, Number(count)]));
}

/** A transfer without news since these times is late: one over a rail, and one by file. */
export interface LateBefore {
  readonly called: Date;
  readonly byFile: Date;
}

/** Late transfers that nobody was told about, locked: if two workers read at the same time, the second finds none. */
export function lockUntold(change: Change, before: LateBefore, limit: number): Promise<TransferRow[]> {
  return transfers(change)
    .where('transfer.known_at', 'is', null)
    .where('transfer.told_at', 'is', null)
    .where(
      sql<boolean>`case when transfer.next_ask_at is null
        then coalesce(transfer.sent_at, transfer.created_at) <= ${before.byFile}
        else transfer.created_at <= ${before.called} end`,
    )
    .orderBy('transfer.id')
    .limit(limit)
    .forUpdate('transfer')
    .execute();
}

/** The payouts on their way to an account, with the number of their batch. */
export function selectUnfinishedTo(connection: Connection, accountId: number) {
  return transfers(connection)
    .innerJoin('payouts', 'payouts.id', 'transfer.payout_id')
    .leftJoin('payout_batches as batch', 'batch.id', 'transfer.batch_id')
    .where('payouts.account_id', '=', accountId)
    .where('transfer.known_at', 'is', null)
    .select('batch.number as batchNumber')
    .orderBy('transfer.id')
    .execute();
}
export type UnfinishedRow = Awaited<ReturnType<typeof selectUnfinishedTo>>[number];

/** Records that officers were told about these transfers. */
export function markNotified(change: Change, told: readonly Pick<TransferRow, 'id'>[], now: Date): void {
  const ids = told.map(({ id }) => id);
  change.send(change.updateTable('transfers').set({ told_at: now }).where('id', 'in', ids));
}

type Given = Omit<Insertable<Transfers>, 'state' | 'next_ask_at'>;

/** Stores a transfer before anything is sent; `byFile`: no provider is asked about it. */
export function insertTransfer(change: Change, given: Given, { byFile }: { readonly byFile: boolean }): void {
  const next = byFile ? null : given.created_at;
  change.send(change.insertInto('transfers').values({ ...given, state: 'released', next_ask_at: next }));
}

/** Whether a payout is released but not in a file yet. */
export const waitsForFile = sql<boolean>`(transfer.state = 'released' and transfer.next_ask_at is null
  and transfer.known_at is null)`;

/** The transfer of a payout that waits for a file, locked; undefined if there is none, or it is in a file already. */
export function lockUnbatched(change: Change, payoutTag: string): Promise<TransferRow | undefined> {
  return transfers(change)
    .innerJoin('payouts', 'payouts.id', 'transfer.payout_id')
    .where('payouts.tag', '=', payoutTag)
    .where(waitsForFile)
    .forUpdate('transfer')
    .executeTakeFirst();
}

export function setTransfer(change: Change, tag: string, set: Updateable<Transfers>): void {
  change.send(change.updateTable('transfers').set(set).where('tag', '=', tag));
}
