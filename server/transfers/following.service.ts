import { randomInt } from 'node:crypto';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { pauseAfter } from '#contract/transfers/asking.ts';
import type { Refusal } from '#contract/transfers/refusals.ts';
import { AppError } from '#server/calls/app-error.ts';
import { lockForSweep } from '#server/invoices/invoices.service.ts';
import { FairSemaphore } from '#server/machine/fair-semaphore.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Transacting } from '#server/platform/work.ts';
import { type Answer, type Direction, FOUND_WITHIN_MS, LONGEST_SAID, type Order } from '#server/rail-port/rail.ts';
import { storeAnswer } from '#server/transfers/checks/checks.queries.ts';
import { dropEnding } from '#server/transfers/endings/endings.queries.ts';
import { addTransferJob } from './transfers.jobs.ts';
import {
  countUnknown,
  isProviderReferenceTaken,
  lockTransfer,
  setTransfer,
  type TransferRow,
} from './transfers.queries.ts';

/**
 * Sends and follows a transfer (docs/decisions/0047-rails.md). One transaction claims an exchange and plans the next;
 * we then call the provider outside any transaction, and record the answer in another. If a server stops in between,
 * the next exchange asks before it sends. An order keeps its reference for ever, and a provider accepts a reference
 * only once.
 */

export type Succeeded = Extract<Answer, { state: 'succeeded' }>;
export type Failed = Extract<Answer, { state: 'failed' }>;
type Invoice = NonNullable<Awaited<ReturnType<typeof lockForSweep>>>;

/** A transfer whose end is being recorded, with its locked application. */
export interface Ended {
  readonly transfer: TransferRow;
  readonly invoice: Invoice;
  readonly now: Date;
}

/** Handles the end of a transfer. `succeeded` returns the tag of the journal entry. */
export interface Outcome {
  succeeded(work: Transacting, ended: Ended, answer: Succeeded): Promise<string>;
  failed(work: Transacting, ended: Ended, answer: Failed): Promise<void>;
}
/** The handlers, by direction. */
export type Outcomes = Readonly<Record<TransferRow['direction'], Outcome>>;

/** Tolerates a small difference between the clock of this server and that of the database, which starts the job. */
const EARLY_MS = 2_000;
/** The most calls to a provider in one exchange. */
export const CALLS = 3;
/** How long a due transfer waits while its provider is away: spread out, and under a minute. */
const PUT_OFF_MS = [20_000, 40_000] as const;

/** Runs one exchange of a due transfer: sends it or asks about it, and records the provider's answer. */
export async function followTransfer(platform: Platform, outcomes: Outcomes, tag: string): Promise<void> {
  const claimed = await inTurn(platform, (work) => claim(work, tag));
  if (claimed === undefined) return;
  const answer = await exchange(platform, claimed);
  const breaker = platform.rails.find(claimed.rail)?.breaker;
  const wasAway = breaker?.isOpen;
  if (answer.state === 'unknown' && answer.isSilent === true) breaker?.recordSilence(tag);
  else breaker?.recordAnswer();
  const isAway = breaker?.isOpen;
  await record(platform, outcomes[claimed.direction], { transfer: claimed, answer });
  if (isAway !== wasAway) await logAway(platform, claimed.rail, isAway === true);
}

/** Tells the operator through the log. Officers hear only about single transfers, and later. */
async function logAway({ db, log }: Platform, rail: string, isAway: boolean): Promise<void> {
  const unknown = (await countUnknown(db)).get(rail) ?? 0;
  if (isAway) log.warn({ rail, unknown }, 'a provider does not answer');
  else log.info({ rail, unknown }, 'a provider answers again');
}

/** Limits transactions of exchanges, so that connections are left for people's calls. */
const turns = new FairSemaphore({ atOnce: 4, waiting: Number.POSITIVE_INFINITY });

/** Runs a transaction behind a semaphore, because thousands of transfers may be due at once. */
function inTurn<Result>(platform: Platform, run: (work: Transacting) => Promise<Result>): Promise<Result> {
  return turns.run('transfers', () => platform.db.inTransaction((change) => run({ platform, change })));
}

/** A transfer as it was before this exchange, with the exchange's number and the deadline for sending. */
interface Claimed extends TransferRow {
  readonly sendUntil: Date;
}

/** Claims the next exchange of a transfer. Undefined if the transfer has ended, or another server has claimed it. */
async function claim(work: Transacting, tag: string): Promise<Claimed | undefined> {
  const { platform, change } = work;
  const now = platform.clock.now();
  const transfer = await lockTransfer(change, tag);
  if (transfer === undefined || transfer.nextAskAt === null) return undefined;
  if (transfer.nextAskAt.getTime() > now.getTime() + EARLY_MS) return undefined;
  if (platform.rails.find(transfer.rail)?.breaker.allows(now) === false) {
    await reschedule(work, transfer, { next_ask_at: new Date(now.getTime() + randomInt(...PUT_OFF_MS)) });
    return undefined;
  }
  const asks = transfer.asks + 1;
  const { timeoutMs } = platform.config.rails;
  const pause = CALLS * timeoutMs + pauseOf(platform, { ...transfer, asks });
  await reschedule(work, transfer, {
    next_ask_at: new Date(now.getTime() + pause),
    ...(transfer.sentAt === null && maySend(transfer) ? { sent_at: now, state: 'sent' } : {}),
    asked_at: now,
    asks,
  });
  // By the end of the pause, anything sent has arrived or timed out. Officers wait that long before they end a
  // transfer.
  return { ...transfer, asks, sendUntil: new Date(now.getTime() + (CALLS - 1) * timeoutMs) };
}

/** Schedules the next exchange of a transfer. */
async function reschedule(
  work: Transacting,
  transfer: TransferRow,
  set: Parameters<typeof setTransfer>[2] & { readonly next_ask_at: Date },
): Promise<void> {
  setTransfer(work.change, transfer.tag, set);
  await addTransferJob(work, transfer, set.next_ask_at);
}

/** The pause until the next exchange. While a provider is away, only probes reach it, so short pauses cost no calls. */
function pauseOf({ rails }: Platform, { rail, asks, direction }: TransferRow): number {
  const pause = pauseAfter(asks, direction);
  return rails.find(rail)?.breaker.isOpen === true ? Math.min(pause, PUT_OFF_MS[1]) : pause;
}

/**
 * The result of an exchange. `refused`: the provider refused the order, but its status call has not confirmed that yet.
 */
type Exchanged = Answer & { readonly refused?: Refusal };

/**
 * Sends a new transfer. For one tried before, asks first, and sends it again under the same reference if the provider
 * does not know it.
 */
async function exchange(platform: Platform, transfer: Claimed): Promise<Exchanged> {
  if (maySend(transfer) && isUnsent(platform, transfer)) return sendOrder(platform, transfer);
  const answer = await askProvider(platform, transfer);
  if (answer.state !== 'notFound') return answer;
  const { refusal, refusedAt } = transfer;
  if (refusal !== null && refusedAt !== null) {
    const said = transfer.said ?? answer.said;
    return msSince(platform, refusedAt) < FOUND_WITHIN_MS
      ? { state: 'unknown', said }
      : { state: 'failed', refusal, said };
  }
  if (!maySend(transfer)) return answer;
  if (transfer.direction === 'in' && msSince(platform, transfer.createdAt) > ASKED_WITHIN_MS)
    return unasked(platform, transfer);
  const findsWithinMs = platform.rails.find(transfer.rail)?.kind.findsWithinMs ?? 0;
  if (msSince(platform, lastSent(transfer, findsWithinMs)) < findsWithinMs)
    return { state: 'unknown', said: answer.said };
  return sendOrder(platform, transfer);
}

/**
 * Sends the order. A provider may refuse an order that it accepted, now or at an earlier attempt, so a refusal counts
 * only if the provider's status call agrees. If that call does not find the order, the refusal counts
 * {@link FOUND_WITHIN_MS} later.
 */
async function sendOrder(platform: Platform, transfer: Claimed): Promise<Exchanged> {
  // A server that was paused too long must not send: by now another server may have continued, or two officers may have
  // ended the transfer.
  if (platform.clock.now() >= transfer.sendUntil) return { state: 'unknown', said: 'Not sent: its turn was over' };
  const answer = await call(platform, transfer, (direction, signal) => direction.send(orderOf(transfer), signal));
  if (answer.state !== 'failed') return answer;
  const status = await askProvider(platform, transfer);
  if (status.state === 'notFound' || status.state === 'unknown')
    return { state: 'unknown', said: answer.said, refused: answer.refusal };
  return status;
}

/** The latest time at which the transfer may have been sent: the first time, or by a later exchange. */
function lastSent({ sentAt, askedAt, createdAt }: TransferRow, findsWithinMs: number): Date {
  const first = sentAt ?? createdAt;
  return askedAt !== null && askedAt.getTime() - first.getTime() >= findsWithinMs ? askedAt : first;
}

/** Nothing is sent while two officers end the transfer by hand, nor to an account that somebody objected to. */
function maySend({ isEnding, isHeld }: TransferRow): boolean {
  return !isEnding && !isHeld;
}

/** By then the payer no longer expects the prompt. */
const ASKED_WITHIN_MS = 5 * MINUTE_MS;
/** By then a provider knows every request that reached it. */
const SURELY_UNASKED_MS = 3 * ASKED_WITHIN_MS;

/** A request that the provider does not know is not sent again. It expires once any request sent would have arrived. */
function unasked(platform: Platform, transfer: TransferRow): Answer {
  const said = 'The provider does not know this request';
  if (msSince(platform, transfer.createdAt) <= SURELY_UNASKED_MS) return { state: 'unknown', said };
  return { state: 'failed', refusal: 'expired', said };
}

function msSince({ clock }: Platform, at: Date): number {
  return clock.now().getTime() - at.getTime();
}

/** An older row may come from a restored backup, and its transfer may have been sent after the backup was made. */
const SURELY_UNSENT_MS = 5 * MINUTE_MS;

function isUnsent(platform: Platform, transfer: TransferRow): boolean {
  return transfer.sentAt === null && msSince(platform, transfer.createdAt) < SURELY_UNSENT_MS;
}

function orderOf({ reference, amount, currency, number, label }: TransferRow): Order {
  return { reference, amount, currency, number, label };
}

function askProvider(platform: Platform, transfer: TransferRow): Promise<Answer> {
  return call(platform, transfer, (direction, signal) => direction.ask(transfer.reference, signal));
}

/** A rail must not throw. If one does, we treat the outcome as unknown. */
async function call(
  { config, log, rails }: Platform,
  { tag, rail: id, direction }: TransferRow,
  work: (direction: Direction, signal: AbortSignal) => ReturnType<Direction['ask']>,
): Promise<Answer> {
  const rail = rails.find(id);
  if (rail === undefined) return { state: 'unknown', said: `This server has no settings for ${id}` };
  try {
    return await work(direction === 'out' ? rail.payout : rail.collection, AbortSignal.timeout(config.rails.timeoutMs));
  } catch (error) {
    log.error({ err: error, rail: id, transfer: tag }, 'a rail threw');
    return { state: 'unknown', said: 'No answer that could be read', isSilent: true };
  }
}

/**
 * Asks how a transfer ended, even if that is already known; sends nothing. Stores the answer, and records the end of an
 * unfinished transfer.
 */
export async function askAbout(platform: Platform, outcomes: Outcomes, transfer: TransferRow): Promise<Answer> {
  const answer = await askProvider(platform, transfer);
  const now = platform.clock.now();
  await inTurn(platform, async ({ change }) => storeAnswer(change, transfer, answer, now));
  if (transfer.knownAt === null && isEnd(answer))
    await record(platform, outcomes[transfer.direction], { transfer, answer });
  return answer;
}

function isEnd(answer: Answer): answer is Succeeded | Failed {
  return answer.state === 'succeeded' || answer.state === 'failed';
}

async function record(
  platform: Platform,
  outcome: Outcome,
  { transfer, answer }: { readonly transfer: TransferRow; readonly answer: Exchanged },
): Promise<void> {
  if (!isEnd(answer)) return keepAsking(platform, transfer, answer);
  const now = platform.clock.now();
  try {
    await inTurn(platform, (work) => endTransfer(work, transfer, { outcome, answer }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await inTurn(platform, async ({ change }) => storeAnswer(change, transfer, answer, now));
    platform.log.error({ err: error, transfer: transfer.tag }, 'the end of a transfer could not be recorded');
    const why = [error.message, error.details.more].filter((sentence) => sentence !== undefined).join('. ');
    const said = `The provider says ${answer.state}, and it could not be recorded: ${why}`;
    await keepAsking(platform, transfer, { state: 'unknown', said });
  }
}

const NOT_REFUSED = { refusal: null, refused_at: null } as const;

/** Stores an answer that is not final, and schedules the next exchange. */
function keepAsking(
  platform: Platform,
  { tag, asks }: TransferRow,
  { state, said, refused }: Pick<Exchanged, 'state' | 'said' | 'refused'>,
): Promise<void> {
  return inTurn(platform, async (work) => {
    const transfer = await lockTransfer(work.change, tag);
    // A slow exchange must not overwrite the result of a later one.
    if (transfer === undefined || transfer.nextAskAt === null || transfer.asks !== asks) return;
    const now = platform.clock.now();
    const sent = { state: state === 'taken' ? 'sent' : 'unknown', sent_at: transfer.sentAt ?? now } as const;
    await reschedule(work, transfer, {
      next_ask_at: new Date(now.getTime() + pauseOf(platform, transfer)),
      // An unsent transfer stays unsent unless its provider has it, which happens when the row comes from a restored
      // backup.
      ...(transfer.sentAt === null && state !== 'taken' ? {} : sent),
      ...(refused === undefined ? {} : { refusal: refused, refused_at: now }),
      ...(state === 'taken' ? NOT_REFUSED : {}),
      said: said.slice(0, LONGEST_SAID),
    });
  });
}

/** A transfer's final answer, and the handler of its direction. */
interface Ending {
  readonly outcome: Outcome;
  readonly answer: Succeeded | Failed;
  /** The state to store, if it is not the answer's. */
  readonly state?: 'reconciled';
}

/**
 * Records how a transfer ended, and drops an officer's proposal about it. Returns false if the end was already known.
 * Throws TRANSFER_NUMBER_TAKEN.
 */
export async function endTransfer(
  work: Transacting,
  { tag, invoiceTag, asks }: Pick<TransferRow, 'tag' | 'invoiceTag' | 'asks'>,
  ending: Ending,
): Promise<boolean> {
  const { platform, change } = work;
  const { answer } = ending;
  const invoice = await lockForSweep(change, invoiceTag);
  const transfer = await lockTransfer(change, tag);
  if (invoice === undefined || transfer === undefined) return false;
  // The refusal is of this exchange, but a later one may have sent the transfer again.
  if (answer.state === 'failed' && transfer.asks !== asks) return false;
  const now = platform.clock.now();
  storeAnswer(change, transfer, answer, now);
  if (transfer.knownAt !== null) return false;
  if (transfer.isEnding) dropEnding(change, transfer.id, now);
  await endLocked(work, { transfer, invoice, now }, ending);
  return true;
}

/**
 * Records how a locked transfer ended, as reported by its provider or by two officers (`reconciled`). Throws
 * TRANSFER_NUMBER_TAKEN, and what the outcome throws.
 */
export async function endLocked(work: Transacting, ended: Ended, { outcome, answer, state }: Ending): Promise<void> {
  const { change } = work;
  const { transfer, now } = ended;
  const { tag } = transfer;
  const known = {
    state: state ?? answer.state,
    said: answer.said.slice(0, LONGEST_SAID),
    known_at: now,
    next_ask_at: null,
  };
  if (answer.state === 'failed') {
    await outcome.failed(work, ended, answer);
    setTransfer(change, tag, { ...known, refusal: answer.refusal });
    return;
  }
  const { providerReference } = answer;
  if (await isProviderReferenceTaken(change, transfer, providerReference)) throw new AppError('TRANSFER_NUMBER_TAKEN');
  const entry = await outcome.succeeded(work, ended, answer);
  const paid = { provider_reference: providerReference, entry_tag: entry, sent_at: transfer.sentAt ?? now };
  setTransfer(change, tag, { ...known, ...paid, ...NOT_REFUSED });
}
