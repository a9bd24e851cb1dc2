import type { Receipt } from '#contract/payments/payment.ts';
import { maskedNumber } from '#contract/payouts/account.ts';
import { type Match, matchReceived, type NamedReferences, referencesIn } from '#contract/statements/matching.ts';
import { payerOf } from '#contract/statements/payer.ts';
import { AppError } from '#server/calls/app-error.ts';
import { type SignedInCaller, systemActor } from '#server/calls/caller.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { isBarred } from '#server/invoices/invoices.service.ts';
import { openForKasente } from '#server/payments/entries.service.ts';
import { receive } from '#server/payments/payments.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { selectOpenReturns } from './returns.queries.ts';
import {
  type ClaimantRow,
  lockWaiting,
  type NamedPayout,
  type PaymentNames,
  selectByAmount,
  selectByReference,
  selectConcerned,
  selectPayouts,
  selectWaiting,
  type WaitingLine,
} from './waiting.queries.ts';

/** Credits incoming money to the application that it names (docs/decisions/0050-money-that-comes.md). */

/** How many lines are matched in parallel. Each locks its own application. */
const AT_ONCE = 4;
const PAGE = 200;

/** Finds where waiting lines belong, page by page from the oldest; of all statements, or of some. */
async function* findWaiting(
  connection: Connection,
  statementIds?: readonly number[],
): AsyncGenerator<readonly FoundMatch[]> {
  for (let after = 0; ; ) {
    const page = await selectWaiting(connection, { statementIds, after, limit: PAGE });
    yield await findMatches(connection, page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

/**
 * Credits each waiting line to the application that it names, each in its own transaction; of all statements, or of
 * some.
 */
export async function matchWaiting(platform: Platform, statementIds?: readonly number[]): Promise<void> {
  const now = platform.clock.now();
  for await (const found of findWaiting(platform.db, statementIds)) {
    const page = found.values();
    const work = async (): Promise<void> => {
      for (const { line, match } of page) if (match.isSure) await credit(platform, now, line, match.to.tag);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}

/** A line and where it belongs. The matches are the rows that officers see. */
export interface FoundMatch {
  readonly line: WaitingLine;
  readonly match: Match<ClaimantRow>;
  /** The payout of ours that the line names, which the bank may have returned. */
  readonly payout: NamedPayout | null;
}

/** Finds where each line belongs, or why it waits. */
export async function findMatches(connection: Connection, lines: readonly WaitingLine[]): Promise<FoundMatch[]> {
  const named = new Map(lines.map((line) => [line.id, referencesIn(line.details)]));
  const all = [...named.values()].flatMap(({ sound, near }) => [...sound, ...near]);
  const [byReference, payouts, byAmount] = await together(
    selectByReference(connection, all),
    selectPayouts(
      connection,
      [...named.values()].flatMap(({ sound }) => sound),
    ),
    selectByAmount(connection, lines),
  );
  const none: NamedReferences = { sound: [], near: [] };
  return lines.map((line) => {
    const { sound, near } = named.get(line.id) ?? none;
    const of = (references: readonly string[]) => byReference.filter(({ reference }) => references.includes(reference));
    const exact = line.wasAssigned ? [] : byAmount.filter(({ lineId }) => lineId === line.id);
    const payment = { ...line, amount: line.left };
    const payout = payouts.find(({ reference }) => sound.includes(reference)) ?? null;
    const found = { named: of(sound), isPayout: payout !== null, near: of(near), exact };
    return { line, payout, match: byOthers(line, matchReceived(payment, found)) };
  });
}

/**
 * Withholds an automatic credit that the importer could not make as an officer: it would rest on that officer alone.
 */
function byOthers({ importedBy: id, importerBusinessId: businessId }: WaitingLine, match: Match<ClaimantRow>) {
  if (!match.isSure) return match;
  const { submittedBy, ...to } = match.to;
  if (!isBarred({ person: { id, businessId } }, { ...to, case: { submittedBy } })) return match;
  return { isSure: false, why: 'ownBusiness', to: [match.to] } as const;
}

/** Throws OWN_BUSINESS if the officer may not act on an application that a payment belongs to or mentions. */
export async function requireOthers(
  connection: Connection,
  caller: SignedInCaller,
  { texts, ...names }: Omit<PaymentNames, 'references'> & { readonly texts: readonly string[] },
): Promise<void> {
  const references = texts.flatMap((text) => referencesIn(text).sound);
  const concerned = await selectConcerned(connection, { ...names, references });
  const isOwn = concerned.some(({ submittedBy, ...own }) => isBarred(caller, { ...own, case: { submittedBy } }));
  if (isOwn) throw new AppError('OWN_BUSINESS');
}

/** Credits a line if nothing stops it. Decides again under the locks of line and application. */
async function credit(platform: Platform, now: Date, { tag }: WaitingLine, to: string): Promise<void> {
  const caller = systemActor('matching of statements', now);
  try {
    await platform.db.inTransaction(async (change) => {
      const account = await openForKasente(change, to);
      const line = await lockWaiting(change, tag);
      if (line === undefined || line.left === 0) return;
      // An officer may already have sent the money back and be about to confirm that.
      if ((await selectOpenReturns(change, [line.id])).length > 0) return;
      const [again] = await findMatches(change, [line]);
      if (again?.match.isSure !== true || again.match.to.tag !== to) return;
      await receive({ platform, change, caller }, account, receiptOf(line, again.match.to));
    });
  } catch (error) {
    // The line stays in suspense, and officers see why.
    if (error instanceof AppError)
      platform.log.info({ line: tag, code: error.code }, 'received money was not credited');
    else platform.log.error({ err: error, line: tag }, 'received money could not be credited');
  }
}

/** The receipt for the rest of a line. */
function receiptOf(line: WaitingLine, to: ClaimantRow): Receipt {
  return { ...partOf(line), amount: line.left, payer: payerOf(line.payerName, to) };
}

/** The fields that every receipt from a line has. */
export function partOf({
  id,
  tag,
  rail,
  providerId,
  date,
  payerNumber,
}: WaitingLine): Omit<Receipt, 'amount' | 'payer'> {
  return {
    kind: 'receipt',
    method: rail,
    reference: providerId,
    date,
    line: { id, tag },
    ...(payerNumber === null ? {} : { from: maskedNumber(payerNumber) }),
  };
}
