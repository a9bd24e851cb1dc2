import { randomUUID } from 'node:crypto';
import { fromMinor } from '#contract/money.ts';
import type { PayoutBoard } from '#contract/payouts/schema.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { ShownTransfer } from '#contract/transfers/schema.ts';
import type { AddressLimits } from '#server/accounts/login/address-limits.ts';
import { AppError, orNotFound } from '#server/calls/app-error.ts';
import type { Actor, Caller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { SHOWN_AT_ONCE } from '#server/db/list-page.ts';
import { gather } from '#server/db/together.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Transacting, Work } from '#server/platform/work.ts';
import { LONGEST_SAID } from '#server/rail-port/rail.ts';
import type { OpenRail } from '#server/rails/open-rails.ts';
import { selectOpenEndings } from '#server/transfers/endings/endings.queries.ts';
import { addTransferJob } from './transfers.jobs.ts';
import { presentOpen, presentTransfer } from './transfers.presenter.ts';
import {
  insertTransfer,
  lockTransfer,
  lockUnbatched,
  selectLastPayout,
  selectOpen,
  selectUnfinished,
  setTransfer,
  sumOpen,
} from './transfers.queries.ts';

/** Orders and shows transfers over a provider's rail, and receives callbacks (docs/decisions/0047-rails.md). */

/** A transfer to order. */
export type NewTransfer = Omit<Parameters<typeof insertTransfer>[1], 'tag' | 'rail' | 'created_at'>;

/**
 * Writes a transfer and its job in the transaction that orders it: nothing is sent before the commit. A payout by file
 * waits for a file instead. Returns the transfer's tag.
 */
export async function orderTransfer(
  work: Work<Pick<Actor, 'now'>>,
  { kind }: OpenRail,
  given: NewTransfer,
): Promise<string> {
  const named = { tag: randomUUID(), rail: kind.id };
  const byFile = kind.writeFile !== undefined;
  const { now } = work.caller;
  insertTransfer(work.change, { ...given, ...named, created_at: now }, { byFile });
  if (!byFile) await addTransferJob(work, { ...named, createdAt: now });
  return named.tag;
}

/**
 * Ends the transfer of a payout that waits for a file, with an officer's reason. Returns false if there is none, or it
 * is in a file already.
 */
export async function endUnbatched({ change, caller }: Changing, payoutTag: string, reason: string): Promise<boolean> {
  const waiting = await lockUnbatched(change, payoutTag);
  if (waiting === undefined) return false;
  const said = reason.slice(0, LONGEST_SAID);
  setTransfer(change, waiting.tag, { state: 'failed', refusal: 'cancelled', said, known_at: caller.now });
  return true;
}

/** The newest payout over a rail of an application, or null. */
export async function findTransfer(
  platform: Platform,
  connection: Connection,
  invoiceTag: string,
  reader: { readonly isStaff: boolean },
): Promise<ShownTransfer | null> {
  const row = await selectLastPayout(connection, invoiceTag);
  return row === undefined ? null : presentTransfer(platform, row, reader);
}

/** The first payouts on their way and late requests to pay, with the count and totals of all. */
export async function readOnItsWay(
  { platform, caller }: Context,
  connection: Connection,
): Promise<PayoutBoard['onItsWay']> {
  const { open, sums, endings } = await gather({
    open: selectOpen(connection, SHOWN_AT_ONCE),
    sums: sumOpen(connection),
    endings: selectOpenEndings(connection),
  });
  const endingOf = new Map(endings.map((ending) => [ending.transferId, ending]));
  return {
    rows: open.map((row) => presentOpen(platform, caller, row, endingOf.get(row.id))),
    count: sums.reduce((all, { count }) => all + count, 0),
    totals: sums
      .filter(({ amount }) => amount > 0)
      .map(({ currency, amount }) => ({ currency, amount: fromMinor(amount) })),
  };
}

/** We ask at most this often, however often a provider calls back. */
const HEARD_EVERY_MS = MINUTE_MS / 12;

interface Callback {
  readonly rail: string;
  /** The host to which the call was addressed. */
  readonly host: string;
  readonly body: unknown;
}

/**
 * Receives a provider's callback. The callback itself changes nothing; we ask about the unfinished transfer now. Throws
 * NOT_FOUND for a reference that names none; TOO_MANY_REQUESTS.
 */
export async function hearCallback(
  { platform, caller: { ip, now } }: Context<Pick<Caller, 'ip' | 'now'>>,
  limits: AddressLimits,
  { rail: id, host, body }: Callback,
): Promise<void> {
  await limits.spend('rail-callback', ip);
  const { publicUrl } = platform.config;
  const reference = platform.rails.find(id)?.callbackReference(body);
  if (!isCalled(publicUrl, host) || reference === undefined || !UUID.test(reference)) throw new AppError('NOT_FOUND');
  const named = orNotFound(await selectUnfinished(platform.db, id, reference));
  const isNews = named.askedAt !== null && now.getTime() - named.askedAt.getTime() >= HEARD_EVERY_MS;
  if (isNews) await platform.db.inTransaction((change) => askNow({ platform, change }, named.tag, now));
}

/** Whether the call was addressed to our public host. A default port is the same as none. */
function isCalled(publicUrl: string | undefined, host: string): boolean {
  if (publicUrl === undefined) return false;
  const own = new URL(publicUrl);
  const called = `${own.protocol}//${host}`;
  return URL.canParse(called) && new URL(called).host === own.host;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function askNow(work: Transacting, tag: string, now: Date): Promise<void> {
  const { change } = work;
  const transfer = await lockTransfer(change, tag);
  if (transfer === undefined || transfer.nextAskAt === null || transfer.nextAskAt <= now) return;
  setTransfer(change, tag, { next_ask_at: now });
  await addTransferJob(work, transfer);
}
