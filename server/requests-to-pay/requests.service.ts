import { randomUUID } from 'node:crypto';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { balanceOf } from '#contract/payments/balance.ts';
import { maskedAccount, maskedNumber, providers } from '#contract/payouts/account.ts';
import { isStaff } from '#contract/permissions.ts';
import {
  type AskedProvider,
  askedProviders,
  mostToAsk,
  providerOfNumber,
  refusalOfAmount,
} from '#contract/requests-to-pay/amount.ts';
import type { PayNowReply, RequestForm } from '#contract/requests-to-pay/schema.ts';
import { isSameTag } from '#contract/tags.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import { changeOnce, recordEvent } from '#server/changes/change.ts';
import { accountsIn } from '#server/config/setting-groups.ts';
import type { Connection } from '#server/db/database.ts';
import { asSystem } from '#server/db/row-scope.ts';
import { together } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice, lockInvoice } from '#server/invoices/invoices.service.ts';
import { type StandingRow, selectStanding } from '#server/journal/journal.queries.ts';
import { findPayee } from '#server/payout-accounts/payout-choices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import type { OpenRail } from '#server/rails/open-rails.ts';
import { hasOpenRequest, selectNthNewestRequest, selectRequests } from '#server/transfers/transfers.queries.ts';
import { orderTransfer } from '#server/transfers/transfers.service.ts';
import { presentProvider, presentRequest } from './requests.presenter.ts';
import { lockRequests, selectOwnPhone } from './requests.queries.ts';

/** Requests to pay: a client has us ask a phone for what they owe (docs/decisions/0051-pay-now.md). */

/** A rail that asks phones, with its limits. Minor units. */
export interface AskedRail {
  readonly provider: AskedProvider;
  readonly rail: OpenRail;
  readonly least: number;
  readonly usualMost: number | null;
}

/** One whole shilling, in minor units. */
const LEAST = 100;
const SHOWN = 20;
/** Limited, because each request makes a phone ring that may belong to somebody else. */
const REQUESTS_AN_HOUR = 10;

/** The rails that ask phones in a currency. */
function railsFor({ rails }: Platform, currency: string): AskedRail[] {
  return askedProviders.flatMap((provider) => {
    const rail = rails.payingTo(provider, currency);
    if (rail === undefined) return [];
    const { least = LEAST, usualMost = null } = rail.kind.request ?? {};
    return [{ provider, rail, least, usualMost }];
  });
}

/** The debt on a paid out application, including what was written off. */
function owedOn({ status, application }: InvoiceRecord, standing: readonly StandingRow[]): number {
  if (status !== 'Disbursed' || application === null) return 0;
  const { outstanding, lost } = balanceOf(application.advance, standing);
  return outstanding + lost;
}

/** The options for paying by phone now, and the requests so far. Throws NOT_FOUND. */
export async function readPayNow(context: Context, tag: string): Promise<PayNowReply> {
  const { platform, caller } = context;
  const read = async (snapshot: Connection): Promise<PayNowReply> => {
    const invoice = await findInvoice(snapshot, caller, tag);
    const reader = { isStaff: isStaff(caller.person) };
    const [standing, requests] = await together(
      selectStanding(snapshot, invoice.tag),
      selectRequests(snapshot, invoice.tag, SHOWN),
    );
    const { currencyCode: currency } = invoice;
    const most = mostToAsk(owedOn(invoice, standing), currency);
    const asked = reader.isStaff || most === 0 ? [] : railsFor(platform, currency);
    return {
      invoiceNumber: invoice.invoiceNumber,
      currency,
      payTo: [...accountsIn(platform.config, currency)],
      repaymentReference: invoice.repaymentReference,
      most: fromMinor(most),
      providers: asked.map(presentProvider),
      wallets: asked.length === 0 ? [] : await listWallets(context, snapshot, invoice, asked),
      requests: requests.map((row) => presentRequest(row, reader)),
    };
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read' });
}

/** The numbers that the caller need not type, from providers that we can ask. */
async function findNumbers(
  { platform, caller: { person, now } }: Context,
  connection: Connection,
  { tag }: InvoiceRecord,
) {
  const [own, { options }] = await together(
    selectOwnPhone(connection, person.id),
    findPayee(platform, connection, tag, now),
  );
  return { own, accounts: options.filter(({ state }) => state !== 'frozen' && state !== 'replaced') };
}

async function listWallets(
  context: Context,
  connection: Connection,
  invoice: InvoiceRecord,
  asked: readonly AskedRail[],
): Promise<PayNowReply['wallets']> {
  const { own, accounts } = await findNumbers(context, connection, invoice);
  const open = (number: string) => {
    const provider = providerOfNumber(number);
    return asked.some((one) => one.provider === provider) ? provider : undefined;
  };
  const ownProvider = own === null || accounts.some(({ number }) => number === own) ? undefined : open(own);
  const others = accounts.flatMap((account) => {
    const provider = account.provider === 'bank' ? undefined : open(account.number);
    return provider === undefined ? [] : [{ id: account.tag, provider, label: maskedAccount(account) }];
  });
  if (own === null || ownProvider === undefined) return others;
  const label = `Your phone, ${providers[ownProvider].name} ${maskedNumber(own)}`;
  return [{ id: 'own', provider: ownProvider, label }, ...others];
}

/**
 * Asks a phone to pay, once per Idempotency-Key. Throws NOT_FOUND; NOTHING_TO_PAY, REQUEST_OPEN, TOO_MANY_REQUESTS;
 * UNKNOWN_REFERENCE for an account that is not the caller's, NUMBER_NOT_ASKED if no rail can ask the number;
 * BAD_REQUEST for the amount.
 */
export function askToPay(context: Context, tag: string, form: RequestForm) {
  const { platform, caller } = context;
  return changeOnce(context, { name: 'askToPay', input: { tag, form } }, async (work) => {
    // Locks the row first, so that a second press of the button sees the first request.
    const { change } = work;
    const invoice = await lockInvoice(work, tag);
    const [standing, isOpen, , tenth] = await together(
      selectStanding(change, invoice.tag),
      hasOpenRequest(change, invoice.tag),
      lockRequests(change, caller.person.id),
      selectNthNewestRequest(change, caller.person.id, REQUESTS_AN_HOUR),
    );
    if (isOpen) throw new AppError('REQUEST_OPEN');
    refuseTooMany(tenth, caller.now);
    const owed = owedOn(invoice, standing);
    if (owed <= 0) throw new AppError('NOTHING_TO_PAY');
    const { number, holderName } = await findWallet(work, invoice, form);
    const asked = railsFor(platform, invoice.currencyCode).find(
      ({ provider }) => provider === providerOfNumber(number),
    );
    if (asked === undefined) throw fieldError('NUMBER_NOT_ASKED', form.wallet === 'other' ? 'number' : 'wallet');
    const refusal = refusalOfAmount(form.amount, { owed, currency: invoice.currencyCode, least: asked.least });
    if (refusal !== undefined) throw fieldError('BAD_REQUEST', 'amount', refusal);
    return order(work, invoice, { ...asked, amount: form.amount, number, holderName });
  });
}

function refuseTooMany(tenth: Date | undefined, now: Date): void {
  const waitMs = tenth === undefined ? 0 : tenth.getTime() + HOUR_MS - now.getTime();
  if (waitMs > 0) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitMs / 1000 });
}

interface Wallet {
  readonly number: string;
  readonly holderName: string | null;
}

/** The number to ask: the caller's own, that of one of their business's accounts, or the typed one. */
async function findWallet(work: Work, invoice: InvoiceRecord, { wallet, number }: RequestForm): Promise<Wallet> {
  if (number !== undefined) return { number, holderName: null };
  const { own, accounts } = await findNumbers(work, work.change, invoice);
  if (wallet === 'own' && own !== null) return { number: own, holderName: null };
  const account = accounts.find((one) => isSameTag(wallet, one.tag));
  if (account === undefined) throw fieldError('UNKNOWN_REFERENCE', 'wallet');
  return account;
}

/** Writes the request with its job; nothing is sent before the commit. */
async function order(
  work: Work,
  invoice: InvoiceRecord,
  { rail, amount, number, holderName }: AskedRail & Wallet & { readonly amount: number },
) {
  const { caller } = work;
  const reference = randomUUID();
  const tag = await asSystem('requests', () =>
    orderTransfer(work, rail, {
      direction: 'in',
      invoice_id: invoice.id,
      number,
      holder_name: holderName,
      amount: minorToNumeric(amount),
      currency: invoice.currencyCode,
      label: invoice.repaymentReference,
      created_by: caller.person.id,
      reference,
    }),
  );
  recordEvent(work, 'request.ordered', ['invoice', invoice.tag], {
    after: { transfer: tag, rail: rail.kind.id, reference, amount, from: maskedNumber(number) },
  });
  return { success: true as const, data: { tag } };
}
