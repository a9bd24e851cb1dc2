import { randomBytes, randomInt } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { NewEntry } from '#contract/journal/entry.ts';
import { linesBetween, type PostedKind, positionOf, restOf } from '#contract/journal/position.ts';
import { minorToNumeric } from '#contract/money.ts';
import { balanceOf } from '#contract/payments/balance.ts';
import type { Payer } from '#contract/payments/schema.ts';
import { together } from '#server/db/together.ts';
import { lockForSweep } from '#server/invoices/invoices.service.ts';
import { type BuiltCase, buildApprovedCase } from '#testing/case-builders.ts';
import type { TestApp } from '#testing/test-app.ts';
import { type StandingRow, selectStanding, selectStandingOf } from './journal.queries.ts';
import { type ArrivedLine, postEntry, postOutside, postReversal } from './journal.service.ts';

/**
 * Records random entries on applications straight in the journal while connections are cut, and checks the journal's
 * invariants.
 */

const DATE = '2026-11-20';
const METHODS = ['mtn', 'airtel', 'mobileMoney', 'bank'] as const;
const LATER = [
  'receipt',
  'receipt',
  'receipt',
  'surplus',
  'deduction',
  'feeEarned',
  'extension',
  'lateCharge',
  'rounding',
] as const;
const MOST = 5_000_000;
const ARRIVED = 100_000_000_000_000;
/** The most entries in force on one application. A cap keeps the cost of every entry about the same. */
const CROWDED = 40;

function pick<Item>(items: readonly [Item, ...Item[]]): Item {
  return items[randomInt(items.length)] ?? items[0];
}

/** An application, with more money in suspense in its currency than its receipts can ever take. */
export interface Ground extends BuiltCase {
  readonly line: ArrivedLine;
}

/** Approved applications with incoming money, every third in another currency. */
export async function buildApplications(app: TestApp, count: number): Promise<Ground[]> {
  const built: BuiltCase[] = [];
  for (let index = 0; index < count; index += 1) built.push(await buildApprovedCase(app));
  const dollars = built.filter((_, index) => index % 3 === 2).map(({ id }) => id);
  await sql`update invoices set currency_id = 2 where id = any(${dollars})`.execute(app.database.owner.db);
  const ground: Ground[] = [];
  for (const one of built) ground.push({ ...one, line: await arrive(app, one, dollars.includes(one.id) ? 2 : 1) });
  return ground;
}

/** Adds money to suspense, as a statement's line would. */
function arrive({ platform }: TestApp, { officer, tag }: BuiltCase, currencyId: number): Promise<ArrivedLine> {
  const [rail, amount, by] = ['mtn', ARRIVED, { now: platform.clock.now(), person: officer.person }] as const;
  return platform.db.inTransaction(async (change) => {
    const statement = await change
      .insertInto('statements')
      .values({
        rail,
        currency_id: currencyId,
        file_name: 'mtn.csv',
        sha256: randomBytes(32),
        line_count: 1,
        new_count: 1,
        from_on: DATE,
        until_on: DATE,
        received: minorToNumeric(amount),
        sent: '0.00',
        imported_at: by.now,
        imported_by: by.person.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const line = await change
      .insertInto('statement_lines')
      .values({
        statement_id: statement.id,
        rail,
        currency_id: currencyId,
        place: 2,
        provider_id: tag,
        occurred_on: DATE,
        amount: minorToNumeric(amount),
        payer_number: null,
        payer_name: null,
        details: '',
      })
      .returning(['id', 'tag'])
      .executeTakeFirstOrThrow();
    const arrived = { ...line, rail, currencyId };
    postOutside({ change, caller: by }, arrived, { kind: 'arrival', amount, date: DATE, reference: tag });
    return arrived;
  });
}

/** Records a random entry or reversal on an application, as its step would. Returns the number of lines it added. */
export function enterAtRandom({ platform }: TestApp, { tag, officer, line }: Ground): Promise<number> {
  return platform.db.inTransaction(async (change) => {
    const [invoice, standing] = await together(lockForSweep(change, tag), selectStanding(change, tag));
    if (invoice?.application == null) throw new Error('there is no application');
    const account = { invoice, application: invoice.application, standing };
    const work = { change, caller: { now: platform.clock.now(), person: officer.person } };
    const original = toReverse(standing);
    const told =
      original === undefined
        ? postEntry(work, account, entryAtRandom(invoice.application, standing, line))
        : postReversal(work, account, { original, reason: 'A mistake', date: DATE });
    return Object.keys(told.lines).length;
  });
}

/** Picks the entry to reverse; the payout only when nothing else is left. */
function toReverse(standing: readonly StandingRow[]): StandingRow | undefined {
  if (standing.length === 0) return undefined;
  if (standing.length < CROWDED && randomInt(4) > 0) return undefined;
  const later = standing.slice(1);
  return later.length === 0 ? standing[0] : later[randomInt(later.length)];
}

interface Terms {
  readonly advance: number;
  readonly netProceeds: number;
}

function entryAtRandom({ advance, netProceeds }: Terms, standing: readonly StandingRow[], line: ArrivedLine): NewEntry {
  const carried = randomInt(-99, 100);
  const cash = { date: DATE, method: pick(METHODS), reference: `R-${randomInt(1e9)}` };
  if (standing.length === 0) {
    const first = randomInt(2) === 0 ? netProceeds : Math.ceil(netProceeds / 2);
    return { ...cash, kind: 'disbursement', amount: first + carried, carried };
  }
  const rest = restOf({ netProceeds }, standing);
  if (rest > 0 && randomInt(4) === 0)
    return { ...cash, kind: 'disbursement', amount: randomInt(2) === 0 ? rest : Math.ceil(rest / 2) };
  const { outstanding } = balanceOf(advance, standing);
  const kind: PostedKind = outstanding > 0 && randomInt(12) === 0 ? 'writeOff' : pick(LATER);
  const amount = randomInt(1_000, MOST);
  switch (kind) {
    case 'receipt': {
      const receipt = { ...cash, kind, amount, payer: pick<Payer>(['buyer', 'client']), rounded: randomInt(-99, 100) };
      if (randomInt(2) === 0) return receipt;
      return { ...receipt, method: line.rail, isFromSuspense: true, lineId: line.id, lineTag: line.tag };
    }
    case 'surplus':
      return { ...cash, kind, amount, carried, rounded: randomInt(-99, 100) };
    case 'deduction':
      return { kind, amount, date: DATE, deduction: 'creditNote', certificate: `CN-${randomInt(1e9)}` };
    case 'writeOff':
      return { kind, amount: outstanding, date: DATE, reason: 'The buyer is gone' };
    default:
      return { kind, amount, date: DATE };
  }
}

/** Cuts every other connection to the database. */
export async function cutConnections(app: TestApp): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(app.database.owner.db);
}

/**
 * Faults of the journal: entries that do not balance, and applications whose balances do not follow from the entries in
 * force.
 */
export async function faultsOf({ platform, database }: TestApp, applications: readonly BuiltCase[]): Promise<string[]> {
  const of = <Row>(query: RawBuilder<Row>) => query.execute(database.owner.db).then(({ rows }) => rows);
  const unbalanced = await of(sql<{ id: number; total: string }>`
    select entry.id, coalesce(sum(line.amount), 0)::text as total
    from journal_entries as entry left join journal_lines as line on entry_id = entry.id
    group by entry.id having coalesce(sum(line.amount), 0) <> 0 or count(line.*) < 2`);
  const sides = await of(sql<{ total: string }>`
    select sum(line.amount)::text as total from journal_lines as line join journal_entries as entry on entry.id = entry_id
    group by currency_id having sum(line.amount) <> 0`);
  const wrong: string[] = [];
  for (const { id, tag } of applications) {
    const rows = await of(sql<{ account: string; balance: string }>`
      select account, sum(line.amount)::text as balance from journal_lines as line
      join journal_entries as entry on entry.id = entry_id where invoice_id = ${id}
      group by account having sum(line.amount) <> 0`);
    const { face_value, advance, net_proceeds } = await platform.db
      .selectFrom('invoices')
      .select(['face_value', 'advance', 'net_proceeds'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const terms = { faceValue: face_value, advance: advance ?? 0, netProceeds: net_proceeds ?? 0 };
    const due = linesBetween({}, positionOf(terms, await selectStandingOf(platform.db, [id])));
    const said = (lines: readonly (readonly [string, string])[]) =>
      JSON.stringify(lines.map((line) => line.join(' ')).sort());
    const expected = said(due.map(({ account, amount }) => [account, minorToNumeric(amount)]));
    const found = said(rows.map(({ account, balance }) => [account, balance]));
    if (expected !== found) wrong.push(`application ${tag}: ${found}, and it must be ${expected}`);
  }
  const suspense = await of(sql<{ tag: string }>`
    select line.tag from statement_lines as line join suspense on line_id = line.id where suspense.amount <> (
      select -sum(posted.amount) from journal_entries as entry join journal_lines as posted on entry_id = entry.id
      where statement_line_id = line.id and account = 'suspense')`);
  return [
    ...suspense.map(({ tag }) => `what is left of line ${tag} does not follow from the journal`),
    ...unbalanced.map(({ id, total }) => `entry ${id} sums to ${total}`),
    ...sides.map(({ total }) => `a currency sums to ${total}`),
    ...wrong,
  ];
}
