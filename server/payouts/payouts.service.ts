import { randomUUID } from 'node:crypto';
import type { AfterQuery, RowsAfter } from '#contract/fields.ts';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { maskedAccount, providers } from '#contract/payouts/account.ts';
import {
  type ApplicationPayout,
  type CancelPayoutBody,
  DATE_MISSING,
  type PreparedPayout,
  type PreparePayoutBody,
  REFERENCE_MISSING,
  type ReleasePayoutBody,
  type WaitingPayout,
} from '#contract/payouts/schema.ts';
import { isStaff } from '#contract/permissions.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { beginConfirmation, type Confirmation } from '#server/accounts/second-factor/confirmation.service.ts';
import { requirePreparable } from '#server/approvals/approval-checks.service.ts';
import { lockCasePeople } from '#server/approvals/case-facts.service.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, doOnce, recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { pageOf, SHOWN_AT_ONCE } from '#server/db/list-page.ts';
import { together } from '#server/db/together.ts';
import { findUnacknowledged, refuseOpen } from '#server/flags/flags.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice, isSameTag, lockCase } from '#server/invoices/invoices.service.ts';
import { type Account, openAccount } from '#server/payments/entries.service.ts';
import { refuseRepeated } from '#server/payments/paid-out.service.ts';
import { beginPayment, checkPayment, duePayout, findDuePayout } from '#server/payments/payments.service.ts';
import { askHolder } from '#server/payout-accounts/holders.service.ts';
import { presentAccount, presentForOfficer, waitHours } from '#server/payout-accounts/payout-accounts.presenter.ts';
import { type AccountRow, selectForOfficers } from '#server/payout-accounts/payout-accounts.queries.ts';
import { findPayee, isOver, refuseUnusable, underWay } from '#server/payout-accounts/payout-choices.service.ts';
import {
  countWaitingPayouts,
  insertPayout,
  lockPayoutAccount,
  lockPreparedAccount,
  movePayout,
  type OpenPayout,
  selectOpenPayout,
  selectWaitingPayouts,
} from '#server/payout-accounts/payout-holds.queries.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import type { OpenRail } from '#server/rails/open-rails.ts';
import { endUnbatched, findTransfer } from '#server/transfers/transfers.service.ts';
import { orderPart } from './payout-parts.service.ts';
import { presentWaiting } from './payouts.presenter.ts';
import { exceededLimit, partsFor, refuseAboveWallet } from './wallet-limits.service.ts';

/**
 * Payouts (docs/decisions/0044-payout-accounts.md): one officer prepares, another releases. Both steps check everything
 * under the application's lock. Lock order: application, account, count of wrong codes, people, businesses.
 */

interface Recorded {
  readonly success: true;
  readonly data: { readonly tag: string };
}

/** Where an application's money goes and what is prepared, for its client and for staff. Throws NOT_FOUND. */
export async function readPayout(context: Context, tag: string): Promise<ApplicationPayout> {
  const { platform, caller } = context;
  const read = async (snapshot: Connection): Promise<ApplicationPayout> => {
    const invoice = await findInvoice(snapshot, caller, tag);
    const [due, { options, payee }, open, transfer] = await together(
      findDuePayout(snapshot, invoice),
      findPayee(platform, snapshot, invoice.tag, caller.now),
      selectOpenPayout(snapshot, invoice.tag),
      findTransfer(platform, snapshot, invoice.tag, { isStaff: isStaff(caller.person) }),
    );
    const isOnItsWay = open !== undefined && open.releasedAt !== null;
    const show = (account: AccountRow) => presentAccount(platform, account, caller.now);
    const paidNext = options.find(({ id }) => id === open?.accountId) ?? payee;
    const mayChoose = !isStaff(caller.person) && open === undefined && !isOver(invoice.status);
    return {
      currency: invoice.currencyCode,
      account: payee === undefined ? null : show(payee),
      next: due === undefined || isOnItsWay ? null : { kind: due.kind, amount: fromMinor(due.amount) },
      isRest: due?.kind === 'disbursement' && invoice.status !== 'Approved',
      ...(isOnItsWay ? wholly : takesOf(platform, invoice, paidNext, open?.amount ?? due?.amount)),
      prepared:
        open === undefined || isOnItsWay
          ? null
          : await presentPrepared(context, snapshot, { open, options, currency: invoice.currencyCode }),
      transfer,
      options: mayChoose ? options.filter(({ state }) => state !== 'frozen' && state !== 'replaced').map(show) : [],
      mayChoose,
      waitHours: waitHours(platform),
    };
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read' });
}

function takesOf(
  platform: Platform,
  { currencyCode }: InvoiceRecord,
  payee: AccountRow | undefined,
  amount: number | undefined,
): Pick<ApplicationPayout, 'walletTakes' | 'parts'> {
  if (amount === undefined || payee === undefined) return wholly;
  const most = exceededLimit(platform, payee, currencyCode, amount);
  if (most !== undefined) return { ...wholly, walletTakes: fromMinor(most) };
  const parts = partsFor(platform, payee, currencyCode, amount);
  return parts.length < 2 ? wholly : { ...wholly, parts: parts.map(fromMinor) };
}

const wholly = { walletTakes: null, parts: [] };

async function presentPrepared(
  context: Context,
  connection: Connection,
  {
    open,
    options,
    currency,
  }: { readonly open: OpenPayout; readonly options: readonly AccountRow[]; readonly currency: string },
): Promise<PreparedPayout> {
  const { platform, caller } = context;
  const account = options.find(({ id }) => id === open.accountId);
  if (account === undefined) throw new Error('a payout goes to an account of another business');
  const staff = isStaff(caller.person);
  const rail = staff ? platform.rails.payingTo(account.provider, currency)?.kind : undefined;
  const [full] = staff ? await selectForOfficers(connection, { accountId: account.id }) : [];
  return {
    tag: open.tag,
    kind: open.kind,
    amount: fromMinor(open.amount),
    account: presentAccount(platform, account, caller.now),
    preparedAt: open.preparedAt.toISOString(),
    preparedBy: staff ? open.preparedByName : null,
    isOwn: open.preparedBy === caller.person.id,
    payee: full === undefined ? null : presentForOfficer(context, full),
    rail: rail?.name ?? null,
    isByFile: rail?.writeFile !== undefined,
  };
}

/** Payouts that wait for their release, from the oldest or after one. */
export async function listWaitingPayouts({ db }: Platform, { after }: AfterQuery): Promise<RowsAfter<WaitingPayout>> {
  const [waiting, total] = await together(selectWaitingPayouts(db, after, SHOWN_AT_ONCE + 1), countWaitingPayouts(db));
  const { rows, hasMore } = pageOf(waiting);
  return { rows: rows.map(presentWaiting), hasMore, total };
}

/**
 * Prepares the payout that is due, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS; PAYOUT_NOTHING,
 * PAYOUT_PREPARED, PAYOUT_ON_ITS_WAY; PAYOUT_ACCOUNT_MISSING; PAYOUT_CHANGED if the officer saw another amount or
 * account; the account's refusal; ABOVE_WALLET, WALLET_FULL_TODAY; NEW_OFFICER, FLAG_OPEN and what `requirePreparable`
 * throws.
 */
export async function preparePayout(context: Context, tag: string, body: PreparePayoutBody): Promise<Recorded> {
  const { platform, caller } = context;
  await askHolder(context, body.accountTag);
  return changeOnce(context, { name: 'preparePayout', input: { tag, body } }, async (work) => {
    const { change } = work;
    const [account, { payee }, open] = await together(
      openAccount(work, tag),
      findPayee(platform, change, tag, caller.now),
      selectOpenPayout(change, tag),
    );
    if (open !== undefined) throw new AppError(underWay(open));
    const due = duePayout(account);
    if (due === undefined) throw new AppError('PAYOUT_NOTHING');
    if (payee === undefined) throw new AppError('PAYOUT_ACCOUNT_MISSING');
    requireSeen(body, due.amount, payee);
    const held = lockPayoutAccount(change, payee.id);
    await together(held, requirePreparer(work, account.invoice, due.kind));
    refuseUnusable(platform, await held, caller.now);
    await refuseAboveWallet(platform, change, payee, wantedOf(caller, account, due));
    const payout = { tag: randomUUID(), invoice_id: account.invoice.id, kind: due.kind, account_id: payee.id };
    const prepared = { prepared_at: caller.now, prepared_by: caller.person.id, reference: randomUUID() };
    insertPayout(change, { ...payout, amount: minorToNumeric(due.amount), ...prepared });
    const { kind, amount } = due;
    const after = { payout: payout.tag, kind, amount, account: payee.tag, reference: prepared.reference };
    recordEvent(work, 'payout.prepared', ['invoice', account.invoice.tag], { after });
    return { success: true, data: { tag: payout.tag } };
  });
}

function wantedOf({ now }: SignedInCaller, { invoice }: Account, { amount }: Pick<OpenPayout, 'amount'>) {
  return { amount, currency: invoice.currencyCode, now };
}

/** Throws PAYOUT_CHANGED unless the officer saw this amount and account. */
function requireSeen(seen: PreparePayoutBody, amount: number, { tag }: Pick<AccountRow, 'tag'>): void {
  if (seen.amount !== amount || !isSameTag(seen.accountTag, tag)) throw new AppError('PAYOUT_CHANGED');
}

async function requirePreparer(work: Work, invoice: InvoiceRecord, kind: OpenPayout['kind']): Promise<void> {
  const isFirst = kind === 'disbursement' && invoice.status === 'Approved';
  if (isFirst) lockCasePeople(work, invoice);
  const [, , flags] = await together(
    requireStanding(work),
    isFirst && requirePreparable(work, invoice),
    findUnacknowledged(work, invoice),
  );
  refuseOpen(flags);
}

/** The stored outcome of a release. A wrong code is an outcome, because it was counted. */
type Outcome = Recorded | { readonly wrongCode: true };

/**
 * Releases a prepared payout, once per Idempotency-Key: orders it from the provider, or records the payment made by
 * hand. Throws what `beginConfirmation` throws; NOT_FOUND, OWN_BUSINESS; PAYOUT_CLOSED, OWN_PAYOUT, PAYOUT_CHANGED;
 * DATE_TOO_EARLY before it was prepared; the account's refusal; ABOVE_WALLET, WALLET_FULL_TODAY; PAYOUT_SENT_BY_US if a
 * provider sends it and the body has a reference, BAD_REQUEST if none does and the body has none; what `refuseRepeated`
 * and `checkPayment` throw. Last comes SECOND_FACTOR_WRONG at `code`, so that a code is spent only on a payout that goes out.
 */
export async function releasePayout(
  context: Context,
  tag: string,
  { password, ...body }: ReleasePayoutBody,
): Promise<Recorded> {
  const confirm = await beginConfirmation(context, { code: body.code, password });
  await askHolder(context, body.accountTag);
  const outcome = await changeOnce(context, { name: 'releasePayout', input: { tag, body } }, (work) =>
    release(work, { tag, body, confirm }),
  );
  if ('wrongCode' in outcome) throw fieldError('SECOND_FACTOR_WRONG', 'code');
  return outcome;
}

interface Release {
  readonly tag: string;
  readonly body: Omit<ReleasePayoutBody, 'password'>;
  readonly confirm: Confirmation;
}

async function release(work: Work, { tag, body, confirm }: Release): Promise<Outcome> {
  const { platform, change, caller } = work;
  const [account, open, payee, prove] = await together(
    openAccount(work, tag),
    selectOpenPayout(change, tag),
    lockPreparedAccount(change, tag),
    confirm(change),
  );
  if (open === undefined || payee === undefined || open.releasedAt !== null || !isSameTag(body.payoutTag, open.tag))
    throw new AppError('PAYOUT_CLOSED');
  if (open.preparedBy === caller.person.id) throw new AppError('OWN_PAYOUT');
  requireSeen(body, open.amount, payee);
  const rail = platform.rails.payingTo(payee.provider, account.invoice.currencyCode);
  const payment = paymentOf(caller, { open, payee, body, rail });
  if (payment.date < kampalaDate(open.preparedAt)) throw fieldError('DATE_TOO_EARLY', 'date');
  refuseUnusable(platform, payee, caller.now);
  await refuseAboveWallet(platform, change, payee, wantedOf(caller, account, open));
  await refuseRepeated(change, account.invoice, payment, { isByHand: rail === undefined });
  const ready = { account, open, payee };
  if (rail === undefined) {
    const enter = await beginPayment(work, account, payment);
    if ((await prove()) !== undefined) return { wrongCode: true };
    return recordPaid(work, ready, await enter());
  }
  await checkPayment(work, account, payment);
  if ((await prove()) !== undefined) return { wrongCode: true };
  return handOver(work, ready, rail);
}

/** The payment to check, and to record if it was made by hand. */
function paymentOf(
  { now }: SignedInCaller,
  {
    open,
    payee,
    body: { reference, date },
    rail,
  }: Pick<Ready, 'open' | 'payee'> & Pick<Release, 'body'> & { readonly rail: OpenRail | undefined },
) {
  // An officer who gives a reference has sent the money already.
  if (rail !== undefined && reference !== undefined) throw new AppError('PAYOUT_SENT_BY_US');
  if (rail === undefined && reference === undefined) throw fieldError('BAD_REQUEST', 'reference', REFERENCE_MISSING);
  if (rail === undefined && date === undefined) throw fieldError('BAD_REQUEST', 'date', DATE_MISSING);
  return {
    ...{ kind: open.kind, amount: open.amount, method: providers[payee.provider].method, to: maskedAccount(payee) },
    ...{ reference: reference ?? open.tag, date: rail === undefined ? (date ?? '') : kampalaDate(now) },
  };
}

interface Ready {
  readonly account: Account;
  readonly open: OpenPayout;
  readonly payee: AccountRow;
}

function recordPaid(work: Changing, { account: { invoice }, open }: Ready, entry: Recorded['data']): Recorded {
  const { change, caller } = work;
  movePayout(change, open.id, { released_at: caller.now, released_by: caller.person.id, entry_tag: entry.tag });
  const after = { payout: open.tag, entry: entry.tag };
  recordEvent(work, 'payout.released', ['invoice', invoice.tag], { after });
  return { success: true, data: entry };
}

/** Orders the transfer from the provider; the journal gets the entry once the provider says it is paid. */
async function handOver(work: Work, { account: { invoice }, open, payee }: Ready, rail: OpenRail): Promise<Recorded> {
  const { platform, change, caller } = work;
  const by = { now: caller.now, releasedBy: caller.person.id };
  const order = await orderPart(platform, change, rail, { payout: open, payee, invoice, ...by });
  movePayout(change, open.id, { released_at: caller.now, released_by: caller.person.id, entry_tag: null });
  recordEvent(work, 'payout.released', ['invoice', invoice.tag], { after: { payout: open.tag, ...order } });
  return { success: true, data: { tag: order.transfer } };
}

/**
 * Cancels a prepared payout, or a released one that waits for a file, once per Idempotency-Key. Throws NOT_FOUND,
 * OWN_BUSINESS, PAYOUT_CLOSED, PAYOUT_ON_ITS_WAY.
 */
export function cancelPayout(context: Context, tag: string, { payoutTag, reason }: CancelPayoutBody) {
  const { caller } = context;
  const operation = { name: 'cancelPayout', input: { tag, payoutTag, reason } };
  return doOnce(context, operation, async (work) => {
    const { change } = work;
    const [invoice, open] = await together(lockCase(work, tag), selectOpenPayout(change, tag));
    if (open === undefined || !isSameTag(payoutTag, open.tag)) throw new AppError('PAYOUT_CLOSED');
    if (open.releasedAt !== null) {
      if (!(await endUnbatched(change, open.tag, reason, caller.now))) throw new AppError('PAYOUT_ON_ITS_WAY');
      movePayout(change, open.id, { failed_at: caller.now });
    } else {
      movePayout(change, open.id, {
        cancelled_at: caller.now,
        cancelled_by: caller.person.id,
        cancel_reason: reason,
      });
    }
    recordEvent(work, 'payout.cancelled', ['invoice', invoice.tag], { after: { payout: open.tag, reason } });
  });
}
