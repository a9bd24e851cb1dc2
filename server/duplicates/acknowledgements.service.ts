import { type Status, statusTraits } from '#contract/applications/lifecycle.ts';
import type { AcknowledgeBody } from '#contract/desk/schema.ts';
import { type Change, changeOnce, recordEvent } from '#server/db/change.ts';
import { AppError, fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { type InvoiceRecord, isSameTag, lockCase } from '#server/invoices/invoices.service.ts';
import type { Platform } from '#server/platform.ts';
import { type FlagRow, insertAcknowledgements, selectFlags } from './flags.queries.ts';

export { type FlagRow, openFlagCount, selectFlags as findFlags } from './flags.queries.ts';

/**
 * Officers acknowledge possible duplicates by name: without a reason for each, nothing is approved or paid out
 * (docs/decisions/0033-officers-who-cheat.md). Every step locks the case's row and so sees all acknowledgements.
 */

const done = { success: true } as const;

/**
 * Acknowledges flags of a case before its decision or payout, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS,
 * STEP_NOT_ALLOWED; UNKNOWN_REFERENCE for a flag that the case does not have, FLAG_ACKNOWLEDGED for one that is
 * acknowledged already.
 */
export function acknowledgeFlags(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  body: AcknowledgeBody,
): Promise<typeof done> {
  return changeOnce(platform, caller, { name: 'acknowledgeFlags', input: [tag, body] }, async (change) => {
    const invoice = await lockCase(change, caller, tag);
    if (!mayAcknowledge(invoice.status)) throw new AppError('STEP_NOT_ALLOWED');
    const flags = namedFlags(await selectFlags(change, invoice), body);
    const closed = flags.filter(({ reason }) => reason !== null);
    if (closed.length > 0) throw new AppError('FLAG_ACKNOWLEDGED', { more: closed.map(nameOf).join('; ') });
    await keep(change, caller, invoice, { flags, reason: body.reason });
    return done;
  });
}

function mayAcknowledge(status: Status): boolean {
  return statusTraits[status].undecided || status === 'Approved';
}

function namedFlags(flags: readonly FlagRow[], { flags: named }: AcknowledgeBody): readonly FlagRow[] {
  const found = flags.filter(({ kind, tag }) => named.some((one) => one.kind === kind && isSameTag(one.otherTag, tag)));
  const known = named.every((one) => found.some(({ kind, tag }) => one.kind === kind && isSameTag(one.otherTag, tag)));
  if (!known) throw fieldError('UNKNOWN_REFERENCE', 'flags');
  return found;
}

async function keep(
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  { flags, reason }: { readonly flags: readonly FlagRow[]; readonly reason: string },
): Promise<void> {
  const rows = flags.map(({ kind, files, otherId }) => ({
    invoice_id: invoice.id,
    other_invoice_id: otherId,
    kind,
    files: [...files],
    reason,
    acknowledged_at: caller.now,
    acknowledged_by: caller.person.id,
  }));
  insertAcknowledgements(change, rows);
  for (const { kind, files, tag, invoice_number: invoiceNumber, client } of flags) {
    recordEvent(change, caller, {
      action: 'flag.acknowledged',
      subjectType: 'invoice',
      subjectTag: invoice.tag,
      after: { kind, files, other: { tag, invoiceNumber, client }, reason },
    });
  }
}

/** At most this many are named in a refusal. */
const NAMED = 3;

/** The unacknowledged flags of a locked case. */
export async function findUnacknowledged(change: Change, invoice: InvoiceRecord): Promise<FlagRow[]> {
  return (await selectFlags(change, invoice)).filter(({ reason }) => reason === null);
}

/** Throws FLAG_OPEN, with their names, if there are any. */
export function refuseOpen(open: readonly FlagRow[]): void {
  if (open.length === 0) return;
  const named = open.slice(0, NAMED).map(nameOf).join('; ');
  const others = open.length > NAMED ? ` and ${open.length - NAMED} more` : '';
  throw new AppError('FLAG_OPEN', { more: `Open: ${named}${others}` });
}

function nameOf({ invoice_number: invoiceNumber, client }: FlagRow): string {
  return `${invoiceNumber} of ${client}`;
}
