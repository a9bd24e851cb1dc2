import { randomInt } from 'node:crypto';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { pauseAfter } from '#contract/transfers/asking.ts';
import type { Change } from '#server/db/change.ts';
import { AppError } from '#server/http/app-error.ts';
import { lockForSweep } from '#server/invoices/invoices.service.ts';
import type { Platform } from '#server/platform.ts';
import { type Answer, type Direction, FOUND_WITHIN_MS, LONGEST_SAID, type Order } from '#server/rails/rail.ts';
import { FairSemaphore } from '#server/traffic/fair-semaphore.ts';
import { keepAnswer } from '#server/transfers/checks/checks.queries.ts';
import { dropEnding } from '#server/transfers/endings/endings.queries.ts';
import { addTransferJob } from './transfers.jobs.ts';
import {
  countUnknown,
  isProviderReferenceTaken,
  lockTransfer,
  setTransfer,
  type TransferRow,
} from './transfers.queries.ts';

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
/** By direction. */
export type Outcomes = Readonly<Record<TransferRow['direction'], Outcome>>;

/** A server's clock may differ a little from that of the database, which starts the job. */
const EARLY_MS = 2_000;
/** An exchange calls a provider at most this often. */
export const CALLS = 3;
/** How long a transfer waits that is due while its provider is away: not all at once, and less than a minute. */
const PUT_OFF_MS = [20_000, 40_000] as const;

/** Sends or asks about a transfer that is due, and records what the provider says. */
export async function followTransfer(platform: Platform, outcomes: Outcomes, tag: string): Promise<void> {
  const claimed = await inTurn(platform, (change) => claim(platform, change, tag));
  if (claimed === undefined) return;
  const answer = await exchange(platform, claimed);
  const breaker = platform.rails.find(claimed.rail)?.breaker;
  const wasAway = breaker?.isOpen;
  if (answer.state === 'unknown' && answer.isSilent === true) breaker?.recordSilence(tag);
  else breaker?.recordAnswer();
  const isAway = breaker?.isOpen;
  await record(platform, outcomes, claimed, answer);
  if (isAway !== wasAway) await logAway(platform, claimed.rail, isAway === true);
}

/** For an operator: officers are told of transfers, and later. */
async function logAway({ db, log }: Platform, rail: string, isAway: boolean): Promise<void> {
  const unknown = (await countUnknown(db)).get(rail) ?? 0;
  if (isAway) log.warn({ rail, unknown }, 'a provider does not answer');
  else log.info({ rail, unknown }, 'a provider answers again');
}

/** People's calls share the server's connections with as many of these. */
const turns = new FairSemaphore({ atOnce: 4, waiting: Number.POSITIVE_INFINITY });

/** In a transaction, once few others of transfers run: thousands may be due at once. */
function inTurn<Result>({ db }: Platform, work: (change: Change) => Promise<Result>): Promise<Result> {
  return turns.run('transfers', () => db.inTransaction(work));
}

/** A transfer as it was before this exchange, with the exchange's number and the moment from which it sends nothing. */
interface Claimed extends TransferRow {
  readonly sendUntil: Date;
}

/** Undefined where it is over, or somebody else's turn. */
async function claim(platform: Platform, change: Change, tag: string): Promise<Claimed | undefined> {
  const now = platform.clock.now();
  const transfer = await lockTransfer(change, tag);
  if (transfer === undefined || transfer.nextAskAt === null) return undefined;
  if (transfer.nextAskAt.getTime() > now.getTime() + EARLY_MS) return undefined;
  if (platform.rails.find(transfer.rail)?.breaker.allows(now) === false) {
    await wait(platform, change, transfer, now.getTime() + randomInt(...PUT_OFF_MS));
    return undefined;
  }
  const asks = transfer.asks + 1;
  const { timeoutMs } = platform.config.rails;
  const pause = CALLS * timeoutMs + pauseOf(platform, { ...transfer, asks });
  await wait(platform, change, transfer, now.getTime() + pause, {
    ...(transfer.sentAt === null && maySend(transfer) ? { sent_at: now, state: 'sent' } : {}),
    ...{ asked_at: now, asks },
  });
  // What is sent by then has arrived, or is given up, before its calls are over: officers wait as long before they end it.
  return { ...transfer, asks, sendUntil: new Date(now.getTime() + (CALLS - 1) * timeoutMs) };
}

/** Has a transfer asked about at that moment. */
async function wait(
  platform: Platform,
  change: Change,
  transfer: TransferRow,
  at: number,
  set: Parameters<typeof setTransfer>[2] = {},
): Promise<void> {
  const next = new Date(at);
  setTransfer(change, transfer.tag, { ...set, next_ask_at: next });
  await addTransferJob(platform, change, transfer, next);
}

/** While a provider is away only one call in a while is made: then nobody waits for longer than that takes. */
function pauseOf({ rails }: Platform, { rail, asks, direction }: TransferRow): number {
  const pause = pauseAfter(asks, direction);
  return rails.find(rail)?.breaker.isOpen === true ? Math.min(pause, PUT_OFF_MS[1]) : pause;
}

/** What was sent before is asked about first, and sent again under its own reference where the provider has not got it. */
async function exchange(platform: Platform, transfer: Claimed): Promise<Answer> {
  // A server that was paused sends nothing: another has gone on, or two officers have ended it.
  const send = () =>
    platform.clock.now() < transfer.sendUntil
      ? call(platform, transfer, (direction, signal) => direction.send(orderOf(transfer), signal))
      : ({ state: 'unknown', said: 'Not sent: its turn was over' } as const);
  const ask = () => askProvider(platform, transfer);
  if (maySend(transfer) && isUnsent(platform, transfer)) return send();
  const answer = await ask();
  if (answer.state !== 'notFound' || !maySend(transfer)) return answer;
  if (transfer.direction === 'in' && ageOf(platform, transfer) > ASKED_WITHIN_MS) return unasked(platform, transfer);
  const findsWithinMs = platform.rails.find(transfer.rail)?.kind.findsWithinMs ?? 0;
  const hadForMs = platform.clock.now().getTime() - lastSent(transfer, findsWithinMs);
  if (hadForMs < findsWithinMs) return { state: 'unknown', said: answer.said };
  const again = await send();
  if (again.state !== 'failed') return again;
  // A refused repeat says nothing of the first, which may have arrived since: only who knows neither has refused both.
  const after = await ask();
  if (after.state !== 'notFound') return after;
  return hadForMs >= FOUND_WITHIN_MS ? again : { state: 'unknown', said: again.said };
}

/** When something was sent last at the latest: the first time, or by an exchange after it that sent again. */
function lastSent({ sentAt, askedAt, createdAt }: TransferRow, findsWithinMs: number): number {
  const first = (sentAt ?? createdAt).getTime();
  return askedAt !== null && askedAt.getTime() - first >= findsWithinMs ? askedAt.getTime() : first;
}

/** Nothing more is sent while two officers end it by hand, nor to an account that somebody objected to. */
function maySend({ isEnding, isHeld }: TransferRow): boolean {
  return !isEnding && !isHeld;
}

/** A phone that rings later than this is not picked up by who wanted to pay. */
const ASKED_WITHIN_MS = 5 * MINUTE_MS;
/** By then a provider knows what was sent to it. */
const SURELY_UNASKED_MS = 3 * ASKED_WITHIN_MS;

/** A request that its provider does not know is not sent again. It expires once anything sent would have arrived. */
function unasked(platform: Platform, transfer: TransferRow): Answer {
  const said = 'The provider does not know this request';
  if (ageOf(platform, transfer) <= SURELY_UNASKED_MS) return { state: 'unknown', said };
  return { state: 'failed', refusal: 'expired', said };
}

function ageOf({ clock }: Platform, { createdAt }: TransferRow): number {
  return clock.now().getTime() - createdAt.getTime();
}

/** The row of a restored backup says that nothing was sent, and it may have been since. */
const SURELY_UNSENT_MS = 5 * MINUTE_MS;

function isUnsent(platform: Platform, transfer: TransferRow): boolean {
  return transfer.sentAt === null && ageOf(platform, transfer) < SURELY_UNSENT_MS;
}

function orderOf({ reference, amount, currency, number, label }: TransferRow): Order {
  return { reference, amount, currency, number, label };
}

function askProvider(platform: Platform, transfer: TransferRow): Promise<Answer> {
  return call(platform, transfer, (direction, signal) => direction.ask(transfer.reference, signal));
}

/** A rail must not throw. If one does, nothing is known. */
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
 * Asks how a transfer ended, whether that is known or not; sends nothing. What the provider says is kept, and where it says
 * how an unfinished one ended, that is recorded.
 */
export async function askAbout(platform: Platform, outcomes: Outcomes, transfer: TransferRow): Promise<Answer> {
  const answer = await askProvider(platform, transfer);
  const now = platform.clock.now();
  await inTurn(platform, async (change) => keepAnswer(change, transfer, answer, now));
  if (transfer.knownAt === null && isEnd(answer)) await record(platform, outcomes, transfer, answer);
  return answer;
}

function isEnd(answer: Answer): answer is Succeeded | Failed {
  return answer.state === 'succeeded' || answer.state === 'failed';
}

async function record(platform: Platform, outcomes: Outcomes, transfer: TransferRow, answer: Answer): Promise<void> {
  if (!isEnd(answer)) return keepAsking(platform, transfer, answer);
  const now = platform.clock.now();
  try {
    await inTurn(platform, (change) => endTransfer(platform, change, outcomes[transfer.direction], transfer, answer));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await inTurn(platform, async (change) => keepAnswer(change, transfer, answer, now));
    platform.log.error({ err: error, transfer: transfer.tag }, 'the end of a transfer could not be recorded');
    const why = [error.message, error.details.more].filter((sentence) => sentence !== undefined).join('. ');
    const said = `The provider says ${answer.state}, and it could not be recorded: ${why}`;
    await keepAsking(platform, transfer, { state: 'unknown', said });
  }
}

/** What is not known is asked again. */
function keepAsking(
  platform: Platform,
  { tag, asks }: TransferRow,
  { state, said }: Pick<Answer, 'state' | 'said'>,
): Promise<void> {
  return inTurn(platform, async (change) => {
    const transfer = await lockTransfer(change, tag);
    // A slower exchange changes nothing about what a later one found out.
    if (transfer === undefined || transfer.nextAskAt === null || transfer.asks !== asks) return;
    const now = platform.clock.now();
    const sent = { state: state === 'taken' ? 'sent' : 'unknown', sent_at: transfer.sentAt ?? now } as const;
    await wait(platform, change, transfer, now.getTime() + pauseOf(platform, transfer), {
      // What was never sent stays so, unless its provider has it: the row may be of a restored backup.
      ...(transfer.sentAt === null && state !== 'taken' ? {} : sent),
      said: said.slice(0, LONGEST_SAID),
    });
  });
}

/** Records how a transfer ended, and drops what officers propose about it. False where it is known already. Throws TRANSFER_NUMBER_TAKEN. */
export async function endTransfer(
  platform: Platform,
  change: Change,
  outcome: Outcome,
  { tag, invoiceTag, asks }: Pick<TransferRow, 'tag' | 'invoiceTag' | 'asks'>,
  answer: Succeeded | Failed,
): Promise<boolean> {
  const invoice = await lockForSweep(change, invoiceTag);
  const transfer = await lockTransfer(change, tag);
  if (invoice === undefined || transfer === undefined) return false;
  // A later exchange may have sent again what this one was refused.
  if (answer.state === 'failed' && transfer.asks !== asks) return false;
  const now = platform.clock.now();
  keepAnswer(change, transfer, answer, now);
  if (transfer.knownAt !== null) return false;
  if (transfer.isEnding) dropEnding(change, transfer.id, now);
  await endLocked(platform, change, outcome, { transfer, invoice, now }, answer);
  return true;
}

/**
 * Records how a locked transfer ended: by its provider's word, or by that of two officers (`state`). Throws
 * TRANSFER_NUMBER_TAKEN, and what the outcome throws.
 */
export async function endLocked(
  platform: Platform,
  change: Change,
  outcome: Outcome,
  ended: Ended,
  answer: Succeeded | Failed,
  state: 'succeeded' | 'failed' | 'reconciled' = answer.state,
): Promise<void> {
  const { transfer, now } = ended;
  const { tag } = transfer;
  const known = { state, said: answer.said.slice(0, LONGEST_SAID), known_at: now, next_ask_at: null };
  if (answer.state === 'failed') {
    await outcome.failed(platform, change, ended, answer);
    setTransfer(change, tag, { ...known, refusal: answer.refusal });
    return;
  }
  const { providerReference } = answer;
  if (await isProviderReferenceTaken(change, transfer, providerReference)) throw new AppError('TRANSFER_NUMBER_TAKEN');
  const entry = await outcome.succeeded(platform, change, ended, answer);
  const paid = { provider_reference: providerReference, entry_tag: entry, sent_at: transfer.sentAt ?? now };
  setTransfer(change, tag, { ...known, ...paid });
}
