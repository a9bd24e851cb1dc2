import { randomUUID } from 'node:crypto';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { type DuePayout, duePayout } from '#contract/payments/payment.ts';
import { type Obstacle, obstaclesOf, type PayingFacts } from '#contract/payouts/officers.ts';
import { outlookOf } from '#contract/payouts/outlook.ts';
import {
  decidePreparation,
  decideRelease,
  findPreparable,
  paymentOf,
  refusalsOnScreen,
} from '#contract/payouts/payout.ts';
import type {
  ApplicationPayout,
  CancelPayoutBody,
  PayoutKind,
  PreparedPayout,
  PreparePayoutBody,
  ReleasePayoutBody,
} from '#contract/payouts/schema.ts';
import { isStaff } from '#contract/permissions.ts';
import { sayRefusal } from '#contract/refusals/refusal.ts';
import { isSameTag } from '#contract/tags.ts';
import { confirmPassword, holdCode, isRightCode } from '#server/accounts/second-factor/confirmation.service.ts';
import { lockCaseBusinesses, lockCasePeople } from '#server/approvals/case-facts.service.ts';
import { AppError, fieldError, orRefuse } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, doOnce, recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { gather, together } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice, lockCase } from '#server/invoices/invoices.service.ts';
import { openAccount } from '#server/payments/entries.service.ts';
import { findPaidBefore } from '#server/payments/paid-out.service.ts';
import { findDuePayout, recordPayment } from '#server/payments/payments.service.ts';
import { askHolder } from '#server/payout-accounts/holders.service.ts';
import {
  type CashFacts,
  findCashFacts,
  findLateness,
  presentOutlook,
} from '#server/payout-accounts/outlook.service.ts';
import { presentAccount, presentForOfficer, waitHours } from '#server/payout-accounts/payout-accounts.presenter.ts';
import { type AccountRow, selectForOfficers } from '#server/payout-accounts/payout-accounts.queries.ts';
import { findPayee, isOver } from '#server/payout-accounts/payout-choices.service.ts';
import {
  insertPayout,
  lockPayoutAccount,
  lockPreparedAccount,
  movePayout,
  type OpenPayout,
  selectOpenPayout,
} from '#server/payout-accounts/payout-holds.queries.ts';
import { exceededLimit, findWallet, partsFor } from '#server/payout-accounts/wallet-limits.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import type { OpenRail } from '#server/rails/open-rails.ts';
import { lockPeople } from '#server/sessions/officers.ts';
import { endUnbatched, findTransfer } from '#server/transfers/transfers.service.ts';
import { findPayingFacts, isFirstPayout } from './paying-facts.service.ts';
import { orderPart } from './payout-parts.service.ts';

/**
 * Payouts (docs/decisions/0044-payout-accounts.md): one officer prepares, another releases. Both steps check everything
 * under the application's lock. Lock order: application, account, count of wrong codes, people, businesses.
 */

interface Recorded {
  readonly success: true;
  readonly data: { readonly tag: string };
}

/** An application's payout account and prepared payout, for its client and for staff. Throws NOT_FOUND. */
export async function readPayout(context: Context, tag: string): Promise<ApplicationPayout> {
  const { platform, caller } = context;
  const read = async (snapshot: Connection): Promise<ApplicationPayout> => {
    const invoice = await findInvoice(snapshot, caller, tag);
    const staff = isStaff(caller.person);
    const {
      due,
      payees: { options, payee },
      open,
      transfer,
    } = await gather({
      due: findDuePayout(snapshot, invoice),
      payees: findPayee(platform, snapshot, invoice.tag, caller.now),
      open: selectOpenPayout(snapshot, invoice.tag),
      transfer: findTransfer(platform, snapshot, invoice.tag, { isStaff: staff }),
    });
    const isOnItsWay = open !== undefined && open.releasedAt !== null;
    const show = (account: AccountRow) => presentAccount(platform, account, caller.now);
    const mayChoose = !staff && open === undefined && !isOver(invoice.status);
    const amount = open?.amount ?? due?.amount;
    const kind = open?.kind ?? due?.kind;
    const next = kind && (await findNext(context, snapshot, { invoice, kind, amount: amount ?? 0 }));
    return {
      currency: invoice.currencyCode,
      account: payee === undefined ? null : show(payee),
      next: due === undefined || isOnItsWay ? null : { kind: due.kind, amount: fromMinor(due.amount) },
      isRest: due?.kind === 'disbursement' && invoice.status !== 'Approved',
      ...(isOnItsWay || next === undefined ? wholly : takesOf(platform, invoice, next.facts)),
      prepared:
        open === undefined || isOnItsWay
          ? null
          : await presentPrepared(context, snapshot, { open, options, currency: invoice.currencyCode }),
      refusals: next && staff && !isOnItsWay ? presentRefusals(context, open, next.facts) : [],
      outlook: next?.outlook ?? null,
      transfer,
      options: mayChoose ? options.filter(({ state }) => state !== 'frozen' && state !== 'replaced').map(show) : [],
      mayChoose,
      waitHours: waitHours(platform),
    };
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read' });
}

interface DueOnCase {
  readonly invoice: InvoiceRecord;
  readonly kind: PayoutKind;
  /** In minor units. */
  readonly amount: number;
}

/** The facts of the payout that comes next or is open, and from when its cash can go. */
async function findNext(context: Context, connection: Connection, { invoice, kind, amount }: DueOnCase) {
  const paid = { id: invoice.id, currency: invoice.currencyCode };
  const { factsOf, obstacle } = await gather({
    factsOf: findCashFacts(context, connection, [paid]),
    obstacle: findObstacle(context, connection, { invoice, kind }),
  });
  const facts = factsOf(paid, amount);
  return { facts, outlook: presentOutlook(outlookOf({ ...facts, obstacle }), facts.payee) };
}

/** What stops the payout apart from its account: for officers whatever does, for clients what they can change. */
async function findObstacle(
  context: Context,
  connection: Connection,
  subject: Pick<DueOnCase, 'invoice' | 'kind'>,
): Promise<Obstacle | undefined> {
  if (isStaff(context.caller.person)) return obstaclesOf(await findPayingFacts(context, connection, subject))[0];
  const { businessId, status } = subject.invoice;
  return status === 'Approved' ? findLateness(context.platform, connection, businessId) : undefined;
}

function takesOf(
  platform: Platform,
  { currencyCode: currency }: InvoiceRecord,
  { payee, amount }: CashFacts,
): Pick<ApplicationPayout, 'walletTakes' | 'parts'> {
  if (payee === undefined) return wholly;
  const most = exceededLimit(platform, { payee, currency, amount });
  if (most !== undefined) return { ...wholly, walletTakes: fromMinor(most) };
  const parts = partsFor(platform, { payee, currency, amount });
  return parts.length < 2 ? wholly : { ...wholly, parts: parts.map(fromMinor) };
}

const wholly = { walletTakes: null, parts: [] };

/** The reasons that stop the next payout, for officers. */
function presentRefusals(
  { caller }: Context,
  open: OpenPayout | undefined,
  facts: CashFacts,
): ApplicationPayout['refusals'] {
  const refusals = refusalsOnScreen({ ...facts, me: caller.person.id }, open, facts.amount);
  return refusals.map((refusal) => ({ code: refusal.code, text: sayRefusal(refusal) }));
}

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
  const [full] = staff ? await selectForOfficers(connection, { accountIds: [account.id] }) : [];
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

/**
 * Prepares the payout that is due, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, and the first refusal of
 * {@link decidePreparation}.
 */
export async function preparePayout(context: Context, tag: string, body: PreparePayoutBody): Promise<Recorded> {
  const { platform, caller } = context;
  await askHolder(context, body.accountTag);
  return changeOnce(context, { name: 'preparePayout', input: { tag, body } }, async (work) => {
    const { change } = work;
    const { account, payees, open } = await gather({
      account: openAccount(work, tag),
      payees: findPayee(platform, change, tag, caller.now),
      open: selectOpenPayout(change, tag),
    });
    const { invoice } = account;
    const { payee, ...due } = orRefuse(findPreparable({ open, due: duePayout(account), payee: payees.payee }, body));
    const found = await gather({
      payee: lockPayoutAccount(change, payee.id),
      wallet: findWallet(work, change, { payee, currency: invoice.currencyCode }),
      officer: lockPayingFacts(work, invoice, due.kind),
    });
    const facts = { ...found, now: caller.now, due, accountWaitMs: platform.config.payoutAccountWaitMs };
    return writePrepared(work, invoice, orRefuse(decidePreparation(facts)));
  });
}

/** Like {@link findPayingFacts}, of a locked application. Locks people and businesses. */
function lockPayingFacts(work: Work, invoice: InvoiceRecord, kind: PayoutKind): Promise<PayingFacts> {
  const { change, caller } = work;
  const isFirst = isFirstPayout(invoice, kind);
  if (isFirst) lockCasePeople(work, invoice);
  else lockPeople(change, [caller.person.id]);
  const locked = isFirst ? { active: lockCaseBusinesses(work, invoice) } : {};
  return findPayingFacts(work, change, { invoice, kind, ...locked });
}

function writePrepared(
  work: Work,
  invoice: InvoiceRecord,
  { kind, amount, payee }: DuePayout & { readonly payee: AccountRow },
): Recorded {
  const { change, caller } = work;
  const [tag, reference] = [randomUUID(), randomUUID()];
  insertPayout(change, {
    tag,
    invoice_id: invoice.id,
    kind,
    account_id: payee.id,
    amount: minorToNumeric(amount),
    prepared_at: caller.now,
    prepared_by: caller.person.id,
    reference,
  });
  const after = { payout: tag, kind, amount, account: payee.tag, reference };
  recordEvent(work, 'payout.prepared', ['invoice', invoice.tag], { after });
  return { success: true, data: { tag } };
}

/** The stored reply to a release. It may be a wrong code: that was counted, so it must be committed too. */
type Released = Recorded | { readonly wrongCode: true };

/**
 * Releases a prepared payout, once per Idempotency-Key: orders it from the provider, or records the payment made by
 * hand. Throws what {@link confirmPassword} and {@link holdCode} throw; NOT_FOUND, OWN_BUSINESS; PAYOUT_CLOSED; and the
 * first refusal of {@link decideRelease}. SECOND_FACTOR_WRONG at `code` is checked last, so that a code is spent only
 * on a payout that goes out.
 */
export async function releasePayout(
  context: Context,
  tag: string,
  { password, ...body }: ReleasePayoutBody,
): Promise<Recorded> {
  const code = await confirmPassword(context, { code: body.code, password });
  await askHolder(context, body.accountTag);
  const released = await changeOnce(context, { name: 'releasePayout', input: { tag, body } }, (work) =>
    release(work, tag, { ...body, code }),
  );
  if ('wrongCode' in released) throw fieldError('SECOND_FACTOR_WRONG', 'code');
  return released;
}

async function release(work: Work, tag: string, body: Omit<ReleasePayoutBody, 'password'>): Promise<Released> {
  const { platform, change, caller } = work;
  const { account, open, payee, held } = await gather({
    account: openAccount(work, tag),
    open: selectOpenPayout(change, tag),
    payee: lockPreparedAccount(change, tag),
    held: body.code === undefined ? undefined : holdCode(work, body.code),
  });
  if (open === undefined || payee === undefined || open.releasedAt !== null || !isSameTag(body.payoutTag, open.tag))
    throw new AppError('PAYOUT_CLOSED');
  const { invoice } = account;
  const { currencyCode } = invoice;
  const rail = platform.rails.payingTo(payee.provider, currencyCode);
  const prepared = { now: caller.now, open, payee, isByHand: rail === undefined };
  const found = await gather({
    wallet: findWallet(work, change, { payee, currency: currencyCode }),
    before: findPaidBefore(change, invoice, { ...prepared, ...paymentOf(prepared, body) }),
    officer: lockPayingFacts(work, invoice, open.kind),
  });
  const { payoutAccountWaitMs: accountWaitMs } = platform.config;
  const facts = { ...prepared, ...found, me: caller.person.id, account, accountWaitMs };
  const payment = orRefuse(decideRelease(facts, body));
  if (held !== undefined && !(await isRightCode(work, held))) return { wrongCode: true };
  if (rail !== undefined) return handOver(work, { invoice, open, payee }, rail);
  return recordPaid(work, { invoice, open }, await recordPayment(work, account, payment));
}

interface Ready {
  readonly invoice: InvoiceRecord;
  readonly open: OpenPayout;
  readonly payee: AccountRow;
}

function recordPaid(
  work: Changing,
  { invoice, open }: Pick<Ready, 'invoice' | 'open'>,
  entry: Recorded['data'],
): Recorded {
  const { change, caller } = work;
  movePayout(change, open.id, { released_at: caller.now, released_by: caller.person.id, entry_tag: entry.tag });
  const after = { payout: open.tag, entry: entry.tag };
  recordEvent(work, 'payout.released', ['invoice', invoice.tag], { after });
  return { success: true, data: entry };
}

/** Orders the transfer from the provider. Its journal entry is posted once the provider reports it as paid. */
async function handOver(work: Work, { invoice, open, payee }: Ready, rail: OpenRail): Promise<Recorded> {
  const { change, caller } = work;
  const order = await orderPart(work, rail, { payout: open, payee, invoice, releasedBy: caller.person.id });
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
      if (!(await endUnbatched(work, open.tag, reason))) throw new AppError('PAYOUT_ON_ITS_WAY');
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
