import type { Status } from '#contract/applications/lifecycle.ts';
import { type AccountState, accountOf, maskedAccount } from '#contract/payouts/account.ts';
import { decideChoice } from '#contract/payouts/account-steps.ts';
import { refusalOfOpen } from '#contract/payouts/payout.ts';
import type { ChooseAccountBody } from '#contract/payouts/schema.ts';
import { orRefuse } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { lockInvoice } from '#server/invoices/invoices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { stateOf } from './payout-accounts.presenter.ts';
import type { AccountRow } from './payout-accounts.queries.ts';
import {
  movePayout,
  placeChoice,
  selectOpenPayout,
  selectOptions,
  selectOptionsOf,
  selectPaidAccount,
} from './payout-holds.queries.ts';

/**
 * Determines the account to which an application is paid: the one that its client chose, or else the only usable one.
 */

/** An account with its current state. */
export type Option = AccountRow & { readonly state: AccountState };

const over: readonly Status[] = ['Declined', 'Withdrawn', 'Cancelled', 'Lapsed'];

/** Whether nothing more will be paid on the application. */
export function isOver(status: Status): boolean {
  return over.includes(status);
}

/** Whether money may be on its way, because a payout is prepared or released. */
export async function isUnderWay(connection: Connection, { tag }: Pick<InvoiceRecord, 'tag'>): Promise<boolean> {
  return (await selectOpenPayout(connection, tag)) !== undefined;
}

/**
 * The refusal for an officer's change while a payout is open: PAYOUT_PREPARED can still be cancelled, PAYOUT_ON_ITS_WAY
 * cannot. Undefined if none is open.
 */
export async function findUnderWay(connection: Connection, { tag }: Pick<InvoiceRecord, 'tag'>) {
  const open = await selectOpenPayout(connection, tag);
  return open && refusalOfOpen(open).code;
}

/**
 * Cancels the unreleased payout of a locked application as Kasente itself. Returns false if it was released and may be
 * on its way.
 */
export async function cancelUnreleased(
  work: Changing<Caller<null>>,
  { tag }: Pick<InvoiceRecord, 'tag'>,
  reason: string,
): Promise<boolean> {
  const { change, caller } = work;
  const open = await selectOpenPayout(change, tag);
  if (open === undefined) return true;
  if (open.releasedAt !== null) return false;
  movePayout(change, open.id, { cancelled_at: caller.now, cancelled_by: null, cancel_reason: reason });
  const after = { payout: open.tag, reason };
  recordEvent(work, 'payout.cancelled', ['invoice', tag], { after });
  return true;
}

/** The accounts of an application's business, and the one to which it is paid. */
export async function findPayee(platform: Platform, connection: Connection, invoiceTag: string, now: Date) {
  const rows = await selectOptions(connection, invoiceTag);
  const options = rows.map((row) => ({ ...row, state: stateOf(platform, row, now) }));
  return { options, payee: accountOf(options, options.find(({ isChosen }) => isChosen)?.id ?? null) };
}

/**
 * The account to which each application is paid, by id: that of its open payout, or else that of {@link findPayee}. One
 * read for a whole list.
 */
export async function findPayees(
  platform: Platform,
  connection: Connection,
  invoiceIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, Option>> {
  const payees = new Map<number, Option>();
  if (invoiceIds.length === 0) return payees;
  const rows = await selectOptionsOf(connection, invoiceIds);
  for (const [invoiceId, accounts] of Map.groupBy(rows, (row) => row.invoiceId)) {
    const options = accounts.map((row) => ({ ...row, state: stateOf(platform, row, now) }));
    const chosenId = options.find(({ chosenFor }) => chosenFor !== null)?.id ?? null;
    const payee = options.find(({ payoutId }) => payoutId !== null) ?? accountOf(options, chosenId);
    if (payee !== undefined) payees.set(invoiceId, payee);
  }
  return payees;
}

/**
 * Where an application's cash goes or went, masked. Undefined if somebody has to choose, for example because the
 * account was frozen or replaced.
 */
export async function findDestination(
  platform: Platform,
  connection: Connection,
  { id, tag, status }: Pick<InvoiceRecord, 'id' | 'tag' | 'status'>,
  now: Date,
): Promise<string | undefined> {
  if (status === 'Disbursed' || status === 'Settled') {
    const paid = await selectPaidAccount(connection, id);
    return paid && maskedAccount(paid);
  }
  const { payee } = await findPayee(platform, connection, tag, now);
  return payee === undefined || isEnded(payee.state) ? undefined : maskedAccount(payee);
}

function isEnded(state: AccountState): boolean {
  return state === 'frozen' || state === 'replaced';
}

/**
 * Chooses the account to which the caller's own application is paid, by `decideChoice`
 * (contract/payouts/account-steps.ts), once per Idempotency-Key. Also throws NOT_FOUND.
 */
export function chooseAccount(context: Context, tag: string, { accountTag }: ChooseAccountBody) {
  const { platform, caller } = context;
  return doOnce(context, { name: 'choosePayoutAccount', input: [tag, accountTag] }, async (work) => {
    const { change } = work;
    const { invoice, payees, ...facts } = await gather({
      invoice: lockInvoice(work, tag),
      payees: findPayee(platform, change, tag, caller.now),
      isUnderWay: isUnderWay(change, { tag }),
    });
    const chosen = orRefuse(
      decideChoice({ ...facts, isOver: isOver(invoice.status), accounts: payees.options, accountTag }),
    );
    placeChoice(change, invoice.id, chosen.id, caller.now, caller.person.id);
    recordEvent(work, 'payout-account.chosen', ['invoice', invoice.tag], { after: { account: chosen.tag } });
  });
}
