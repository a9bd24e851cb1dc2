import { randomUUID } from 'node:crypto';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { maskedAccount, providers } from '#contract/payouts/account.ts';
import type {
  ApplicationPayout,
  CancelPayoutBody,
  PreparedPayout,
  PreparePayoutBody,
  ReleasePayoutBody,
  WaitingPayout,
} from '#contract/payouts/schema.ts';
import { isStaff } from '#contract/permissions.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { beginConfirmation, type Confirmation } from '#server/accounts/second-factor/confirmation.service.ts';
import { type Change, changeOnce, recordEvent } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { lockCasePeople, requirePreparable } from '#server/desk/decisions/approval-checks.service.ts';
import { findUnacknowledged, refuseOpen } from '#server/flags/flags.service.ts';
import { AppError, fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { findInvoice, type InvoiceRecord, isSameTag, lockCase } from '#server/invoices/invoices.service.ts';
import { openAccount } from '#server/payments/entries.service.ts';
import { beginPayment, duePayout, findDuePayout } from '#server/payments/payments.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform.ts';
import { presentAccount, presentForOfficer, waitHours } from './payout-accounts.presenter.ts';
import { type AccountRow, selectForOfficers } from './payout-accounts.queries.ts';
import { findPayee, isOver, refuseUnusable } from './payout-choices.service.ts';
import { presentWaiting } from './payouts.presenter.ts';
import {
  endPayout,
  holdAccount,
  holdPreparedAccount,
  insertPayout,
  type OpenPayout,
  selectOpenPayout,
  selectWaitingPayouts,
} from './payouts.queries.ts';

/**
 * Payouts (docs/decisions/0044-payout-accounts.md): one officer prepares, another releases. Everything is checked twice, under
 * the application's lock. Lock order: application, account, count of wrong codes, people, businesses.
 */

interface Recorded {
  readonly success: true;
  readonly data: { readonly tag: string };
}

/** Where an application's money goes and what is prepared, for its client and for staff. Throws NOT_FOUND. */
export async function readPayout(platform: Platform, caller: SignedInCaller, tag: string): Promise<ApplicationPayout> {
  const read = async (snapshot: Connection): Promise<ApplicationPayout> => {
    const invoice = await findInvoice(snapshot, caller, tag);
    const [due, { options, payee }, open] = await together(
      findDuePayout(snapshot, invoice),
      findPayee(platform, snapshot, invoice.tag, caller.now),
      selectOpenPayout(snapshot, invoice.tag),
    );
    const show = (account: AccountRow) => presentAccount(platform, account, caller.now);
    const mayChoose = !isStaff(caller.person) && open === undefined && !isOver(invoice.status);
    return {
      currency: invoice.currencyCode,
      account: payee === undefined ? null : show(payee),
      next: due === undefined ? null : { kind: due.kind, amount: fromMinor(due.amount) },
      prepared: open === undefined ? null : await presentPrepared(platform, snapshot, caller, { open, options }),
      options: mayChoose ? options.filter(({ state }) => state !== 'frozen' && state !== 'replaced').map(show) : [],
      mayChoose,
      waitHours: waitHours(platform),
    };
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read' });
}

async function presentPrepared(
  platform: Platform,
  connection: Connection,
  caller: SignedInCaller,
  { open, options }: { readonly open: OpenPayout; readonly options: readonly AccountRow[] },
): Promise<PreparedPayout> {
  const account = options.find(({ id }) => id === open.accountId);
  if (account === undefined) throw new Error('a payout goes to an account of another business');
  const staff = isStaff(caller.person);
  const [full] = staff ? await selectForOfficers(connection, { accountId: account.id }) : [];
  return {
    tag: open.tag,
    kind: open.kind,
    amount: fromMinor(open.amount),
    account: presentAccount(platform, account, caller.now),
    preparedAt: open.preparedAt.toISOString(),
    preparedBy: staff ? open.preparedByName : null,
    isOwn: open.preparedBy === caller.person.id,
    payee: full === undefined ? null : presentForOfficer(platform, caller, full),
  };
}

/** The payouts that wait for their release. */
export async function listWaitingPayouts(platform: Platform): Promise<WaitingPayout[]> {
  return (await selectWaitingPayouts(platform.db)).map(presentWaiting);
}

/**
 * Prepares the payout that is due, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS; PAYOUT_NOTHING,
 * PAYOUT_PREPARED; PAYOUT_ACCOUNT_MISSING; PAYOUT_CHANGED for another amount or account than the officer saw; the
 * account's refusal; NEW_OFFICER, FLAG_OPEN and what `requirePreparable` throws.
 */
export function preparePayout(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  body: PreparePayoutBody,
): Promise<Recorded> {
  return changeOnce(platform, caller, { name: 'preparePayout', input: { tag, body } }, async (change) => {
    const [account, { payee }, open] = await together(
      openAccount(change, caller, tag),
      findPayee(platform, change, tag, caller.now),
      selectOpenPayout(change, tag),
    );
    if (open !== undefined) throw new AppError('PAYOUT_PREPARED');
    const due = duePayout(account);
    if (due === undefined) throw new AppError('PAYOUT_NOTHING');
    if (payee === undefined) throw new AppError('PAYOUT_ACCOUNT_MISSING');
    requireSeen(body, due.amount, payee);
    const held = holdAccount(change, payee.id);
    await together(held, requirePreparer(platform, change, caller, account.invoice, due.kind));
    refuseUnusable(platform, await held, caller.now);
    const payout = { tag: randomUUID(), invoice_id: account.invoice.id, kind: due.kind, account_id: payee.id };
    const prepared = { prepared_at: caller.now, prepared_by: caller.person.id };
    insertPayout(change, { ...payout, amount: minorToNumeric(due.amount), ...prepared });
    record(change, caller, account.invoice, 'prepared', {
      payout: payout.tag,
      kind: due.kind,
      amount: due.amount,
      account: payee.tag,
    });
    return { success: true, data: { tag: payout.tag } };
  });
}

/** Throws PAYOUT_CHANGED unless amount and account are those that the officer saw. */
function requireSeen(seen: PreparePayoutBody, amount: number, { tag }: Pick<AccountRow, 'tag'>): void {
  if (seen.amount !== amount || !isSameTag(seen.accountTag, tag)) throw new AppError('PAYOUT_CHANGED');
}

async function requirePreparer(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  kind: OpenPayout['kind'],
): Promise<void> {
  if (kind === 'surplus') return requireStanding(platform, change, caller);
  lockCasePeople(change, caller, invoice);
  const [, , flags] = await together(
    requireStanding(platform, change, caller),
    requirePreparable(platform, change, caller, invoice),
    findUnacknowledged(platform, change, caller, invoice),
  );
  refuseOpen(flags);
}

/** The stored outcome of a release: a wrong code is an outcome, because it was counted. */
type Outcome = Recorded | { readonly wrongCode: true };

/**
 * Releases a prepared payout and records its payment, once per Idempotency-Key. Throws what `beginConfirmation` throws;
 * NOT_FOUND, OWN_BUSINESS; PAYOUT_CLOSED, OWN_PAYOUT, PAYOUT_CHANGED; DATE_TOO_EARLY before it was prepared; the account's refusal; what `beginPayment` throws; and
 * last SECOND_FACTOR_WRONG at `code`, so that a code is spent only on a payout that goes out.
 */
export async function releasePayout(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  { password, ...body }: ReleasePayoutBody,
): Promise<Recorded> {
  const confirm = await beginConfirmation(platform, caller, { code: body.code, password });
  const outcome = await changeOnce(platform, caller, { name: 'releasePayout', input: { tag, body } }, (change) =>
    release(platform, change, caller, { tag, body, confirm }),
  );
  if ('wrongCode' in outcome) throw fieldError('SECOND_FACTOR_WRONG', 'code');
  return outcome;
}

interface Release {
  readonly tag: string;
  readonly body: Omit<ReleasePayoutBody, 'password'>;
  readonly confirm: Confirmation;
}

async function release(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  { tag, body, confirm }: Release,
): Promise<Outcome> {
  const [account, open, payee, prove] = await together(
    openAccount(change, caller, tag),
    selectOpenPayout(change, tag),
    holdPreparedAccount(change, tag),
    confirm(change),
  );
  if (open === undefined || payee === undefined || !isSameTag(body.payoutTag, open.tag))
    throw new AppError('PAYOUT_CLOSED');
  if (open.preparedBy === caller.person.id) throw new AppError('OWN_PAYOUT');
  requireSeen(body, open.amount, payee);
  if (body.date < kampalaDate(open.preparedAt)) throw fieldError('DATE_TOO_EARLY', 'date');
  refuseUnusable(platform, payee, caller.now);
  const enter = await beginPayment(platform, change, caller, account, {
    kind: open.kind,
    amount: open.amount,
    method: providers[payee.provider].method,
    reference: body.reference,
    date: body.date,
    to: maskedAccount(payee),
  });
  if ((await prove()) !== undefined) return { wrongCode: true };
  const entry = await enter();
  endPayout(change, open.id, {
    released_at: caller.now,
    released_by: caller.person.id,
    entry_tag: entry.tag,
  });
  record(change, caller, account.invoice, 'released', { payout: open.tag, entry: entry.tag });
  return { success: true, data: entry };
}

/** Cancels a prepared payout, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS and PAYOUT_CLOSED. */
export function cancelPayout(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  { payoutTag, reason }: CancelPayoutBody,
): Promise<{ success: true }> {
  const operation = { name: 'cancelPayout', input: { tag, payoutTag, reason } };
  return changeOnce(platform, caller, operation, async (change) => {
    const [invoice, open] = await together(lockCase(change, caller, tag), selectOpenPayout(change, tag));
    if (open === undefined || !isSameTag(payoutTag, open.tag)) throw new AppError('PAYOUT_CLOSED');
    endPayout(change, open.id, {
      cancelled_at: caller.now,
      cancelled_by: caller.person.id,
      cancel_reason: reason,
    });
    record(change, caller, invoice, 'cancelled', { payout: open.tag, reason });
    return { success: true };
  });
}

function record(change: Change, caller: SignedInCaller, invoice: InvoiceRecord, what: string, after: object): void {
  recordEvent(change, caller, {
    action: `payout.${what}`,
    subjectType: 'invoice',
    subjectTag: invoice.tag,
    after,
  });
}
