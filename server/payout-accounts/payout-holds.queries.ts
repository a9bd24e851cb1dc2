import { type Insertable, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Payouts } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';
import { isAccountHeld } from '#server/transfers/transfers.queries.ts';
import { type AccountRow, accountColumns } from './payout-accounts.queries.ts';

/** The accounts of an application's business, newest first; `isChosen` marks the chosen one. */
export async function selectOptions(connection: Connection, invoiceTag: string) {
  const rows = await options(connection)
    .where((where) =>
      where.or([where('invoices.tag', '=', invoiceTag), where('invoices.application_tag', '=', invoiceTag)]),
    )
    .execute();
  return rows.map(({ chosenFor, ...account }) => ({ ...account, isChosen: chosenFor !== null }));
}

function options(connection: Connection) {
  return connection
    .selectFrom('invoices')
    .innerJoin('payout_accounts as account', 'account.business_id', 'invoices.business_id')
    .leftJoin('payout_choices as choice', (join) =>
      join.onRef('choice.invoice_id', '=', 'invoices.id').onRef('choice.account_id', '=', 'account.id'),
    )
    .select([...accountColumns, 'choice.invoice_id as chosenFor'])
    .orderBy('account.id', 'desc');
}

/** The accounts of the businesses of several applications, with the chosen ones and those of open payouts marked. */
export function selectOptionsOf(connection: Connection, invoiceIds: readonly number[]) {
  return options(connection)
    .leftJoin('payouts', (join) =>
      join
        .onRef('payouts.invoice_id', '=', 'invoices.id')
        .onRef('payouts.account_id', '=', 'account.id')
        .on('payouts.entry_tag', 'is', null)
        .on('payouts.failed_at', 'is', null)
        .on('payouts.cancelled_at', 'is', null),
    )
    .where(sql<boolean>`invoices.id = any(${invoiceIds})`)
    .select(['invoices.id as invoiceId', 'payouts.id as payoutId'])
    .execute();
}

/** The account to which an application's cash went; undefined for a payout from before accounts existed. */
export function selectPaidAccount(connection: Connection, invoiceId: number): Promise<AccountRow | undefined> {
  return connection
    .selectFrom('payouts')
    .innerJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .where('payouts.invoice_id', '=', invoiceId)
    .where('payouts.kind', '=', 'disbursement')
    .where('payouts.entry_tag', 'is not', null)
    .select(accountColumns)
    .orderBy('payouts.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The prepared or released payout of an application, with the officer who prepared it. */
export function selectOpenPayout(connection: Connection, invoiceTag: string) {
  return connection
    .selectFrom('payouts')
    .innerJoin('invoices', 'invoices.id', 'payouts.invoice_id')
    .leftJoin('persons', 'persons.id', 'payouts.prepared_by') // clients do not see officers
    .where((where) =>
      where.or([where('invoices.tag', '=', invoiceTag), where('invoices.application_tag', '=', invoiceTag)]),
    )
    .where('payouts.entry_tag', 'is', null)
    .where('payouts.failed_at', 'is', null)
    .where('payouts.cancelled_at', 'is', null)
    .select(['payouts.id', 'payouts.tag', 'payouts.kind', 'payouts.amount', 'payouts.account_id as accountId'])
    .select(['payouts.released_at as releasedAt', 'payouts.reference'])
    .select(['payouts.prepared_at as preparedAt', 'payouts.prepared_by as preparedBy'])
    .select(personName('persons').$castTo<string | null>().as('preparedByName'))
    .executeTakeFirst();
}
export type OpenPayout = NonNullable<Awaited<ReturnType<typeof selectOpenPayout>>>;

/** Locks the account of a payout, so that nobody freezes or replaces it during the transaction. */
export function lockPayoutAccount(change: Change, accountId: number): Promise<AccountRow> {
  return lockedAccount(change).where('account.id', '=', accountId).executeTakeFirstOrThrow();
}

/** Locks the account of the unreleased payout of a locked application; undefined if there is none. */
export function lockPreparedAccount(change: Change, invoiceTag: string): Promise<AccountRow | undefined> {
  return lockedAccount(change)
    .where('account.id', '=', (query) =>
      query
        .selectFrom('payouts')
        .innerJoin('invoices', 'invoices.id', 'payouts.invoice_id')
        .where((where) =>
          where.or([where('invoices.tag', '=', invoiceTag), where('invoices.application_tag', '=', invoiceTag)]),
        )
        .where('payouts.released_at', 'is', null)
        .where('payouts.cancelled_at', 'is', null)
        .select('payouts.account_id'),
    )
    .executeTakeFirst();
}

function lockedAccount(change: Change) {
  // Also serialises releases: the account's daily total is summed under this lock.
  return change.selectFrom('payout_accounts as account').select(accountColumns).forNoKeyUpdate('account');
}

/**
 * The sums released to accounts since a time, in minor units, without refused transfers. Of a payout in parts, only the
 * sent part counts.
 */
export function sumReleasedSince(connection: Connection, accountIds: readonly number[], since: Date) {
  return connection
    .selectFrom('payouts')
    .leftJoin('transfers', 'transfers.payout_id', 'payouts.id')
    .where(sql<boolean>`account_id = any(${accountIds})`)
    .where('released_at', '>=', since)
    .where('failed_at', 'is', null)
    .groupBy('account_id')
    .select('account_id as accountId')
    .select(
      sql<number>`sum(case when payouts.entry_tag is null then payouts.amount
        else coalesce(transfers.amount, payouts.amount) end)`.as('sum'),
    )
    .execute();
}

/** The open payouts of several applications. `isHeld`: not sent yet, and not going to be. */
export function selectOpenPayouts(connection: Connection, invoiceIds: readonly number[]) {
  return connection
    .selectFrom('payouts')
    .innerJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .leftJoin('transfers as transfer', 'transfer.payout_id', 'payouts.id')
    .leftJoin('persons', 'persons.id', 'payouts.prepared_by') // clients do not see officers
    .where(sql<boolean>`payouts.invoice_id = any(${invoiceIds})`)
    .where('payouts.entry_tag', 'is', null)
    .where('payouts.failed_at', 'is', null)
    .where('payouts.cancelled_at', 'is', null)
    .select(['payouts.invoice_id as invoiceId', 'payouts.kind', 'payouts.amount'])
    .select(['payouts.prepared_at as preparedAt', 'payouts.released_at as releasedAt'])
    .select(personName('persons').$castTo<string | null>().as('preparedByName'))
    .select(sql<boolean>`coalesce(transfer.state = 'released' and ${isAccountHeld}, false)`.as('isHeld'))
    .execute();
}

export function placeChoice(change: Change, invoiceId: number, accountId: number, at: Date, by: number): void {
  const chosen = { account_id: accountId, chosen_at: at, chosen_by: by };
  change.send(
    change
      .insertInto('payout_choices')
      .values({ invoice_id: invoiceId, ...chosen })
      .onConflict((conflict) => conflict.column('invoice_id').doUpdateSet(chosen)),
  );
}

/** Stores a prepared payout; the unique index `payouts_open` allows one per application. */
export function insertPayout(
  change: Change,
  payout: Pick<
    Insertable<Payouts>,
    'tag' | 'invoice_id' | 'kind' | 'account_id' | 'amount' | 'prepared_at' | 'prepared_by' | 'reference'
  >,
): void {
  change.send(change.insertInto('payouts').values(payout));
}

/** Stores a later part of a payout, prepared and released by the same two people. Returns its id. */
export async function insertPart(change: Change, part: Insertable<Payouts>): Promise<number> {
  const { id } = await change.insertInto('payouts').values(part).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** A payout with the account to which it goes. */
export function selectPayout(connection: Connection, id: number) {
  return connection
    .selectFrom('payouts')
    .innerJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .where('payouts.id', '=', id)
    .select(['payouts.id', 'payouts.tag', 'payouts.kind', 'payouts.amount', 'payouts.entry_tag as entryTag'])
    .select(['payouts.invoice_id as invoiceId', 'payouts.account_id as accountId', 'payouts.part_of as partOf'])
    .select(['payouts.prepared_at as preparedAt', 'payouts.prepared_by as preparedBy'])
    .select(['payouts.released_by as releasedBy', 'account.provider', 'account.number'])
    .select(['account.holder_name as holderName', 'account.bank_name as bankName', 'account.frozen_at as frozenAt'])
    .executeTakeFirstOrThrow();
}

/** Sets columns of a payout of a locked application. */
export function movePayout(
  change: Change,
  id: number,
  end:
    | { readonly released_at: Date; readonly released_by: number; readonly entry_tag: string | null }
    | { readonly entry_tag: string }
    | { readonly failed_at: Date }
    | { readonly cancelled_at: Date; readonly cancelled_by: number | null; readonly cancel_reason: string },
): void {
  change.send(change.updateTable('payouts').set(end).where('id', '=', id));
}
