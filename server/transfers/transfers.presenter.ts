import { fromMinor } from '#contract/money.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { maskedAccount, maskedNumber } from '#contract/payouts/account.ts';
import { partsOf } from '#contract/payouts/wallet-limits.ts';
import type { OpenTransfer, ShownTransfer } from '#contract/transfers/schema.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { OpenEnding } from '#server/transfers/endings/endings.queries.ts';
import { mayEnd, type OpenRow, type ShownRow } from './transfers.queries.ts';

/**
 * A payout over a rail. Only officers see the provider's own words, a refusal that is not certain yet, and the
 * releaser.
 */
export function presentTransfer(
  { rails }: Pick<Platform, 'rails'>,
  row: ShownRow,
  { isStaff }: { readonly isStaff: boolean },
): ShownTransfer {
  const { tag, state, providerReference, isHeld, provider, number, bankName } = row;
  const to = maskedAccount({ provider, number, holderName: row.holderName ?? '', bankName });
  return {
    tag,
    state,
    providerReference,
    isHeld,
    to,
    refusal: isStaff || state === 'failed' ? row.refusal : null,
    rail: rails.nameOf(row.rail),
    amount: fromMinor(row.amount),
    part: presentPart(row),
    releasedAt: row.createdAt.toISOString(),
    nextAskAt: row.nextAskAt?.toISOString() ?? null,
    knownAt: row.knownAt?.toISOString() ?? null,
    file: isStaff && rails.fileOf(row.rail) !== undefined ? presentFile(row) : null,
    said: isStaff ? row.said : null,
    releasedBy: isStaff ? row.createdByName : null,
  };
}

/**
 * The position of a part in its payout. All parts except the last are as large as the wallet's limit per payment, so
 * the amount tells how many follow.
 */
function presentPart({ amount, payoutAmount, paidParts: paid }: ShownRow): ShownTransfer['part'] {
  const rest = payoutAmount - amount;
  if (rest === 0 && paid.length === 0) return null;
  const number = paid.length + 1;
  return { number, of: number + partsOf(rest, { perPayment: amount }).length, rest: fromMinor(rest), paid };
}

function presentFile({ fileReference, batchNumber, sentAt, payoutTag }: ShownRow): ShownTransfer['file'] {
  const reference = sayRepaymentReference(fileReference);
  return { reference, batch: batchNumber, sentAt: sentAt?.toISOString() ?? null, payoutTag };
}

/** Presents an open transfer, with an officer's proposal about it. */
export function presentOpen(
  platform: Pick<Platform, 'rails'>,
  { person }: Pick<SignedInCaller, 'person'>,
  row: OpenRow,
  ending: OpenEnding | undefined,
): OpenTransfer {
  const { invoiceTag: applicationTag, invoiceNumber, client, clientTag, currency, direction } = row;
  const shown = isPayout(row) ? presentTransfer(platform, row, { isStaff: true }) : presentRequest(platform, row);
  return {
    ...shown,
    direction,
    applicationTag,
    invoiceNumber,
    client,
    clientTag,
    currency,
    isLate: row.toldAt !== null,
    mayEnd: mayEnd(row),
    ending: ending === undefined ? null : presentEnding(person.id, ending),
  };
}

/** Whether an open transfer is a payout, not a request to pay. */
function isPayout(row: OpenRow): row is OpenRow & ShownRow {
  return row.payoutTag !== null;
}

/** Presents a request to pay in the shape of a payout; `to` is the payer's number. */
function presentRequest({ rails }: Pick<Platform, 'rails'>, row: OpenRow): ShownTransfer {
  const { tag, state, said, createdByName: releasedBy } = row;
  return {
    tag,
    state,
    said,
    releasedBy,
    providerReference: null,
    refusal: null,
    file: null,
    knownAt: null,
    part: null,
    isHeld: false,
    rail: rails.nameOf(row.rail),
    amount: fromMinor(row.amount),
    to: maskedNumber(row.number),
    releasedAt: row.createdAt.toISOString(),
    nextAskAt: row.nextAskAt?.toISOString() ?? null,
  };
}

function presentEnding(readerId: number, ending: OpenEnding): OpenTransfer['ending'] {
  const { tag, outcome, providerReference, reason, proposedByName: proposedBy } = ending;
  return { tag, outcome, providerReference, reason, proposedBy, isOwn: ending.proposedBy === readerId };
}
