import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { LedgerEntry } from '#contract/payments/schema.ts';
import { type BuiltCase, caseRow, messagesTo, type Someone, stepsOf } from '#testing/case-builders.ts';
import { payOut } from '#testing/payout-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';

/** Request bodies and calls for the tests of payments. */

type Fields = Readonly<Record<string, unknown>>;
export type PaymentCall = 'disbursement' | 'receipts' | 'surplus';

const bodies = {
  disbursement: { method: 'airtel', date: '2026-11-20', amount: 801_000 },
  receipts: { method: 'bank', date: '2026-11-20', amount: 900_000, payer: 'buyer', confirmed: true },
  surplus: { method: 'bank', date: '2026-11-20', amount: 1_000 },
} as const;

let references = 0;

/**
 * Records a payment on the first day of the tests, with a new reference. By default the first one is the net proceeds,
 * and later ones are the whole advance.
 */
export function pay(
  {
    tag,
    officer,
    payer,
    preparer,
  }: {
    readonly tag: string;
    readonly officer: Pick<Someone, 'caller'>;
    readonly payer?: Someone;
    /** The person who prepares a payout; by default the officer of the case. */
    readonly preparer?: Pick<Someone, 'caller'>;
  },
  call: PaymentCall,
  change: Fields = {},
  headers?: Record<string, string>,
): Promise<Answer> {
  references += 1;
  const body = { ...bodies[call], reference: `R-${references}`, ...change };
  // The server sets the account and the amount.
  const { payer: _payer, amount: _amount, ...released } = change;
  if (call === 'receipts') return officer.caller.post(`/applications/${tag}/receipts`, body, headers);
  const { reference, date } = body;
  const officers = { preparer: preparer ?? officer, releaser: payer ?? officer };
  return payOut(officers, tag, { reference, date, ...released }, headers);
}

/** Records a payment that the server must accept; returns the entry's tag. */
export async function paid(built: BuiltCase, call: PaymentCall, change: Fields = {}): Promise<string> {
  const { status, body } = await pay(built, call, change);
  if (status !== 200) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
  return body.data.tag;
}

/** Reverses an entry. */
export function reverse(
  officer: Pick<Someone, 'caller'>,
  entryTag: string,
  headers?: Record<string, string>,
): Promise<Answer> {
  return officer.caller.post(`/payments/${entryTag}/reverse`, { reason: 'Booked on the wrong invoice' }, headers);
}

/** Reverses a payout: one officer proposes, another confirms. */
export async function reversePayout(
  [proposer, confirmer]: readonly [Pick<Someone, 'caller'>, Pick<Someone, 'caller'>],
  { tag }: Pick<BuiltCase, 'tag'>,
  entryTag?: string,
): Promise<Answer> {
  const entry =
    entryTag ??
    (await entriesOf(proposer, tag)).findLast(({ kind, reversed }) => kind === 'disbursement' && !reversed)?.tag;
  const reason = 'Booked on the wrong invoice';
  const proposed = await proposer.caller.post(`/payments/${entry}/reversal/propose`, { reason });
  return proposed.status === 200 ? confirmProposal(confirmer, tag) : proposed;
}

/** Reverses any entry, with a second officer where it takes two. */
export async function reverseAny(
  officers: readonly [Pick<Someone, 'caller'>, Pick<Someone, 'caller'>],
  built: Pick<BuiltCase, 'tag'>,
  entryTag: string,
): Promise<Answer> {
  const answer = await reverse(officers[0], entryTag);
  return answer.body.code === 'REVERSAL_TAKES_TWO' ? reversePayout(officers, built, entryTag) : answer;
}

/** Confirms the open proposal about an application's money. */
export async function confirmProposal(by: Pick<Someone, 'caller'>, tag: string, proposalTag?: string): Promise<Answer> {
  const { proposal } = await sumsOf(by, tag);
  const open = proposalTag ?? proposal?.tag ?? randomUUID();
  return by.caller.post(`/applications/${tag}/proposals/confirm`, { proposalTag: open });
}

/** The balance of an application, as a caller sees it. */
export async function sumsOf(who: Pick<Someone, 'caller'>, tag: string) {
  const { body } = await who.caller.get(`/applications/${tag}/payments`);
  delete body.entries;
  return body;
}

/** The entries as a caller sees them, oldest first. */
export async function entriesOf(who: Pick<Someone, 'caller'>, tag: string): Promise<LedgerEntry[]> {
  return (await who.caller.get(`/applications/${tag}/payments`)).body.entries;
}

/** The stored ledger, oldest first. */
export function ledgerOf(app: TestApp, { id }: Pick<BuiltCase, 'id'>) {
  return app.platform.db.selectFrom('journal_entries').selectAll().where('invoice_id', '=', id).orderBy('id').execute();
}

/** The balances of an application's accounts, without those at 0. */
export async function balancesOf(app: TestApp, { id }: Pick<BuiltCase, 'id'>): Promise<Record<string, number>> {
  const rows = await app.platform.db
    .selectFrom('journal_lines as line')
    .innerJoin('journal_entries as entry', 'entry.id', 'line.entry_id')
    .where('entry.invoice_id', '=', id)
    .groupBy('line.account')
    .select(['line.account', sql<number>`sum(line.amount)`.as('balance')])
    .execute();
  return Object.fromEntries(
    rows.filter(({ balance }) => balance !== 0).map(({ account, balance }) => [account, balance]),
  );
}

/** An application's row, ledger, timeline and messages. */
async function stateOf(app: TestApp, built: BuiltCase) {
  const rows = [await caseRow(app, built), await ledgerOf(app, built), await stepsOf(app, built)];
  return [...rows, await messagesTo(app, built.client)];
}

/** Asserts that a call is refused with that failure and changes nothing. */
export async function expectUnchanged(
  app: TestApp,
  built: BuiltCase,
  call: () => Promise<Answer>,
  [status, body]: readonly [number, Fields],
): Promise<void> {
  const before = await stateOf(app, built);
  const answer = await call();
  expect([answer.status, answer.body]).toMatchObject([status, { success: false, ...body }]);
  expect(await stateOf(app, built)).toEqual(before);
}

/** Asserts that a payment is refused with that failure and changes nothing. */
export function expectRefused(
  app: TestApp,
  built: BuiltCase,
  [call, change]: readonly [PaymentCall, Fields],
  refusal: readonly [number, Fields],
): Promise<void> {
  return expectUnchanged(app, built, () => pay(built, call, change), refusal);
}

export function fieldRefusal(code: string, field: string, msg: string): Fields {
  return { code, fields: { [field]: msg } };
}
