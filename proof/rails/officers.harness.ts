import { randomUUID } from 'node:crypto';
import type { Rail } from '#contract/statements/layouts.ts';
import type { ReconciliationReply, ShownDifference } from '#contract/statements/schema.ts';
import { sendStatement } from '#server/statements/statements.harness.ts';
import { batchesOf, makeBatch } from '#server/transfers/batches/batches.harness.ts';
import { type Someone, succeed } from '#testing/case-builders.ts';
import type { Answer } from '#testing/test-app.ts';
import { type TransferOf, transactionOf } from './directions.harness.ts';
import type { PaidCase, RailsWorld } from './rails.harness.ts';

/** The officers' steps from a payment's order to closing its day. Each can be repeated after a kill. */

/** Expects success, or a refusal because the step was done before the kill. */
async function done(answer: Promise<Answer>, ...before: readonly string[]): Promise<void> {
  const { status, body } = await answer;
  if (status !== 200 && !before.includes(body.code)) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
}

/** An account's statement so far. */
export async function statementOf({ bank, providers }: RailsWorld, rail: Rail): Promise<string> {
  return rail === 'bank' ? bank.statement() : providers[rail].statement();
}

/** Imports a statement of an account, by default the whole one. */
export async function importStatement(world: RailsWorld, by: Someone, rail: Rail, statement?: string): Promise<Answer> {
  return sendStatement(by, statement ?? (await statementOf(world, rail)), { rail });
}

/** Puts the waiting payouts into a file, and brings the bank every file that it lacks. */
export async function bringFiles({ app, bank }: RailsWorld, by: Someone): Promise<void> {
  await done(makeBatch(by), 'BATCH_EMPTY');
  for (const { tag } of (await batchesOf(by)).batches) {
    if (bank.has(tag)) continue;
    const { raw } = await succeed(by.caller.get(`/payout_batches/${tag}/file.csv`));
    bank.take(tag, raw.toString(), app.clock.now());
  }
}

/** Proposes how a transfer ended, as shown in the provider's portal. */
export async function propose(world: RailsWorld, { officer, rail }: PaidCase, transfer: TransferOf): Promise<Answer> {
  const there = await transactionOf(world, rail, transfer);
  const isPaid = there?.state === 'succeeded';
  const end = isPaid ? { outcome: 'paid', providerReference: there.financialId } : { outcome: 'notPaid' };
  return officer.caller.post(`/transfers/${transfer.tag}/ending/propose`, { ...end, reason: 'Their portal says so' });
}

/** The call by which another officer confirms a proposed end, after the required pause. */
export async function confirm({ app }: RailsWorld, { id, tag }: TransferOf): Promise<(by: Someone) => Promise<Answer>> {
  const { rows } = await app.database.owner.pool.query<{ tag: string }>(
    `update transfer_endings set proposed_at = proposed_at - interval '5 minutes'
     where transfer_id = $1 and confirmed_at is null and dropped_at is null returning tag`,
    [id],
  );
  const endingTag = rows[0]?.tag ?? randomUUID();
  return ({ caller }) => caller.post(`/transfers/${tag}/ending/confirm`, { endingTag });
}

/** Two officers settle a transfer, unless its provider reports the end first. */
export async function endByHand(world: RailsWorld, built: PaidCase, transfer: TransferOf): Promise<void> {
  await done(propose(world, built, transfer), 'ENDING_OPEN', 'TRANSFER_ENDED');
  const call = await confirm(world, transfer);
  await done(call(built.payer), 'TRANSFER_ENDED');
}

/** A day of an account. */
export interface AccountDay {
  readonly rail: Rail;
  readonly currency: string;
  readonly day: string;
}

export async function readDay({ caller }: Someone, day: AccountDay): Promise<ReconciliationReply> {
  const query = new URLSearchParams({ ...day }).toString();
  return (await succeed(caller.get(`/reconciliation?${query}`))).body;
}

export function explain({ caller }: Someone, day: AccountDay, { difference }: ShownDifference): Promise<Answer> {
  return caller.post('/reconciliation/explain', { ...day, difference, reason: 'The provider left it out' });
}

export function close({ caller }: Someone, day: AccountDay): Promise<Answer> {
  return caller.post('/reconciliation/close', day);
}

/** Explains a day's unexplained differences. */
export async function explainAll(by: Someone, day: AccountDay): Promise<void> {
  const { differences } = await readDay(by, day);
  for (const one of differences) if (one.explained === null) await succeed(explain(by, day, one));
}

/** Closes a day, unless it is closed. */
export function closeOnce(by: Someone, day: AccountDay): Promise<void> {
  return done(close(by, day), 'DAY_CLOSED');
}
