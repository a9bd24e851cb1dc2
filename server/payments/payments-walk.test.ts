import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepsFrom } from '#contract/applications/lifecycle.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildCaseClient,
  buildOfficer,
  type CaseClient,
  caseRow,
  type Someone,
  stepsOf,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { balancesOf, ledgerOf, pay, reverseAny, sumsOf } from './payments.harness.ts';

/** Random payments over HTTP, beside a ledger kept by hand that predicts every answer and every sum. */

const ADVANCE = 90_000_000;
const PROCEEDS = 80_100_000;
const WALKS = 25;

type Kind = 'disbursement' | 'receipt' | 'surplus';

/** `pick` chooses among all entries, including reversals. Amounts in minor units. */
type Move =
  | { readonly do: 'pay'; readonly kind: Kind; readonly amount: number }
  | { readonly do: 'reverse'; readonly pick: number };

const amountOf: Record<Kind, fc.Arbitrary<number>> = {
  disbursement: fc.oneof({ weight: 4, arbitrary: fc.constant(PROCEEDS) }, fc.integer({ min: 1, max: ADVANCE })),
  receipt: fc.oneof(fc.integer({ min: 1, max: ADVANCE }), fc.constantFrom(1, ADVANCE, ADVANCE / 2, 2 * ADVANCE)),
  surplus: fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.constantFrom(1, ADVANCE)),
};
const payOf = (kind: Kind) => amountOf[kind].map((amount): Move => ({ do: 'pay', kind, amount }));
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 1, arbitrary: payOf('disbursement') },
  { weight: 4, arbitrary: payOf('receipt') },
  { weight: 2, arbitrary: payOf('surplus') },
  { weight: 4, arbitrary: fc.nat().map((pick): Move => ({ do: 'reverse', pick })) },
);

interface ByHand {
  readonly tag: string;
  readonly kind: Kind;
  readonly amount: number;
  /** How much less it sends than it settles, and how much closing the application rounds away. */
  readonly left: number;
  readonly rounded: number;
  isReversed: boolean;
}

class NaiveLedger {
  readonly entries: ByHand[] = [];

  sum(kind: Kind): number {
    return this.#total((entry) => (entry.kind === kind ? entry.amount : 0));
  }

  #total(of: (entry: ByHand) => number): number {
    return this.entries.reduce((total, entry) => total + (entry.isReversed ? 0 : of(entry)), 0);
  }

  get status(): 'Approved' | 'Disbursed' | 'Settled' {
    if (this.sum('disbursement') === 0) return 'Approved';
    // An amount below a shilling is not owed.
    return this.sum('receipt') <= ADVANCE - 100 ? 'Disbursed' : 'Settled';
  }

  get outstanding(): number {
    return this.status === 'Disbursed' ? ADVANCE - this.sum('receipt') : 0;
  }

  /** The settled part of the surplus: the amount paid, and fractions left for the next payment. */
  get settled(): number {
    return this.#total(({ kind, amount, left }) => (kind === 'surplus' ? amount + left : 0));
  }

  /** The unpaid surplus, without the fraction that closing the application rounded away. */
  get owed(): number {
    const extra = Math.max(0, this.sum('receipt') - ADVANCE) - this.settled;
    return (
      extra -
      Math.max(
        0,
        Math.min(
          extra,
          this.#total(({ rounded }) => rounded),
        ),
      )
    );
  }

  /** Everything that we owe the client. */
  get due(): number {
    const extra = Math.max(0, this.sum('receipt') - ADVANCE);
    return extra - this.sum('surplus') - this.#total(({ rounded }) => rounded);
  }

  /** Adds an entry. If less than a shilling is left, that closes the application. */
  add(entry: Pick<ByHand, 'tag' | 'kind' | 'amount'>): void {
    const left = entry.kind === 'surplus' ? this.owed - entry.amount : 0;
    const open: ByHand = { ...entry, left, rounded: 0, isReversed: false };
    this.entries.push(open);
    const closes = entry.kind !== 'disbursement' && this.status === 'Settled' && this.due < 100;
    if (closes) this.entries.splice(-1, 1, { ...open, rounded: this.due });
  }

  /** The entry that a payment makes. The server decides the kind and amount of payouts, in whole shillings. */
  recorded(kind: Kind, amount: number): { readonly kind: Kind; readonly amount: number } {
    if (kind === 'receipt') return { kind, amount };
    if (this.status === 'Approved') return { kind: 'disbursement', amount: PROCEEDS };
    const due = this.status === 'Settled' ? this.due : 0;
    return { kind: 'surplus', amount: due - (due % 100) };
  }

  foretell(kind: Kind, amount: number): string {
    if (kind === 'receipt') return this.status === 'Approved' ? '409 STEP_NOT_ALLOWED' : '200';
    return this.recorded(kind, amount).amount > 0 ? '200' : '409 PAYOUT_NOTHING';
  }

  foretellReversal({ kind, amount, isReversed }: ByHand): string {
    if (isReversed) return '409 ALREADY_REVERSED';
    if (kind === 'disbursement' && this.sum('receipt') > 0) return '409 RECEIPTS_EXIST';
    const left = Math.max(0, this.sum('receipt') - amount - ADVANCE);
    if (kind === 'receipt' && this.settled > left) return '409 SURPLUS_EXISTS';
    return '200';
  }
}

const LIMIT = 'UGX:999999999999';
const app = appOfFile({ FUNDING_LIMIT_START: LIMIT, FUNDING_LIMIT_MAXIMUM: LIMIT, FUNDING_LIMIT_HIGHEST: LIMIT });
let officer: Someone;
let another: Someone;
let client: CaseClient;
const payers: Someone[] = [];
beforeAll(async () => {
  [officer, another] = [await buildOfficer(app), await buildOfficer(app)];
  client = await buildCaseClient(app);
});
afterAll(async () => {
  // The audit log agrees with all of them.
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

const calls = { disbursement: 'disbursement', receipt: 'receipts', surplus: 'surplus' } as const;

function said({ status, body }: Awaited<ReturnType<typeof pay>>): string {
  return status === 200 ? '200' : `${status} ${body.code}`;
}

/**
 * The officer who may pay the client now: after each reversal, one who has recorded nothing yet (docs/decisions/0033).
 */
async function payerOf({ entries }: NaiveLedger): Promise<Someone> {
  const reversals = entries.filter(({ isReversed }) => isReversed).length;
  const payer = payers[reversals] ?? (await buildOfficer(app));
  payers[reversals] = payer;
  return payer;
}

/** The entries that people recorded. */
async function recordedOn(built: BuiltCase) {
  return (await ledgerOf(app, built)).filter(({ kind }) => kind !== 'rounding');
}

/** Makes the move on the application and in the ledger kept by hand, and returns the answer. */
async function make(built: BuiltCase, ledger: NaiveLedger, one: Move): Promise<string> {
  if (one.do === 'pay') {
    const foretold = ledger.foretell(one.kind, one.amount);
    const before = ledger.recorded(one.kind, one.amount);
    const payer = await payerOf(ledger);
    const answer = await pay({ ...built, payer }, calls[one.kind], { amount: one.amount / 100 });
    expect(said(answer)).toBe(foretold);
    if (foretold === '200') ledger.add({ ...before, tag: answer.body.data.tag });
    return foretold;
  }
  const stored = await recordedOn(built);
  const entry = stored[one.pick % Math.max(1, stored.length)];
  if (entry === undefined) return 'nothing';
  const byHand = ledger.entries.find(({ tag }) => tag === entry.tag);
  // An entry that the hand-kept ledger lacks is a reversal or already reversed.
  const foretold = byHand === undefined ? '409 ALREADY_REVERSED' : ledger.foretellReversal(byHand);
  expect(said(await reverseAny([officer, another], built, entry.tag))).toBe(foretold);
  if (byHand !== undefined && foretold === '200') byHand.isReversed = true;
  return foretold;
}

/** Row, sums, ledger and timeline agree with the ledger kept by hand, and the step table allows the timeline. */
async function expectAgreement(built: BuiltCase, ledger: NaiveLedger): Promise<void> {
  const { status, outstanding, owed } = ledger;
  const row = await caseRow(app, built);
  const isOut = status !== 'Approved';
  expect([row.status, row.outstanding, row.due_on, row.surplus_owed]).toEqual([
    status,
    isOut ? outstanding : null,
    isOut ? '2026-12-21' : null,
    owed,
  ]);
  // The row agrees with the journal.
  const { advances = 0, clientPayable = 0 } = await balancesOf(app, built);
  expect([advances, 0 - clientPayable]).toEqual([row.outstanding ?? 0, row.surplus_owed]);
  expect(row.settled_on).toBe(status === 'Settled' ? '2026-11-20' : null);
  expect(await sumsOf(officer, built.tag)).toMatchObject({
    disbursed: ledger.sum('disbursement') / 100,
    received: ledger.sum('receipt') / 100,
    outstanding: outstanding / 100,
    surplusOwed: owed / 100,
    surplusPaid: ledger.settled / 100,
  });
  const stored = await recordedOn(built);
  expect(stored.reduce((total, { amount }) => total + amount, 0)).toBe(
    ledger.sum('disbursement') + ledger.sum('receipt') + ledger.sum('surplus'),
  );
  expect(stored).toHaveLength(ledger.entries.length + ledger.entries.filter(({ isReversed }) => isReversed).length);
}

describe('payments', () => {
  it('agree with a ledger kept by hand, whatever is tried', async () => {
    const heard = new Set<string>();
    const property = fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 30 }), async (moves) => {
      const built = await buildApprovedCase(app, { client, officer });
      const ledger = new NaiveLedger();
      // Without this, half of the histories would never pay out their application.
      const opening: Move = { do: 'pay', kind: 'disbursement', amount: PROCEEDS };
      for (const one of [opening, ...moves]) {
        heard.add(await make(built, ledger, one));
        await expectAgreement(built, ledger);
      }
      const timeline = await stepsOf(app, built);
      for (const [index, step] of timeline.entries()) {
        expect(stepsFrom(step.from_status)).toContain(step.step);
        if (index > 0) expect(step.from_status).toBe(timeline[index - 1]?.to_status);
      }
    });
    await fc.assert(property, { numRuns: WALKS, endOnFailure: true });
    expect([...heard]).toEqual(
      expect.arrayContaining(['200', '409 STEP_NOT_ALLOWED', '409 ALREADY_REVERSED', '409 RECEIPTS_EXIST']),
    );
  }, 180_000);
});
