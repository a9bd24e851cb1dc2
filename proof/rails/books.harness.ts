import { sql } from 'kysely';
import { z } from 'zod';
import type { AccountCode } from '#contract/journal/accounts.ts';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { differencesWith } from '#server/transfers/transfers.harness.ts';
import { directions } from './directions.harness.ts';
import { FLOAT, type PaidCase, type RailId, type RailsWorld, railIds, rails } from './rails.harness.ts';

/** Compares our books with those of the providers and the bank. */

const UNITS = 100;

/**
 * All differences: payments against entries, the cash of each account, each wallet, and transfers that have not ended.
 */
export async function disagreements(world: RailsWorld, cases: readonly PaidCase[]): Promise<string[]> {
  const { app, bank } = world;
  const found: string[] = [];
  const paid = new Map<string, number>();
  const wallets = new Map<string, number>();
  const ours = await app.platform.db
    .selectFrom('transfers')
    .select(['reference', 'rail', 'known_at', 'state', 'file_reference'])
    .execute();
  for (const { reference, known_at, state } of ours)
    if (known_at === null) found.push(`${reference}: ${state}, not known`);
  for (const id of railIds) {
    const { transactions, accounts, sums, wallets: held } = await world.providers[id].book();
    const references = new Map(ours.map(({ reference }) => [rails[id].idOf(reference), reference]));
    const succeeded = transactions.filter(({ state }) => state === 'succeeded');
    for (const one of succeeded) {
      if (one.kind === 'payment') found.push(...(await differencesOfUnasked(world, id, one)));
      else paid.set(references.get(one.id) ?? one.id, one.amount * UNITS);
    }
    for (const { msisdn, balance } of held) {
      const unasked = succeeded.filter((one) => one.kind === 'payment' && one.msisdn === msisdn);
      wallets.set(msisdn, (balance + sumOf(unasked)) * UNITS);
    }
    if (sums.held !== sums.funded) found.push(`${id}: its own book does not add up`);
    const there = (accounts.disbursement + accounts.collection - FLOAT) * UNITS;
    found.push(...(await differenceOfCash(world, rails[id].cash, there)));
  }
  const named = new Map(ours.map((one) => [narrationOf(one.file_reference), one.reference]));
  for (const { details, amount } of bank.paid) {
    const reference = named.get(details) ?? details;
    paid.set(reference, (paid.get(reference) ?? 0) - amount * UNITS);
  }
  found.push(...(await differenceOfCash(world, 'cashBank', sumOf(bank.paid) * UNITS)));
  found.push(...(await differencesWith(app, { paid })));
  for (const built of cases) found.push(...(await differencesOf(world, built, wallets.get(built.msisdn) ?? 0)));
  return found;
}

function narrationOf(fileReference: string): string {
  return `${PRODUCT_NAME} ${sayRepaymentReference(fileReference)}`;
}

function sumOf(all: readonly { readonly amount: number }[]): number {
  return all.reduce((sum, { amount }) => sum + amount, 0);
}

async function differenceOfCash({ app }: RailsWorld, account: AccountCode, there: number): Promise<string[]> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount), 0)::numeric(15, 2) as sum from journal_lines where account = ${account}`.execute(
    app.platform.db,
  );
  const here = rows[0]?.sum ?? 0;
  return here === there ? [] : [`${account}: ${here} in our journal, ${there} in the other book`];
}

/** An unrequested payment must be credited once. */
async function differencesOfUnasked(
  { app }: RailsWorld,
  rail: RailId,
  { financialId, amount }: { readonly financialId: string | null; readonly amount: number },
): Promise<string[]> {
  const entries = app.platform.db.selectFrom('journal_entries').where('method', '=', rail);
  const credited = await entries
    .where('reference', '=', financialId ?? '')
    .where('kind', '=', 'receipt')
    .select('amount')
    .execute();
  const isRight = credited.length === 1 && credited[0]?.amount === amount * UNITS;
  return isRight ? [] : [`${financialId}: ${amount} sent unasked, ${credited.length} receipts`];
}

const events = z.array(z.object({ action: z.string() }));

/**
 * A case has at most one order in each direction, one event for each paid part, and the matching balance in its wallet.
 * A refused order moves nothing.
 */
async function differencesOf({ app }: RailsWorld, built: PaidCase, inWallet: number): Promise<string[]> {
  const { db } = app.platform;
  const transfers = await db
    .selectFrom('transfers')
    .leftJoin('payouts', 'payouts.id', 'transfers.payout_id')
    .where('transfers.invoice_id', '=', built.id)
    .selectAll('transfers')
    .select(['payouts.part_of as partOf', 'payouts.amount as due'])
    .execute();
  const told = events.parse(
    await db.selectFrom('audit_events').where('subject_tag', '=', built.tag).select('action').execute(),
  );
  const invoices = db.selectFrom('invoices').where('id', '=', built.id);
  const { status } = await invoices.select('status').executeTakeFirstOrThrow();
  const found: string[] = [];
  let moved = 0;
  for (const direction of ['out', 'in'] as const) {
    const ordered = transfers.filter((one) => one.direction === direction);
    const paid = ordered.filter(({ state }) => state === 'succeeded' || state === 'reconciled');
    const [first, ...more] = ordered.filter(({ partOf }) => partOf === null);
    const { news } = directions[direction];
    moved += (direction === 'out' ? 1 : -1) * sumOf(paid.filter(({ rail }) => rail !== 'bank'));
    if (more.length > 0) found.push(`${built.tag}: ${1 + more.length} orders ${direction}`);
    if (told.filter(({ action }) => action === news).length !== paid.length)
      found.push(`${built.tag}: not one ${news} for each`);
    const due = paid.length === ordered.length ? (first?.due ?? 0) : undefined;
    if (direction === 'in') continue;
    if (due !== undefined && sumOf(paid) !== due) found.push(`${built.tag}: ${sumOf(paid)} of ${due} paid`);
    if ((status === 'Disbursed') !== paid.length > 0) found.push(`${built.tag}: ${status}`);
  }
  if (inWallet !== moved) found.push(`${built.tag}: ${moved} sent, ${inWallet} in the wallet`);
  return found;
}
