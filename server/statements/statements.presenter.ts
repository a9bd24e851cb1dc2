import { fromMinor } from '#contract/money.ts';
import { otherBuyerOf, payerOf } from '#contract/statements/payer.ts';
import type { ClaimantReply, ImportedStatement, ReceivedPayment } from '#contract/statements/schema.ts';
import { amountFor } from '#contract/statements/suggestions.ts';
import type { OpenReturn } from './returns.queries.ts';
import { returnRefusalOf } from './returns.service.ts';
import type { Offer } from './suggestions.service.ts';
import type { ClaimantRow, NamedPayout, selectStatements, WaitingLine } from './waiting.queries.ts';

/** Presents money in suspense to officers. */
export function presentWaiting(
  { line, match, payout, refusal, suggested, buyers }: Offer,
  open: OpenReturn | undefined,
  readerId: number,
): ReceivedPayment {
  const { tag, rail, currency, date, payerNumber, payerName, details } = line;
  return {
    tag,
    rail,
    currency,
    date,
    payerNumber,
    payerName,
    details,
    amount: fromMinor(line.amount),
    left: fromMinor(line.left),
    id: line.providerId,
    why: match.isSure ? 'underWay' : match.why,
    suggestions:
      open === undefined
        ? suggested.map(({ to, reasons }) => ({ ...presentClaimant(to, line, buyers), reasons: [...reasons] }))
        : [],
    refusal,
    payout: payout === null ? null : presentPayout(payout),
    return: open === undefined ? null : presentReturn(line, open, readerId),
  };
}

function presentPayout({ tag: applicationTag, invoiceNumber, client, paidAs }: NamedPayout) {
  return { applicationTag, invoiceNumber, client, paidAs };
}

function presentReturn(line: WaitingLine, open: OpenReturn, readerId: number) {
  const { tag, amount, reason, proposedByName: proposedBy } = open;
  return { tag, amount: fromMinor(amount), reason, proposedBy, refusal: returnRefusalOf(line, open, readerId) };
}

/** Presents an application for a line, with its likely payer. `buyers` are those that the payer may be. */
export function presentClaimant(
  row: ClaimantRow,
  { left, payerName }: WaitingLine,
  buyers: readonly string[],
): ClaimantReply {
  const { tag, reference, invoiceNumber, client, buyer, currency, outstanding } = row;
  return {
    tag,
    reference,
    invoiceNumber,
    client,
    buyer,
    currency,
    outstanding: fromMinor(outstanding),
    amount: fromMinor(amountFor(left, row)),
    payer: payerOf(payerName, row),
    otherBuyer: otherBuyerOf(payerName, row, buyers),
  };
}

type StatementRow = Awaited<ReturnType<typeof selectStatements>>[number];

/** Presents an import to an officer. */
export function presentStatement(row: StatementRow, readerId: number): ImportedStatement {
  const { tag, rail, currency, account, matching } = row;
  return {
    tag,
    rail,
    currency,
    account,
    matching,
    fileName: row.file_name,
    from: row.from_on,
    until: row.until_on,
    lines: row.line_count,
    newLines: row.new_count,
    received: fromMinor(row.received),
    sent: fromMinor(row.sent),
    importedAt: row.imported_at.toISOString(),
    importedBy: row.imported_by,
    withdrawal: presentWithdrawal(row, readerId),
  };
}

function presentWithdrawal(row: StatementRow, readerId: number): ImportedStatement['withdrawal'] {
  const { withdrawal_tag: tag, reason, confirmed_at: at } = row;
  if (tag === null || reason === null) return null;
  return {
    tag,
    reason,
    proposedBy: row.proposer,
    confirmed: at === null ? null : { by: row.confirmer, at: at.toISOString() },
    refusal: row.proposed_by === readerId ? 'OWN_PROPOSAL' : null,
  };
}
