import { MINUTE_MS } from '#contract/time/durations.ts';
import { pauseAfter } from '#contract/transfers/asking.ts';
import type { Change } from '#server/db/change.ts';
import { AppError } from '#server/http/app-error.ts';
import { lockForSweep } from '#server/invoices/invoices.service.ts';
import type { Platform } from '#server/platform.ts';
import type { Answer, Direction, Order } from '#server/rails/rail.ts';
import { addTransferJob } from './transfers.jobs.ts';
import { isProviderReferenceTaken, lockTransfer, setTransfer, type TransferRow } from './transfers.queries.ts';

export { amountOf, caseAt, type Told } from './transfers.messages.ts';
export type { TransferRow } from './transfers.queries.ts';

/**
 * How a transfer is sent and followed (docs/decisions/0047-rails.md). Each exchange is claimed in a transaction of its own,
 * with the next one, before the provider is called outside any; the answer is recorded in another. Whatever stops in
 * between, the next exchange asks first. One order has one reference for ever, and a provider takes it once.
 */

export type Succeeded = Extract<Answer, { state: 'succeeded' }>;
export type Failed = Extract<Answer, { state: 'failed' }>;
type Invoice = NonNullable<Awaited<ReturnType<typeof lockForSweep>>>;

/** A transfer whose end is known, with its locked application, in the transaction that records it. */
export interface Ended {
  readonly transfer: TransferRow;
  readonly invoice: Invoice;
  readonly now: Date;
}

/** What follows from the end of a transfer. `succeeded` returns the tag of its entry in the journal. */
export interface Outcome {
  succeeded(platform: Platform, change: Change, ended: Ended, answer: Succeeded): Promise<string>;
  failed(platform: Platform, change: Change, ended: Ended, answer: Failed): Promise<void>;
}
/** By direction; nothing asks for payments yet. */
export type Outcomes = Readonly<Record<'out', Outcome>>;

/** A server's clock may differ a little from that of the database, which starts the job. */
const EARLY_MS = 2_000;
/** An exchange calls a provider at most this often. */
const CALLS = 3;

/** Sends or asks about a transfer that is due, and records what the provider says. */
export async function followTransfer(platform: Platform, outcomes: Outcomes, tag: string): Promise<void> {
  const claimed = await platform.db.inTransaction((change) => claim(platform, change, tag));
  if (claimed === undefined) return;
  const answer = await exchange(platform, claimed);
  await record(platform, outcomes, claimed, answer);
}

/** The transfer as it was before this exchange; undefined where it is over, or somebody else's turn. */
async function claim(platform: Platform, change: Change, tag: string): Promise<TransferRow | undefined> {
  const now = platform.clock.now();
  const transfer = await lockTransfer(change, tag);
  if (transfer === undefined || transfer.nextAskAt === null) return undefined;
  if (transfer.nextAskAt.getTime() > now.getTime() + EARLY_MS) return undefined;
  const asks = transfer.asks + 1;
  const next = new Date(now.getTime() + CALLS * platform.config.rails.timeoutMs + pauseAfter(asks));
  setTransfer(change, tag, {
    ...(transfer.sentAt === null ? { sent_at: now, state: 'sent' } : {}),
    ...{ asked_at: now, asks, next_ask_at: next },
  });
  await addTransferJob(platform, change, tag, next);
  return { ...transfer, asks };
}

/** What was sent before is asked about first, and sent again under its own reference where the provider has not got it. */
async function exchange(platform: Platform, transfer: TransferRow): Promise<Answer> {
  const rail = platform.rails.find(transfer.rail);
  if (rail === undefined) return { state: 'unknown', said: `This server has no settings for ${transfer.rail}` };
  const direction = transfer.direction === 'out' ? rail.payout : rail.collection;
  const send = () => call(platform, transfer, (signal) => direction.send(orderOf(transfer), signal));
  const ask = () => call(platform, transfer, (signal) => direction.ask(transfer.reference, signal));
  if (isUnsent(platform, transfer)) return send();
  const answer = await ask();
  if (answer.state !== 'notFound') return answer;
  const again = await send();
  if (again.state !== 'failed') return again;
  // A refused repeat says nothing of the first, which may have arrived since: only who knows neither has refused both.
  const after = await ask();
  return after.state === 'notFound' ? again : after;
}

/** The row of a restored backup says that nothing was sent, and it may have been since. */
const SURELY_UNSENT_MS = 5 * MINUTE_MS;

function isUnsent({ clock }: Platform, { sentAt, createdAt }: TransferRow): boolean {
  return sentAt === null && clock.now().getTime() - createdAt.getTime() < SURELY_UNSENT_MS;
}

function orderOf({ reference, amount, currency, number, label }: TransferRow): Order {
  return { reference, amount, currency, number, label };
}

/** A rail does not throw; one that does has told nothing. */
async function call(
  { config, log }: Platform,
  { tag, rail }: TransferRow,
  work: (signal: AbortSignal) => ReturnType<Direction['ask']>,
): Promise<Answer> {
  try {
    return await work(AbortSignal.timeout(config.rails.timeoutMs));
  } catch (error) {
    log.error({ err: error, rail, transfer: tag }, 'a rail threw');
    return { state: 'unknown', said: 'No answer that could be read' };
  }
}

async function record(platform: Platform, outcomes: Outcomes, transfer: TransferRow, answer: Answer): Promise<void> {
  if (answer.state !== 'succeeded' && answer.state !== 'failed') return keepAsking(platform, transfer, answer);
  try {
    await platform.db.inTransaction((change) => end(platform, change, outcomes.out, transfer, answer));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    platform.log.error({ err: error, transfer: transfer.tag }, 'the end of a transfer could not be recorded');
    const said = `The provider says ${answer.state}, and it could not be recorded: ${error.message}`;
    await keepAsking(platform, transfer, { state: 'unknown', said });
  }
}

const LONGEST_SAID = 200;

/** What is not known is asked again. */
function keepAsking(
  platform: Platform,
  { tag, asks }: TransferRow,
  { state, said }: Pick<Answer, 'state' | 'said'>,
): Promise<void> {
  return platform.db.inTransaction(async (change) => {
    const transfer = await lockTransfer(change, tag);
    // A slower exchange changes nothing about what a later one found out.
    if (transfer === undefined || transfer.nextAskAt === null || transfer.asks !== asks) return;
    const next = new Date(platform.clock.now().getTime() + pauseAfter(asks));
    setTransfer(change, tag, {
      ...{ state: state === 'taken' ? 'sent' : 'unknown', said: said.slice(0, LONGEST_SAID), next_ask_at: next },
    });
    await addTransferJob(platform, change, tag, next);
  });
}

async function end(
  platform: Platform,
  change: Change,
  outcome: Outcome,
  { tag, invoiceTag }: TransferRow,
  answer: Succeeded | Failed,
): Promise<void> {
  const invoice = await lockForSweep(change, invoiceTag);
  const transfer = await lockTransfer(change, tag);
  if (invoice === undefined || transfer === undefined || transfer.nextAskAt === null) return;
  const now = platform.clock.now();
  const ended = { transfer, invoice, now };
  const known = { state: answer.state, said: answer.said.slice(0, LONGEST_SAID), known_at: now, next_ask_at: null };
  if (answer.state === 'failed') {
    await outcome.failed(platform, change, ended, answer);
    setTransfer(change, tag, { ...known, refusal: answer.refusal });
    return;
  }
  const { providerReference } = answer;
  if (await isProviderReferenceTaken(change, transfer, providerReference)) throw new AppError('TRANSFER_NUMBER_TAKEN');
  const entry = await outcome.succeeded(platform, change, ended, answer);
  setTransfer(change, tag, { ...known, provider_reference: providerReference, entry_tag: entry });
}
