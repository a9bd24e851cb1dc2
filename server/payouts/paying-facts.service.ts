import type { PayingFacts } from '#contract/payouts/officers.ts';
import type { PayoutKind } from '#contract/payouts/schema.ts';
import { findCaseFacts } from '#server/approvals/case-facts.service.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import { findUnacknowledged } from '#server/flags/flags.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findRecorders } from '#server/payments/recorders.service.ts';
import { findNewUntil } from '#server/people/standing/standing.service.ts';
import type { Context } from '#server/platform/work.ts';

interface PaidCase extends Pick<Parameters<typeof findCaseFacts>[2], 'invoice' | 'active'> {
  readonly kind: PayoutKind;
}

/** Whether the payout follows from the approval. Money that is already owed does not need it checked again. */
export function isFirstPayout({ status }: Pick<InvoiceRecord, 'status'>, kind: PayoutKind): boolean {
  return kind === 'disbursement' && status === 'Approved';
}

/** The facts that decide whether the caller may prepare or release a payout, for the act and for screens. */
export async function findPayingFacts(
  context: Context,
  connection: Connection,
  { kind, ...subject }: PaidCase,
): Promise<PayingFacts> {
  const { invoice } = subject;
  const { caller } = context;
  const found = await gather({
    approval: isFirstPayout(invoice, kind) ? findCaseFacts(context, connection, subject) : undefined,
    newUntil: findNewUntil(context, connection),
    openFlags: findUnacknowledged(context, connection, invoice),
    recorders: findRecorders(connection, caller, invoice),
  });
  return { ...found, now: caller.now, kind, approvers: invoice.case };
}
