import type { AfterQuery } from '#contract/fields.ts';
import { formatAmount } from '#contract/money.ts';
import { readRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { takesTwo } from '#contract/payments/reversal.ts';
import { mayBeReturned } from '#contract/statements/returned.ts';
import type { AssignmentBody, ClaimantReply, WaitingReply } from '#contract/statements/schema.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { AppError, fieldError, orNotFound } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { pageOf, SHOWN_AT_ONCE } from '#server/db/list-page.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import { type Account, openAccount } from '#server/payments/entries.service.ts';
import { receive } from '#server/payments/payments.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { selectOpenRepeats } from '#server/statements/counted-once/repeats.queries.ts';
import { presentRepeat } from '#server/statements/counted-once/repeats.service.ts';
import { findMatches, partOf } from './matching.service.ts';
import { selectOpenReturns } from './returns.queries.ts';
import { presentClaimant, presentStatement, presentWaiting } from './statements.presenter.ts';
import { selectPayers } from './suggestions.queries.ts';
import { buyersAmong, findOffers } from './suggestions.service.ts';
import {
  lockWaiting,
  type NamedPayout,
  searchClaimants,
  selectReversed,
  selectStatements,
  selectWaiting,
  selectWaitingLine,
  selectWaitingSums,
  type WaitingLine,
} from './waiting.queries.ts';

const STATEMENTS = 10;
/** How long officers can see and correct the answer that two lines are the same payment. */
const CORRECTABLE_MS = 14 * DAY_MS;

/**
 * Money that waits for an officer, from the start or after a line, with suggestions and the newest imports.
 * Throws NOT_FOUND.
 */
export function listReceived(context: Context, { after }: AfterQuery): Promise<WaitingReply> {
  const { platform, caller } = context;
  const read = async (snapshot: Connection): Promise<WaitingReply> => {
    const before = after === undefined ? { id: 0 } : await selectWaitingLine(snapshot, after);
    if (before === undefined) throw new AppError('NOT_FOUND');
    const [waiting, sums, statements, repeats] = await together(
      selectWaiting(snapshot, { after: before.id, limit: SHOWN_AT_ONCE + 1 }),
      selectWaitingSums(snapshot),
      selectStatements(snapshot, { limit: STATEMENTS }),
      selectOpenRepeats(snapshot, { since: new Date(caller.now.getTime() - CORRECTABLE_MS), limit: SHOWN_AT_ONCE }),
    );
    const { rows: lines, hasMore } = pageOf(waiting);
    const ids = lines.map(({ id }) => id);
    const [found, returns] = await together(findMatches(snapshot, lines), selectOpenReturns(snapshot, ids));
    const offers = await findOffers(context, snapshot, found);
    return {
      repeats: repeats.map((one) => presentRepeat(one, caller.person.id)),
      received: offers.map((offer) =>
        presentWaiting(
          offer,
          returns.find(({ lineId }) => lineId === offer.line.id),
          caller.person.id,
        ),
      ),
      hasMore,
      total: sums.reduce((total, { lines: count }) => total + count, 0),
      sums: sums.map(({ currency, amount }) => ({ currency, amount })),
      statements: statements.map((one) => presentStatement(one, caller.person.id)),
    };
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read, read only' });
}

/** Searches the applications to which an officer could assign a line. Throws NOT_FOUND. */
export async function findClaimants({ db }: Platform, tag: string, searchPhrase: string): Promise<ClaimantReply[]> {
  const line = orNotFound(await selectWaitingLine(db, tag));
  if (searchPhrase === '') return [];
  const read = readRepaymentReference(searchPhrase);
  const reference = typeof read === 'object' ? read.reference : '';
  const [rows, payers] = await together(
    searchClaimants(db, { currencyId: line.currencyId, phrase: searchPhrase, reference }),
    selectPayers(db, [line]),
  );
  return rows.map((row) => presentClaimant(row, line, buyersAmong(payers)));
}

type Part = AssignmentBody['parts'][number] & { readonly place: number };

/**
 * Assigns incoming money to applications, once per Idempotency-Key: each part is a receipt out of suspense. Throws
 * NOT_FOUND, also for an application; OWN_BUSINESS, RETURN_OPEN, NEW_OFFICER, OWN_REVERSAL; RECEIVED_CHANGED for more
 * than is left; BAD_REQUEST for the same application twice or one in another currency; RETURNED_PAYOUT; and what
 * {@link receive} throws, at the part's field.
 */
export function assignReceived(context: Context, tag: string, { parts }: AssignmentBody) {
  return doOnce(context, { name: 'assignReceived', input: { tag, parts } }, async (work) => {
    // Locked in the order of tags, so that two officers who assign to the same applications cannot deadlock.
    const sorted = parts
      .map((part, place) => ({ ...part, place }))
      .sort((one, other) => one.applicationTag.localeCompare(other.applicationTag));
    const accounts = [];
    const seen = new Set<number>();
    for (const part of sorted) {
      const account = await openAccount(work, part.applicationTag);
      // Compared by id, because an invoice and its application have different tags: two receipts on one balance would
      // count twice.
      if (seen.has(account.invoice.id)) throw twice(part);
      seen.add(account.invoice.id);
      accounts.push({ part, account });
    }
    const line = await lockLeft(work.change, tag);
    await together(requireStanding(work), refuseOwnReversal(work, line));
    const [found] = await findMatches(work.change, [line]);
    const payout = found?.payout ?? null;
    const total = parts.reduce((sum, { amount }) => sum + amount, 0);
    if (total > line.left) throw fieldError('RECEIVED_CHANGED', 'parts.0.amount');
    for (const { part, account } of accounts) {
      if (account.invoice.currencyId !== line.currencyId)
        throw fieldError(
          'BAD_REQUEST',
          `parts.${part.place}.applicationTag`,
          'This application is in another currency',
        );
      if (part.confirmedReturn !== true) refuseReturned(line, payout, account, part);
      await atPart(part, async () => {
        const { amount, payer, confirmed } = part;
        const receipt = { ...partOf(line), amount, payer, ...(confirmed === undefined ? {} : { confirmed }) };
        await receive(work, account, receipt);
      });
    }
  });
}

/** Throws RETURNED_PAYOUT, naming the payout and the application, if the money may be a payout that came back. */
function refuseReturned(
  line: WaitingLine,
  payout: NamedPayout | null,
  { invoice, standing }: Account,
  { place }: Part,
): void {
  const { invoiceNumber, currencyCode } = invoice;
  const field = `parts.${place}.amount`;
  const ask = (what: string) =>
    fieldError(
      'RETURNED_PAYOUT',
      field,
      `${what} came back? Confirm it to count it as a repayment of ${invoiceNumber}`,
    );
  if (payout !== null) throw ask(`Our payout ${payout.paidAs ?? payout.reference} on ${payout.invoiceNumber}`);
  const paid = standing.find((entry) => takesTwo(entry.kind) && mayBeReturned(line, entry, invoice.repaymentReference));
  if (paid !== undefined)
    throw ask(`Our payout ${paid.reference}, ${currencyCode} ${formatAmount(paid.amount)}, on ${invoiceNumber}`);
}

function twice({ place }: Part): Error {
  return fieldError('BAD_REQUEST', `parts.${place}.applicationTag`, 'This application is there twice');
}

/** Locks a line, and refuses one that is about to be sent back. Throws NOT_FOUND, RETURN_OPEN. */
async function lockLeft(change: Change, tag: string): Promise<WaitingLine> {
  const line = orNotFound(await lockWaiting(change, tag));
  const [open] = await selectOpenReturns(change, [line.id]);
  if (open !== undefined) throw new AppError('RETURN_OPEN');
  return line;
}

/** Throws OWN_REVERSAL if the caller took the line off an application: another officer must assign it. */
async function refuseOwnReversal({ change, caller: { person } }: Changing, { id }: WaitingLine): Promise<void> {
  if ((await selectReversed(change, [id], person.id)).length > 0) throw new AppError('OWN_REVERSAL');
}

/** Runs `work`, and moves a refusal to the part's field in the form. */
async function atPart({ place }: Part, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.details.fields === undefined) throw error;
    const fields = Object.entries(error.details.fields).map(([field, text]) => [`parts.${place}.${field}`, text]);
    throw new AppError(error.code, { ...error.details, fields: Object.fromEntries(fields) });
  }
}
