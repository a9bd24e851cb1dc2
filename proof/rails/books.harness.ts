import { sql } from 'kysely';
import { z } from 'zod';
import { differencesWith } from '#server/transfers/transfers.harness.ts';
import { directions } from './directions.harness.ts';
import { FLOAT, type PaidCase, type RailsWorld, railIds, rails } from './rails.harness.ts';

/** Our books against those of the providers. */

const UNITS = 100;

/** What does not agree: each payment there with each entry here, the cash of each rail, each wallet, and what is not known. */
export async function disagreements(world: RailsWorld, cases: readonly PaidCase[]): Promise<string[]> {
  const { app } = world;
  const found: string[] = [];
  const paid = new Map<string, number>();
  const wallets = new Map<string, number>();
  const ours = await app.platform.db
    .selectFrom('transfers')
    .select(['reference', 'rail', 'known_at', 'state'])
    .execute();
  for (const { reference, known_at, state } of ours)
    if (known_at === null) found.push(`${reference}: ${state}, not known`);
  for (const id of railIds) {
    const { transactions, accounts, sums, wallets: held } = await world.providers[id].book();
    const references = new Map(ours.map(({ reference }) => [rails[id].idOf(reference), reference]));
    for (const one of transactions.filter(({ state }) => state === 'succeeded'))
      paid.set(references.get(one.id) ?? one.id, one.amount * UNITS);
    for (const { msisdn, balance } of held) wallets.set(msisdn, balance * UNITS);
    if (sums.held !== sums.funded) found.push(`${id}: its own book does not add up`);
    const there = (accounts.disbursement + accounts.collection - FLOAT) * UNITS;
    const cash = await balanceOf(world, id);
    if (cash !== there) found.push(`${id}: ${cash} in our journal, ${there} in the provider’s book`);
  }
  found.push(...(await differencesWith(app, { paid })));
  for (const built of cases) found.push(...(await differencesOf(world, built, wallets.get(built.msisdn) ?? 0)));
  return found;
}

async function balanceOf({ app }: RailsWorld, id: (typeof railIds)[number]): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount), 0)::numeric(15, 2) as sum from journal_lines where account = ${rails[id].cash}`.execute(
    app.platform.db,
  );
  return rows[0]?.sum ?? 0;
}

const events = z.array(z.object({ action: z.string() }));

/**
 * A case has one transfer of a direction at most, with one event where it was paid, and its wallet what that makes; or it was
 * refused, and nothing moved.
 */
async function differencesOf({ app }: RailsWorld, built: PaidCase, inWallet: number): Promise<string[]> {
  const { db } = app.platform;
  const transfers = await db.selectFrom('transfers').where('invoice_id', '=', built.id).selectAll().execute();
  const told = events.parse(
    await db.selectFrom('audit_events').where('subject_tag', '=', built.tag).select('action').execute(),
  );
  const invoices = db.selectFrom('invoices').where('id', '=', built.id);
  const { status } = await invoices.select('status').executeTakeFirstOrThrow();
  const found: string[] = [];
  let moved = 0;
  for (const direction of ['out', 'in'] as const) {
    const ordered = transfers.filter((one) => one.direction === direction);
    const paid = ordered.filter(({ state }) => state === 'succeeded');
    const { news } = directions[direction];
    for (const { amount } of paid) moved += direction === 'out' ? amount : -amount;
    if (ordered.length > 1) found.push(`${built.tag}: ${ordered.length} transfers ${direction}`);
    if (told.filter(({ action }) => action === news).length !== paid.length)
      found.push(`${built.tag}: not one ${news}`);
    if (direction === 'out' && (status === 'Disbursed') !== (paid.length === 1)) found.push(`${built.tag}: ${status}`);
  }
  if (inWallet !== moved) found.push(`${built.tag}: ${moved} sent, ${inWallet} in the wallet`);
  return found;
}
