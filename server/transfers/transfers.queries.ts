import { type Insertable, sql, type Updateable } from 'kysely';
import type { Change } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import type { Transfers } from '#server/db/tables/payout-tables.ts';
import { personName } from '#server/sessions/person-name.ts';

function transfers(connection: Connection) {
  return connection
    .selectFrom('transfers as transfer')
    .innerJoin('invoices', 'invoices.id', 'transfer.invoice_id')
    .select(['transfer.id', 'transfer.tag', 'transfer.rail', 'transfer.direction', 'transfer.amount'])
    .select(['transfer.currency', 'transfer.number', 'transfer.label', 'transfer.reference', 'transfer.state'])
    .select(['transfer.payout_id as payoutId', 'transfer.created_at as createdAt', 'transfer.created_by as createdBy'])
    .select(['transfer.sent_at as sentAt', 'transfer.next_ask_at as nextAskAt', 'transfer.known_at as knownAt'])
    .select(['transfer.asks', 'transfer.told_at as toldAt', 'transfer.said', 'transfer.refusal'])
    .select(['transfer.holder_name as holderName', 'transfer.provider_reference as providerReference'])
    .select('invoices.tag as invoiceTag');
}

/** A transfer, as it is followed. */
export type TransferRow = Awaited<ReturnType<ReturnType<typeof transfers>['execute']>>[number];

/** A transfer, locked: of two workers one comes first. */
export function lockTransfer(change: Change, tag: string): Promise<TransferRow | undefined> {
  return transfers(change).where('transfer.tag', '=', tag).forUpdate('transfer').executeTakeFirst();
}

/** The newest payout of an application that went over a rail, with who released it. */
export function selectLastPayout(connection: Connection, invoiceTag: string) {
  return transfers(connection)
    .leftJoin('persons', 'persons.id', 'transfer.created_by') // clients see no officers
    .innerJoin('payouts', 'payouts.id', 'transfer.payout_id')
    .innerJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .where((where) =>
      where.or([where('invoices.tag', '=', invoiceTag), where('invoices.application_tag', '=', invoiceTag)]),
    )
    .select(['account.provider', 'account.bank_name as bankName'])
    .select(personName('persons').$castTo<string | null>().as('createdByName'))
    .orderBy('transfer.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
export type ShownRow = NonNullable<Awaited<ReturnType<typeof selectLastPayout>>>;

const LISTED = 100;

/** The payouts that are on their way: those that officers were told of first, then the oldest. */
export function selectOpenPayouts(connection: Connection) {
  return transfers(connection)
    .innerJoin('businesses', 'businesses.id', 'invoices.business_id')
    .innerJoin('persons', 'persons.id', 'transfer.created_by')
    .innerJoin('payouts', 'payouts.id', 'transfer.payout_id')
    .innerJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .where('transfer.next_ask_at', 'is not', null)
    .select(['account.provider', 'account.bank_name as bankName'])
    .select(['invoices.invoice_number as invoiceNumber', 'businesses.name as client'])
    .select(personName('persons').$castTo<string | null>().as('createdByName'))
    .orderBy('transfer.told_at', (order) => order.asc().nullsLast())
    .orderBy('transfer.id')
    .limit(LISTED)
    .execute();
}
export type OpenRow = Awaited<ReturnType<typeof selectOpenPayouts>>[number];

/** The unfinished transfer of a rail that its provider knows by that reference. */
export function selectUnfinished(connection: Connection, rail: string, reference: string) {
  return connection
    .selectFrom('transfers')
    .where('rail', '=', rail)
    .where(sql<boolean>`reference = ${reference}::uuid`)
    .where('next_ask_at', 'is not', null)
    .select(['tag', 'asked_at as askedAt'])
    .executeTakeFirst();
}

/** Whether another transfer of that rail has that provider's number already. */
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

/** Transfers that should have been asked about before that moment: their job was lost. */
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

/** Transfers of which nothing is known, that were released before that moment and that nobody was told of. */
export async function selectUntold(connection: Connection, before: Date, limit: number): Promise<string[]> {
  const rows = await connection
    .selectFrom('transfers')
    .where('next_ask_at', 'is not', null)
    .where('told_at', 'is', null)
    .where('direction', '=', 'out')
    .where('created_at', '<=', before)
    .select('tag')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ tag }) => tag);
}

type Given = Pick<
  Insertable<Transfers>,
  | 'tag'
  | 'rail'
  | 'direction'
  | 'invoice_id'
  | 'payout_id'
  | 'amount'
  | 'currency'
  | 'number'
  | 'holder_name'
  | 'label'
  | 'reference'
  | 'created_at'
  | 'created_by'
>;

/** Stores a transfer before anything is sent. */
export function insertTransfer(change: Change, given: Given): void {
  const unsent = { state: 'released', refusal: null, said: null, provider_reference: null, entry_tag: null } as const;
  const unknown = { sent_at: null, asked_at: null, known_at: null, told_at: null };
  change.send(
    change.insertInto('transfers').values({ ...given, ...unsent, ...unknown, next_ask_at: given.created_at }),
  );
}

export function setTransfer(change: Change, tag: string, set: Updateable<Transfers>): void {
  change.send(change.updateTable('transfers').set(set).where('tag', '=', tag));
}
