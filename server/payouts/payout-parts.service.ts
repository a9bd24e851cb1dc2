import { createHash, randomUUID } from 'node:crypto';
import { failures } from '#contract/errors.ts';
import { minorToNumeric } from '#contract/money.ts';
import { refusalsOfPayee } from '#contract/payouts/payout.ts';
import type { Actor } from '#server/calls/caller.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { AccountRow } from '#server/payout-accounts/payout-accounts.queries.ts';
import { insertPart, lockPayoutAccount, type selectPayout } from '#server/payout-accounts/payout-holds.queries.ts';
import { findWallet, partsFor } from '#server/payout-accounts/wallet-limits.service.ts';
import type { Work } from '#server/platform/work.ts';
import type { OpenRail } from '#server/rails/open-rails.ts';
import type { Ended } from '#server/transfers/following.service.ts';
import { orderTransfer } from '#server/transfers/transfers.service.ts';

/**
 * Payouts in parts (docs/decisions/0047-rails.md), for amounts above a wallet's limit. Each part is a payout of its own
 * with a transfer, so every rule about payouts holds for parts too. The amount of the payout is the whole sum still to
 * be sent; the amount of its transfer is the part.
 */

interface Released {
  readonly payout: { readonly id: number; readonly amount: number; readonly reference: string };
  readonly payee: AccountRow;
  readonly invoice: Pick<InvoiceRecord, 'id' | 'currencyCode' | 'repaymentReference'>;
  readonly releasedBy: number;
}

/** The part that was ordered, for the log. */
export interface OrderedPart {
  readonly transfer: string;
  readonly reference: string;
  readonly rail: string;
  /** Minor units. */
  readonly amount: number;
}

/** Orders the next part of a released payout: the full amount if the account can take it at once. */
export async function orderPart(
  work: Work<Actor>,
  rail: OpenRail,
  { payout: { id, amount, reference }, payee, invoice, releasedBy }: Released,
): Promise<OrderedPart> {
  const currency = invoice.currencyCode;
  const [part = amount] = partsFor(work.platform, { payee, currency, amount });
  const transfer = await orderTransfer(work, rail, {
    direction: 'out',
    invoice_id: invoice.id,
    payout_id: id,
    reference,
    amount: minorToNumeric(part),
    currency,
    number: payee.number,
    holder_name: payee.holderName,
    label: invoice.repaymentReference,
    created_by: releasedBy,
  });
  return { transfer, reference, rail: rail.kind.id, amount: part };
}

/** The next payout to be sent, or why the rest stays owed to the client. */
type OfRest = { readonly next: string; readonly order: OrderedPart } | { readonly kept: string };

/** The part of a payout that is left after a paid part, in minor units. */
interface Rest {
  readonly payout: Awaited<ReturnType<typeof selectPayout>>;
  readonly rest: number;
}

/** Orders the rest of a payout in the transaction that records a part as paid, so that both happen or neither. */
export async function orderRest(
  work: Work<Actor>,
  { invoice, transfer }: Ended,
  { payout, rest }: Rest,
): Promise<OfRest> {
  const { platform, change, caller } = work;
  const { now } = caller;
  const payee = await lockPayoutAccount(change, payout.accountId);
  const rail = platform.rails.payingTo(payee.provider, invoice.currencyCode);
  if (rail === undefined)
    return { kept: 'No provider pays to this account now. Ask your administrator, or pay the rest by hand' };
  const facts = {
    now,
    payee,
    accountWaitMs: platform.config.payoutAccountWaitMs,
    wallet: await findWallet(work, change, { payee, currency: invoice.currencyCode }),
  };
  const [refusal] = refusalsOfPayee(facts, rest);
  if (refusal !== undefined) return { kept: failures[refusal.code].msg };
  const tag = randomUUID();
  const reference = referenceAfter(transfer.reference);
  const releasedBy = transfer.createdBy;
  const id = await insertPart(change, {
    tag,
    invoice_id: invoice.id,
    kind: payout.kind,
    account_id: payee.id,
    amount: minorToNumeric(rest),
    prepared_at: payout.preparedAt,
    prepared_by: payout.preparedBy,
    released_at: now,
    released_by: releasedBy,
    part_of: payout.partOf ?? payout.id,
    reference,
  });
  const part = { payout: { id, amount: rest, reference }, payee, invoice, releasedBy };
  return { next: tag, order: await orderPart(work, rail, part) };
}

/**
 * The reference of the next part, derived from this one: if a server dies and the order is made again, it gets the same
 * reference. A UUID v4, because providers take no other form.
 */
function referenceAfter(reference: string): string {
  const digest = createHash('sha256').update(reference).digest('hex');
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
}
