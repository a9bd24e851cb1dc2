import { sql } from 'kysely';
import { fromMinor } from '#contract/money.ts';
import type { Imported, Matching, WaitingReply } from '#contract/statements/schema.ts';
import { followImports } from '#server/statements/matching/after-import.service.ts';
import { type BuiltCase, type Someone, succeed } from '#testing/case-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';

/** Fixtures and calls for the tests of statements and incoming money. */

export interface GivenLine {
  readonly id: string;
  readonly amount: number;
  readonly details?: string;
  readonly date?: string;
  readonly number?: string;
  readonly name?: string;
}

interface Sent {
  readonly rail?: string;
  readonly currency?: string;
  readonly account?: string;
  readonly fileName?: string;
  readonly from?: string;
  readonly until?: string;
}

/** An MTN statement; amounts in shillings. */
export function mtnStatement(lines: readonly GivenLine[]): string {
  const rows = lines.map(({ id, amount, details = '', date = '2026-11-20', number = '', name = 'SOMEBODY' }) =>
    [id, date, 'Successful', number, name, details, amount.toFixed(2), 'UGX'].join(','),
  );
  return ['Id,Date,Status,From,From name,Message,Amount,Currency', ...rows, ''].join('\n');
}

/** A bank statement; a line without an id has an empty cell. Amounts in shillings. */
export function bankStatement(lines: readonly GivenLine[]): string {
  const rows = lines.map(({ id, amount, details = '', date = '2026-11-20', name = 'SOMEBODY' }) =>
    [date.split('-').reverse().join('/'), id, name, details, '', amount.toFixed(2), 'UGX'].join(','),
  );
  const sum = lines.reduce((total, { amount }) => total + amount, 0);
  const trailer = `TOTAL,${lines.length},,,0,${sum},`;
  return ['Date,Bank reference,Payer,Details,Debit,Credit,Currency', ...rows, trailer, ''].join('\n');
}

const DATES = /\b(?:\d{4}-\d{2}-\d{2}|\d{2}\/\d{2}\/\d{4})\b/g;

/** The first and last day in a file. */
function daysOf(text: string): { readonly from: string; readonly until: string } {
  const days = [...text.matchAll(DATES)].map(([date]) => date.split('/').reverse().join('-')).sort();
  const [from = '2026-11-20'] = days;
  return { from, until: days.at(-1) ?? from };
}

/** Sends a file as an account's statement, by default for the days in the file. */
export function sendStatement(
  { caller }: Pick<Someone, 'caller'>,
  text: string | Buffer,
  { rail = 'mtn', currency = 'UGX', fileName = 'statement.csv', ...days }: Sent = {},
): Promise<Answer> {
  const query = new URLSearchParams({ rail, currency, fileName, ...daysOf(text.toString()), ...days });
  return caller.call({
    method: 'POST',
    url: `/statements?${query.toString()}`,
    payload: Buffer.from(text),
    headers: { 'content-type': 'application/octet-stream' },
  });
}

/** The reply to an import, with the result of its matching. */
export type ImportedAndMatched = Imported & Pick<Matching, 'matched'> & NonNullable<Matching['finished']>;

/** Sends a file, expecting success, and matches it as its job does. */
export async function importAndMatch(
  app: TestApp,
  { caller }: Pick<Someone, 'caller'>,
  text: string | Buffer,
  sent?: Sent,
): Promise<ImportedAndMatched> {
  const imported: Imported = (await succeed(sendStatement({ caller }, text, sent))).body.data;
  const { tag } = imported;
  if (tag === null) return { ...imported, matched: 0, toAssign: 0, paid: 0 };
  await followImports(app.platform, tag);
  const { matched, finished } = await matchingOf({ caller }, tag);
  if (finished === null) throw new Error(`statement ${tag} is still being matched`);
  return { ...imported, matched, ...finished };
}

/** The progress of a statement's matching. */
export async function matchingOf({ caller }: Pick<Someone, 'caller'>, tag: string): Promise<Matching> {
  return (await succeed(caller.get(`/statements/${tag}/matching`))).body;
}

/** Imports lines and matches them, expecting success. */
export function takeIn(
  app: TestApp,
  officer: Pick<Someone, 'caller'>,
  lines: readonly GivenLine[],
): Promise<ImportedAndMatched> {
  return importAndMatch(app, officer, mtnStatement(lines));
}

/** The waiting money as an officer sees it, from the start or after a line. */
export async function waitingOf({ caller }: Pick<Someone, 'caller'>, after?: string): Promise<WaitingReply> {
  return (await succeed(caller.get(`/received_money${after === undefined ? '' : `?after=${after}`}`))).body;
}

/** The line in suspense with that id. */
export async function waitingLine(officer: Pick<Someone, 'caller'>, id: string) {
  for (let after: string | undefined; ; ) {
    const { received, hasMore } = await waitingOf(officer, after);
    const found = received.find((one) => one.id === id);
    if (found !== undefined || !hasMore) return found;
    after = received.at(-1)?.tag;
  }
}

/** The repayment reference of a case. */
export async function referenceOf(app: TestApp, { id }: Pick<BuiltCase, 'id'>): Promise<string> {
  const row = await app.platform.db
    .selectFrom('invoices')
    .where('id', '=', id)
    .select('repayment_reference')
    .executeTakeFirstOrThrow();
  return row.repayment_reference;
}

/** The balance of each account over all applications, without those at 0. */
export async function ledgerBalances(app: TestApp): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: string; balance: number }>`
    select account, sum(amount) as balance from journal_lines group by account having sum(amount) <> 0`.execute(
    app.platform.db,
  );
  return Object.fromEntries(rows.map(({ account, balance }) => [account, fromMinor(balance)]));
}
