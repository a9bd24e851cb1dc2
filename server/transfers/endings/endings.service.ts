import { randomUUID } from 'node:crypto';
import { isSameTag } from '#contract/tags.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import type { EndingAnswer, EndingBody } from '#contract/transfers/schema.ts';
import { AppError, fieldError, orNotFound } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { lockCase } from '#server/invoices/invoices.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { FOUND_WITHIN_MS } from '#server/rail-port/rail.ts';
import { askAbout, CALLS, endLocked, type Outcomes } from '#server/transfers/following.service.ts';
import {
  isProviderReferenceTaken,
  lockTransfer,
  mayEnd,
  selectTransfer,
  type TransferRow,
} from '#server/transfers/transfers.queries.ts';
import { dropEnding, insertEnding, markConfirmed, type OpenEnding, selectOpenEnding } from './endings.queries.ts';

/**
 * Two officers end a transfer whose provider stays silent (docs/decisions/0047-rails.md). Each step asks the provider
 * again, and the provider's answer overrides the officers'. After the proposal nothing is sent, so a transfer that they
 * end as not paid cannot be paid later.
 */

/** The sources that may show how a transfer ended before officers decide it. */
export interface Sources {
  readonly outcomes: Outcomes;
  /** Ends the payouts by file that statements show as paid. */
  readonly endPaidPayouts: (platform: Platform) => Promise<unknown>;
  /**
   * Whether a statement shows a locked payout by file as paid. Blocks imports for its account until the transaction
   * ends.
   */
  readonly isOnStatement: (change: Change, tag: string) => Promise<boolean>;
}

/**
 * Proposes how a transfer ended. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER; TRANSFER_ENDED if the provider has
 * answered; TRANSFER_WAITING while it may still answer; ENDING_OPEN; TRANSFER_NUMBER_TAKEN at `providerReference`.
 */
export async function proposeEnding(context: Context, sources: Sources, tag: string, body: EndingBody) {
  const { platform, caller } = context;
  const said = await askFirst(platform, sources, tag);
  return doOnce(context, { name: 'proposeEnding', input: { tag, body } }, async (work) => {
    const { transfer, open } = await lockUnfinished(work, tag);
    if (open !== undefined) throw new AppError('ENDING_OPEN');
    const { outcome, reason } = body;
    const providerReference = outcome === 'paid' ? (body.providerReference ?? null) : null;
    await requireFree(work.change, transfer, providerReference);
    const ending = { tag: randomUUID(), outcome, reason, said };
    insertEnding(work.change, {
      ...ending,
      transfer_id: transfer.id,
      provider_reference: providerReference,
      // We read the clock here, because an exchange may have started after the call began and before we got the lock.
      proposed_at: platform.clock.now(),
      proposed_by: caller.person.id,
    });
    record(work, transfer, 'endingProposed', { ...ending, providerReference });
  });
}

/**
 * Ends a transfer as another officer proposed: paid, with its one journal entry, or not paid. Throws what
 * {@link proposeEnding} throws; ENDING_CLOSED, OWN_ENDING; TRANSFER_WAITING while an earlier exchange may still send
 * it; RECEIPT_DIFFERS.
 */
export async function confirmEnding(context: Context, sources: Sources, tag: string, body: EndingAnswer) {
  const { platform, caller } = context;
  const said = await askFirst(platform, sources, tag);
  return doOnce(context, { name: 'confirmEnding', input: { tag, body } }, async (work) => {
    const { change } = work;
    const { transfer, invoice, open } = await lockUnfinished(work, tag);
    const ending = requireOpen(open, body);
    if (ending.proposedBy === caller.person.id) throw new AppError('OWN_ENDING');
    requireNothingUnderWay(context, ending);
    const { outcome, providerReference } = ending;
    // A statement may have been imported after we read the statements.
    const mayBeOnStatement = outcome === 'notPaid' && platform.rails.fileOf(transfer.rail) !== undefined;
    if (mayBeOnStatement && (await sources.isOnStatement(change, tag)))
      throw new AppError('TRANSFER_WAITING', { more: 'A statement has this payment. Try again' });
    await requireFree(change, transfer, providerReference);
    markConfirmed(change, ending.id, { at: caller.now, person: caller.person.id });
    record(work, transfer, 'endingConfirmed', { tag: ending.tag, outcome, providerReference, said });
    const ended = { transfer, invoice, now: caller.now };
    const handler = sources.outcomes[transfer.direction];
    await endLocked(
      work,
      ended,
      providerReference === null
        ? { outcome: handler, answer: { state: 'failed', refusal: 'byHand', said } }
        : { outcome: handler, answer: { state: 'succeeded', providerReference, said }, state: 'reconciled' },
    );
  });
}

/**
 * Drops a proposal, so that Kasente follows the transfer again. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER,
 * TRANSFER_ENDED, ENDING_CLOSED.
 */
export function dropOpenEnding(context: Context, tag: string, body: EndingAnswer) {
  return doOnce(context, { name: 'dropEnding', input: { tag, body } }, async (work) => {
    const { transfer, open } = await lockUnfinished(work, tag);
    const ending = requireOpen(open, body);
    dropEnding(work.change, transfer.id, context.caller.now, context.caller.person.id);
    record(work, transfer, 'endingDropped', { tag: ending.tag });
  });
}

/**
 * Asks the provider outside a transaction or, for a payout by file, reads the statements. Returns the provider's text.
 * A final answer is recorded, and the step is refused.
 */
async function askFirst(platform: Platform, { outcomes, endPaidPayouts }: Sources, tag: string): Promise<string> {
  const transfer = orNotFound(await selectTransfer(platform.db, tag));
  if (transfer.knownAt !== null || !mayEnd(transfer)) return transfer.said ?? '';
  // An interrupted import may have left lines that are not processed yet.
  if (platform.rails.fileOf(transfer.rail) !== undefined) await endPaidPayouts(platform);
  return (await askAbout(platform, outcomes, transfer)).said;
}

interface Unfinished {
  readonly transfer: TransferRow;
  readonly invoice: InvoiceRecord;
  readonly open: OpenEnding | undefined;
}

/** Locks the application first, as recording a provider's answer does. Refuses new officers, in both steps. */
async function lockUnfinished(work: Work, tag: string): Promise<Unfinished> {
  const { change } = work;
  const known = orNotFound(await selectTransfer(change, tag));
  const invoice = await lockCase(work, known.invoiceTag);
  const transfer = await lockTransfer(change, tag);
  if (transfer === undefined || transfer.knownAt !== null) throw new AppError('TRANSFER_ENDED');
  if (!mayEnd(transfer)) throw new AppError('TRANSFER_WAITING', { more: 'You can once Payouts shows it as late' });
  const [open] = await together(selectOpenEnding(change, transfer.id), requireStanding(work));
  return { transfer, invoice, open };
}

/** The proposal that the caller refers to, if it is still open. */
function requireOpen(open: OpenEnding | undefined, { endingTag }: EndingAnswer): OpenEnding {
  if (open === undefined || !isSameTag(endingTag, open.tag)) throw new AppError('ENDING_CLOSED');
  return open;
}

/**
 * An exchange that began before the proposal may still send until its calls time out. A provider may also find the last
 * attempt only later, which matters if the officers say that the transfer was not paid.
 */
function requireNothingUnderWay(
  { platform: { config }, caller: { now } }: Context,
  { proposedAt, outcome }: Pick<OpenEnding, 'proposedAt' | 'outcome'>,
): void {
  const found = outcome === 'notPaid' ? FOUND_WITHIN_MS : 0;
  const from = new Date(proposedAt.getTime() + (CALLS + 1) * config.rails.timeoutMs + found);
  if (now >= from) return;
  throw new AppError('TRANSFER_WAITING', { more: `You can do this from ${sayMoment(from, now)}` });
}

async function requireFree(change: Change, transfer: TransferRow, providerReference: string | null): Promise<void> {
  if (providerReference !== null && (await isProviderReferenceTaken(change, transfer, providerReference)))
    throw fieldError('TRANSFER_NUMBER_TAKEN', 'providerReference');
}

function record(work: Changing, transfer: TransferRow, what: string, after: object): void {
  recordEvent(work, `transfer.${what}`, ['invoice', transfer.invoiceTag], {
    after: { transfer: transfer.tag, ...after },
  });
}
