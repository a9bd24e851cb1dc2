import { randomUUID } from 'node:crypto';
import type { Rail } from '#contract/statements/layouts.ts';
import type { ReconciliationReply, ShownDifference } from '#contract/statements/schema.ts';
import { sendStatement } from '#server/statements/statements.harness.ts';
import { type Someone, succeed } from '#server/testing/case-builders.ts';
import type { Answer } from '#server/testing/test-app.ts';
import { batchesOf, makeBatch } from '#server/transfers/batches/batches.harness.ts';
import { type TransferOf, transactionOf } from './directions.harness.ts';
import type { PaidCase, RailsWorld } from './rails.harness.ts';

/** What officers do after a payment was ordered, until its day is closed. Each may be done again after a kill. */

/** Succeeds, or was done before the server was killed. */
async function done(answer: Promise<Answer>, ...before: readonly string[]): Promise<void> {
  const { status, body } = await answer;
  if (status !== 200 && !before.includes(body.code)) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
}

/** What an account's statement has by now. */
export async function statementOf({ bank, providers }: RailsWorld, rail: Rail): Promise<string> {
  return rail === 'bank' ? bank.statement() : providers[rail].statement();
}

/** Takes in a statement of an account, by default with all that it has. */
export async function importStatement(world: RailsWorld, by: Someone, rail: Rail, statement?: string): Promise<Answer> {
  return sendStatement(by, statement ?? (await statementOf(world, rail)), { rail });
}

/** Makes a file of what waits, and brings each to the bank that it does not have yet. */
export async function bringFiles({ app, bank }: RailsWorld, by: Someone): Promise<void> {
  await done(makeBatch(by), 'BATCH_EMPTY');
  for (const { tag } of (await batchesOf(by)).batches) {
    if (bank.has(tag)) continue;
    const { raw } = await succeed(by.caller.get(`/payout_batches/${tag}/file.csv`));
    bank.take(tag, raw.toString(), app.clock.now());
  }
}

/** Says how a transfer ended, as it stands in the provider's portal. */
export async function propose(world: RailsWorld, { officer, rail }: PaidCase, transfer: TransferOf): Promise<Answer> {
  const there = await transactionOf(world, rail, transfer);
  const isPaid = there?.state === 'succeeded';
  const end = isPaid ? { outcome: 'paid', providerReference: there.financialId } : { outcome: 'notPaid' };
  return officer.caller.post(`/transfers/${transfer.tag}/ending/propose`, { ...end, reason: 'Their portal says so' });
}

/** What an officer calls to confirm what another one said, once what was under way before that is over. */
export async function confirm({ app }: RailsWorld, { id, tag }: TransferOf): Promise<(by: Someone) => Promise<Answer>> {
  const { rows } = await app.database.owner.pool.query<{ tag: string }>(
    `update transfer_endings set proposed_at = proposed_at - interval '5 minutes'
     where transfer_id = $1 and confirmed_at is null and dropped_at is null returning tag`,
    [id],
  );
  const endingTag = rows[0]?.tag ?? randomUUID();
  return ({ caller }) => caller.post(`/transfers/${tag}/ending/confirm`, { endingTag });
}

/** Two officers end a transfer, unless its provider says it after all. */
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

/** Explains what is named on a day and is not explained yet. */
export async function explainAll(by: Someone, day: AccountDay): Promise<void> {
  const { differences } = await readDay(by, day);
  for (const one of differences) if (one.explained === null) await succeed(explain(by, day, one));
}

/** Closes a day, unless that was done before. */
export function closeOnce(by: Someone, day: AccountDay): Promise<void> {
  return done(close(by, day), 'DAY_CLOSED');
}
