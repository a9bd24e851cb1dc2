import type { StandingEntry } from '#contract/payments/balance.ts';
import {
  acceptPayment,
  type DuePayout,
  duePayout,
  type Payment,
  type PaymentDecision,
  type Receipt,
} from '#contract/payments/payment.ts';
import { decideReceipt, type ReceiptDecision } from '#contract/payments/receipt.ts';
import type { ReceiptBody } from '#contract/payments/schema.ts';
import { orRefuse } from '#server/calls/app-error.ts';
import type { Actor } from '#server/calls/caller.ts';
import { changeOnce } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { type StandingRow, selectStanding } from '#server/journal/journal.queries.ts';
import { postEntry } from '#server/journal/journal.service.ts';
import { findDerivation, writeCorrection } from '#server/payments/derived/derived.service.ts';
import { findLeftAlone } from '#server/payments/proposals/alone.service.ts';
import { findCounted } from '#server/payments/received/received.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { type Account, type EntryFacts, enter, findEntryFacts, openAccount } from './entries.service.ts';

/** The tag of the new entry. */
interface Recorded {
  readonly tag: string;
}

/**
 * Records a payment to us on one officer's word, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER,
 * and the first refusal of {@link decideReceipt}.
 */
export function recordReceipt(context: Context, tag: string, receipt: ReceiptBody): Promise<Recorded> {
  const payment = { kind: 'receipt', ...receipt } as const;
  return changeOnce(context, { name: 'recordPayment', input: { tag, payment } }, async (work) => {
    const { account, counted } = await gather({
      account: openAccount(work, tag),
      standing: requireStanding(work),
      counted: findCounted(work.change, receipt),
    });
    const { entering, ...found } = await gather({
      derivation: findDerivation(work.change, account, work.caller.now),
      leftAlone: findLeftAlone(work, account.invoice),
      entering: findEntryFacts(work, account.invoice, 'receipt'),
    });
    const decision = orRefuse(decideReceipt({ account, counted, ...found }, payment));
    return writeReceipt(work, account, { decision, facts: entering });
  });
}

/**
 * Records a payment to us that a statement or a provider proves, on an application that is locked and already read.
 * Throws the first refusal of {@link decideReceipt}.
 */
export async function receive(work: Work<Actor>, account: Account, receipt: Receipt): Promise<Recorded> {
  const { derivation, facts } = await gather({
    derivation: findDerivation(work.change, account, work.caller.now),
    facts: findEntryFacts(work, account.invoice, 'receipt'),
  });
  const decision = orRefuse(decideReceipt({ account, derivation }, receipt));
  return writeReceipt(work, account, { decision, facts });
}

/** Records a payout. Nothing refuses it, because the money has already left. */
export async function recordPayment(work: Work<Actor>, account: Account, payment: Payment): Promise<Recorded> {
  const facts = await findEntryFacts(work, account.invoice, payment.kind);
  return writePayment(work, account, { decision: acceptPayment(account, payment), facts });
}

interface Written<Decision> {
  readonly decision: Decision;
  readonly facts: EntryFacts;
}

/** Writes a receipt, and first the correction of derived entries that it needs. */
export function writeReceipt(
  work: Work<Actor>,
  account: Account,
  { decision, facts }: Written<ReceiptDecision<StandingRow>>,
): Promise<Recorded> {
  writeCorrection(work, account, decision.correction);
  return writePayment(work, { ...account, standing: decision.correction.standing }, { decision, facts });
}

/** Writes a payment on a locked application, with its step. */
function writePayment(
  work: Work<Actor>,
  account: Account<StandingEntry>,
  { decision: { payment, step, entry, standing }, facts }: Written<PaymentDecision>,
): Promise<Recorded> {
  return enter(work, account, {
    facts,
    step,
    standing,
    entry: postEntry(work, account, entry),
    ...(payment.kind === 'receipt' ? { from: payment.from } : { to: payment.to }),
  });
}

/** The payout that we owe on an application, without locking it; undefined if nothing can be sent. */
export async function findDuePayout(connection: Connection, invoice: InvoiceRecord): Promise<DuePayout | undefined> {
  const { application } = invoice;
  if (application === null) return undefined;
  return duePayout({ invoice, application, standing: await selectStanding(connection, invoice.tag) });
}
