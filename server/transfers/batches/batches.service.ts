import { createHash, randomUUID } from 'node:crypto';
import { minorToNumeric } from '#contract/money.ts';
import { type BatchBody, fillBatch, MAXIMUM_BATCH, type PayoutBatches } from '#contract/transfers/batches.ts';
import { AppError, orNotFound } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import type { BatchedPayout, PayoutBatch } from '#server/rail-port/rail.ts';
import { presentBatch, presentWaiting } from './batches.presenter.ts';
import {
  insertBatch,
  lockWaiting,
  selectBatch,
  selectBatched,
  selectBatches,
  selectWaiting,
  takeNumber,
} from './batches.queries.ts';

/**
 * Files for a bank (docs/decisions/0052-bank-by-file.md). The officer who makes one chooses neither the payouts nor the
 * accounts: two other officers already have. The file is written from database rows, and its digest is stored with the
 * batch.
 */

const SHOWN = 20;

/** The payouts waiting for the next files, and the newest files. */
export async function listBatches(platform: Platform): Promise<PayoutBatches> {
  const read = async (snapshot: Connection): Promise<PayoutBatches> => {
    const [rows, batches] = await together(selectWaiting(snapshot), selectBatches(snapshot, SHOWN));
    return { waiting: presentWaiting(rows), batches: batches.map(presentBatch) };
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read, read only' });
}

/** Puts the waiting payouts into a file, once per Idempotency-Key. Throws BATCH_EMPTY. */
export function makeBatch(context: Context, body: BatchBody) {
  const { platform, caller } = context;
  return changeOnce(context, { name: 'makePayoutBatch', input: body }, async (work) => {
    const { change } = work;
    const { rail, currency } = body;
    const open = platform.rails.find(rail);
    const [writeFile, from] = [open?.kind.writeFile, open?.paidFrom?.(currency)];
    if (writeFile === undefined || from === undefined) throw new AppError('BATCH_EMPTY');
    const number = await takeNumber(change);
    const found = await lockWaiting(change, { rail, currency, limit: MAXIMUM_BATCH });
    const { payouts, total } = fillBatch(found);
    if (payouts.length === 0) throw new AppError('BATCH_EMPTY');
    const batch = { number, currency, from, total, payouts: payouts.map(payoutOf) };
    const sha256 = digestOf(writeFile(batch));
    const made = {
      tag: randomUUID(),
      number,
      rail,
      currency,
      from_number: from.number,
      from_name: from.name,
      sha256,
      payout_count: payouts.length,
      total: minorToNumeric(total),
      made_at: caller.now,
      made_by: caller.person.id,
    };
    await insertBatch(
      change,
      made,
      payouts.map(({ id }) => id),
    );
    record(work, made, payouts);
    return { success: true as const, data: { tag: made.tag } };
  });
}

interface Made {
  readonly tag: string;
  readonly number: number;
  readonly currency: string;
  readonly total: string;
  readonly sha256: Buffer;
}

/** Records the batch in the audit log, and on each application that it pays. */
function record(
  work: Changing,
  { tag, number, currency, total, sha256 }: Made,
  payouts: Readonly<Awaited<ReturnType<typeof lockWaiting>>>,
): void {
  const transfers = payouts.map((payout) => payout.tag);
  recordEvent(work, 'payoutBatch.made', ['payoutBatch', tag], {
    after: { number, currency, total, sha256: sha256.toString('hex'), transfers },
  });
  for (const { invoiceTag, payoutTag: payout, tag: transfer, reference } of payouts)
    recordEvent(work, 'payout.batched', ['invoice', invoiceTag], {
      after: { payout, transfer, reference, batch: number },
    });
}

function payoutOf({ reference, amount, number, holderName, bankName }: PayoutRow): BatchedPayout {
  return { reference, amount, number, holderName: holderName ?? '', bankName };
}
type PayoutRow = Awaited<ReturnType<typeof selectBatched>>[number];

function digestOf(file: string): Buffer {
  return createHash('sha256').update(file).digest();
}

/** The file of a batch, as it was first made. Throws NOT_FOUND; BATCH_CHANGED if its rows have changed. */
export async function readBatchFile(platform: Platform, tag: string) {
  const batch = orNotFound(await selectBatch(platform.db, tag));
  const { number, currency, total, fromNumber, fromName } = batch;
  const payouts = (await selectBatched(platform.db, batch.id)).map(payoutOf);
  const given: PayoutBatch = { number, currency, total, from: { number: fromNumber, name: fromName }, payouts };
  const file = platform.rails.fileOf(batch.rail)?.(given);
  if (file === undefined || !digestOf(file).equals(batch.sha256)) {
    platform.log.error({ batch: number }, 'the file of a batch is not what was made');
    throw new AppError('BATCH_CHANGED');
  }
  return { fileName: `kasente-batch-${number}-${currency}.csv`, content: Buffer.from(file) };
}
