import type { PayoutBatches } from '#contract/transfers/batches.ts';
import { rail } from '#server/rails/bank/rail.ts';
import { openRails } from '#server/rails/open-rails.ts';
import { releaseToRail, transfersOf } from '#server/transfers/transfers.harness.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildOfficer,
  type PayableCase,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount } from '#testing/payout-builders.ts';
import { type Answer, appOfTest, type TestApp } from '#testing/test-app.ts';

/**
 * Payouts by file in tests: they are released to bank accounts over HTTP, put into batches, and shown on statements.
 */

export const OWN_ACCOUNT = '9030009999999 Kasente Ltd';

const environment = { BANK_FILE_UGX: OWN_ACCOUNT };
const rails = openRails({ rails: { kinds: [rail], environment }, publicUrl: undefined }, { now: () => new Date() });

/** A server that pays UGX to banks by file, started again for each test of a file. */
export function bankOfTest(): TestApp {
  return appOfTest({ SESSION_IDLE_MINUTES: '720' }, { rails });
}

/** A released payout of UGX 801,000 to a bank account. */
export async function releaseToBank(app: TestApp, given: { readonly advance?: number } = {}): Promise<PayableCase> {
  const [client, officer] = [await buildCaseClient(app), await buildOfficer(app)];
  await buildPayoutAccount(app, client, officer, { bankName: 'Stanbic Bank', number: '0030001234567' });
  return releaseToRail(app, await buildApprovedCase(app, { client, officer, ...given }));
}

export function makeBatch({ caller }: Pick<Someone, 'caller'>, currency = 'UGX'): Promise<Answer> {
  return caller.post('/payout_batches', { rail: 'bank', currency });
}

/** Makes a batch, expecting waiting payouts. Returns its tag. */
export async function batchOf(officer: Pick<Someone, 'caller'>): Promise<string> {
  return (await succeed(makeBatch(officer))).body.data.tag;
}

export async function batchesOf({ caller }: Pick<Someone, 'caller'>): Promise<PayoutBatches> {
  return (await succeed(caller.get('/payout_batches'))).body;
}

/** The reference of a payout in its file. */
export async function fileReferenceOf(app: TestApp, built: PayableCase): Promise<string> {
  const [transfer] = (await transfersOf(app, built)).slice(-1);
  return transfer?.file_reference ?? '';
}

export interface BankLine {
  readonly details: string;
  /** In shillings; negative for outgoing money. */
  readonly amount: number;
  readonly id?: string;
  readonly date?: string;
}

/** A statement of the bank. */
export function bankStatement(lines: readonly BankLine[]): string {
  const [debit, credit] = [sumOf(lines, -1), sumOf(lines, 1)];
  return [
    'Date,Bank reference,Payer,Details,Debit,Credit,Currency',
    ...lines.map(({ details, amount, id = '', date = '20/11/2026' }) => {
      const cells = amount < 0 ? [(-amount).toFixed(2), ''] : ['', amount.toFixed(2)];
      return [date, id, '', details, ...cells, 'UGX'].join(',');
    }),
    ['TOTAL', lines.length, '', '', debit, credit, ''].join(','),
    '',
  ].join('\n');
}

function sumOf(lines: readonly BankLine[], sign: 1 | -1): string {
  return lines.reduce((sum, { amount }) => sum + Math.max(0, sign * amount), 0).toFixed(2);
}
