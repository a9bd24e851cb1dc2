import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookFigures, type DueGroup, incomeFigures, ownFigures } from '#contract/figures/schema.ts';
import { earningsDue } from '#contract/journal/earning.ts';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { bucketOf } from '#contract/payments/buckets.ts';
import { addDays, daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { pay, reverse } from '#server/payments/payments.harness.ts';
import { buildSignedIn } from '#server/testing/builders.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildOfficer,
  type CaseClient,
  type PayableCase,
} from '#server/testing/case-builders.ts';
import { type Answer, createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { weeksUpTo } from './periods.ts';

/** Every figure that people look at, beside what the journal's lines say, over random histories in two currencies. */

type Move =
  | { readonly do: 'payOut'; readonly pick: number }
  | { readonly do: 'receive'; readonly pick: number; readonly share: number }
  | { readonly do: 'reverse'; readonly pick: number }
  | { readonly do: 'wait'; readonly days: number };

const pick = fc.nat();
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('payOut' as const), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('receive' as const), pick, share: fc.integer({ min: 1, max: 130 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 30 }) }) },
);

/** Advances in minor units, some with cents. */
const ADVANCES = [90_000_000, 31_415_926, 120_000_051, 7_777_777, 55_000_000, 12_345_678];
const DOLLARS = 2;
const PERCENT = 100;

let app: TestApp;

/** Nothing here is about limits. */
const LIMITS = Object.fromEntries(
  ['START', 'MAXIMUM', 'HIGHEST'].map((name) => [`FUNDING_LIMIT_${name}`, 'UGX:90000000,USD:90000000']),
);

/** What happened, and who it happens to. */
interface World {
  readonly clients: readonly CaseClient[];
  readonly cases: readonly PayableCase[];
}

async function begin(): Promise<World> {
  app = await createTestApp({
    OVERDUE_BLOCKS_AFTER_DAYS: '365',
    ...LIMITS,
    SECOND_APPROVAL_ABOVE: 'UGX:90000000,USD:90000000',
  });
  const clients = [await buildCaseClient(app), await buildCaseClient(app)];
  const cases: PayableCase[] = [];
  for (const [index, advance] of ADVANCES.entries()) {
    const client = clients[index % clients.length];
    const built = await buildApprovedCase(app, { advance, ...(client && { client }) });
    if (index % 3 === DOLLARS)
      await app.platform.db.updateTable('invoices').set({ currency_id: DOLLARS }).where('id', '=', built.id).execute();
    cases.push(built);
  }
  return { clients, cases };
}

/** Does what the state allows; what it refuses changes nothing. */
async function take({ cases }: World, moved: Move): Promise<void> {
  if (moved.do === 'wait') {
    app.clock.advance(moved.days * DAY_SECONDS);
    return earn();
  }
  const [officer, payer] = [await buildOfficer(app), await buildOfficer(app)];
  const date = kampalaDate(app.clock.now());
  if (moved.do === 'reverse') {
    const payments = app.platform.db.selectFrom('journal_entries').where('method', 'is not', null);
    const entries = await payments.select('tag').orderBy('id').execute();
    const entry = entries[moved.pick % Math.max(1, entries.length)];
    return entry && answered(await reverse(officer, entry.tag));
  }
  const place = moved.pick % cases.length;
  const built = cases[place];
  if (built === undefined) return;
  const by = { ...built, officer, payer };
  if (moved.do === 'payOut') return answered(await pay(by, 'disbursement', { date }));
  const amount = fromMinor(Math.ceil(((ADVANCES[place] ?? 0) * moved.share) / PERCENT));
  answered(await pay(by, 'receipts', { date, amount }));
}

const SERVER_FAILED = 500;

function answered({ status, body }: Answer): void {
  if (status >= SERVER_FAILED) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
}

/** What the days so far have earned of every advance that is out, in entries of its day. */
async function earn(): Promise<void> {
  const { db, clock } = app.platform;
  const paid = db.selectFrom('invoices').selectAll().where('status', 'in', ['Disbursed', 'Settled']);
  for (const row of await paid.execute()) {
    const out = db.selectFrom('journal_entries').select(['kind', 'occurred_on']).where('invoice_id', '=', row.id);
    const entries = await out.orderBy('id').execute();
    const from = entries.findLast(({ kind }) => kind === 'disbursement')?.occurred_on ?? '';
    const posted = new Set(entries.filter(({ kind }) => kind === 'feeEarned').map((entry) => entry.occurred_on));
    const span = { from, days: row.tenor_days ?? 0, fee: row.discount_fee ?? 0 };
    for (const { date, amount } of earningsDue([span], { posted }, kampalaDate(clock.now())))
      await db.inTransaction(async (change) => {
        const entry = { invoice_id: row.id, currency_id: row.currency_id, kind: 'feeEarned' as const };
        const { id } = await change
          .insertInto('journal_entries')
          .values({ ...entry, amount: minorToNumeric(amount), occurred_on: date, recorded_at: clock.now() })
          .returning('id')
          .executeTakeFirstOrThrow();
        const lines = [
          { entry_id: id, account: 'feesNotEarned' as const, amount: minorToNumeric(amount) },
          { entry_id: id, account: 'feeIncome' as const, amount: minorToNumeric(-amount) },
        ];
        await change.insertInto('journal_lines').values(lines).execute();
      });
  }
}

/** Every line of the journal, with what it is about. */
function readLines() {
  return app.platform.db
    .selectFrom('journal_lines as line')
    .innerJoin('journal_entries as entry', 'entry.id', 'line.entry_id')
    .innerJoin('invoices', 'invoices.id', 'entry.invoice_id')
    .innerJoin('currencies', 'currencies.id', 'entry.currency_id')
    .innerJoin('businesses as client', 'client.id', 'invoices.business_id')
    .innerJoin('businesses as buyer', 'buyer.id', 'invoices.buyer_id')
    .select(['account', 'line.amount', 'entry.kind', 'entry.occurred_on', 'entry.invoice_id', 'invoices.due_on'])
    .select(['currencies.code as currency', 'invoices.business_id', 'client.name as client', 'buyer.name as buyer'])
    .execute();
}
type Line = Awaited<ReturnType<typeof readLines>>[number];

/** Sums by a key, without those that come to nothing. */
function sumBy(lines: readonly Line[], keyOf: (line: Line) => string, sign = 1): Record<string, string> {
  const sums = Map.groupBy(lines, keyOf);
  return Object.fromEntries(
    [...sums]
      .map(([key, of]) => [key, of.reduce((sum, { amount }) => sum + amount, 0)] as const)
      .filter(([, sum]) => sum !== 0)
      .map(([key, sum]) => [key, minorToNumeric(sum * sign)]),
  );
}

const asRecord = (pairs: readonly (readonly [string, string])[]) =>
  Object.fromEntries(pairs.filter(([, sum]) => sum !== '0.00'));

function groupOf(dueOn: string | null, today: string): DueGroup {
  const late = daysBetween(dueOn ?? today, today);
  return bucketOf(late) ?? (late >= -7 ? 'dueThisWeek' : 'later');
}

const weekOf = (day: string): string => weeksUpTo(day, 1)[0] ?? '';

/** Compares what staff see with the journal. */
async function expectStaffFigures(): Promise<void> {
  const [lines, today] = [await readLines(), kampalaDate(app.clock.now())];
  const { caller } = await buildOfficer(app);
  const book = bookFigures.parse((await caller.get('/figures/book')).body).currencies;
  const advances = lines.filter(({ account }) => account === 'advances');
  const all = book.map(({ currency, all: { outstanding } }) => [currency, outstanding] as const);
  expect(asRecord(all)).toEqual(sumBy(advances, ({ currency }) => currency));
  const due = book.flatMap(({ currency, due: groups }) =>
    groups.map(({ group, outstanding }) => [`${currency} ${group}`, outstanding] as const),
  );
  expect(asRecord(due)).toEqual(sumBy(advances, (line) => `${line.currency} ${groupOf(line.due_on, today)}`));
  for (const [parts, key] of [
    ['buyers', 'buyer'],
    ['clients', 'client'],
  ] as const) {
    const named = book.flatMap((one) => one[parts].map((part) => [`${one.currency} ${part.name}`, part.outstanding]));
    expect(Object.fromEntries(named)).toEqual(sumBy(advances, (line) => `${line.currency} ${line[key]}`));
  }
  const income = incomeFigures.parse((await caller.get('/figures/income')).body).currencies;
  const since = addDays(weekOf(today), -77);
  const weeks = (key: 'due' | 'collected') =>
    asRecord(income.flatMap((one) => one.weeks.map((week) => [`${one.currency} ${week.from}`, week[key]] as const)));
  const received = advances.filter(({ kind, occurred_on: on }) => kind === 'receipt' && on >= since);
  expect(weeks('collected')).toEqual(sumBy(received, (line) => `${line.currency} ${weekOf(line.occurred_on)}`, -1));
  const fell = advances.filter(
    (line) =>
      line.kind === 'disbursement' && (line.due_on ?? '') >= since && (line.due_on ?? '') <= addDays(weekOf(today), 6),
  );
  expect(weeks('due')).toEqual(sumBy(fell, (line) => `${line.currency} ${weekOf(line.due_on ?? '')}`));
  const months = income.flatMap((one) =>
    one.months.map(({ from, earned }) => [`${one.currency} ${from}`, earned] as const),
  );
  const fees = lines.filter(({ account }) => account === 'feeIncome');
  expect(asRecord(months)).toEqual(sumBy(fees, (line) => `${line.currency} ${line.occurred_on.slice(0, 8)}01`, -1));
}

/** Compares what a client sees with the journal. */
async function expectOwnFigures({ person: { businessId } }: CaseClient): Promise<void> {
  const today = kampalaDate(app.clock.now());
  const lines = (await readLines()).filter((line) => line.business_id === businessId);
  const { caller } = await buildSignedIn(app, { perms: ['BIDA'], businessId });
  const own = ownFigures.parse((await caller.get('/figures/own')).body).currencies;
  const advances = lines.filter(({ account }) => account === 'advances');
  const owed = own.map(({ currency, running }) => [currency, running.outstanding] as const);
  expect(asRecord(owed)).toEqual(sumBy(advances, ({ currency }) => currency));
  for (const { currency, dueNext } of own) {
    const mine = advances.filter((line) => line.currency === currency);
    const open = Object.entries(sumBy(mine, (line) => line.due_on ?? '')).sort();
    expect(dueNext && [dueNext.dueOn, dueNext.outstanding]).toEqual(open[0] ?? null);
  }
  // A payout that was reversed has charged nothing; the reversal may be of another year.
  const out = new Set(Object.keys(sumBy(advances.filter(isPayout), (line) => `${line.invoice_id}`)));
  const charged = lines.filter((line) => line.account === 'feesNotEarned' && isPayout(line));
  const standing = charged.filter((line) => out.has(`${line.invoice_id}`));
  const latest = Map.groupBy(standing, (line) => line.invoice_id);
  const ofYear = [...latest.values()]
    .flatMap((of) => of.findLast(({ amount }) => amount < 0) ?? [])
    .filter((line) => line.occurred_on.slice(0, 4) === today.slice(0, 4));
  const fees = own.map(({ currency, thisYear }) => [currency, thisYear.feesCharged] as const);
  expect(asRecord(fees)).toEqual(sumBy(ofYear, ({ currency }) => currency, -1));
}

const isPayout = ({ kind }: Line): boolean => kind === 'disbursement';

/** Whatever comes then, there is something to compare. */
const FIRST: readonly Move[] = [
  { do: 'payOut', pick: 0 },
  { do: 'payOut', pick: 2 },
  { do: 'wait', days: 9 },
  { do: 'receive', pick: 0, share: 40 },
];

it('every figure of staff and clients is what the journal says, whatever happened', async () => {
  const compared = new Set<string>();
  const property = fc.asyncProperty(fc.array(move, { minLength: 15, maxLength: 25 }), async (random) => {
    const moves = [...FIRST, ...random];
    const world = await begin();
    try {
      for (const [index, one] of moves.entries()) {
        await take(world, one);
        if (index % 4 === 0 || index === moves.length - 1) {
          await expectStaffFigures();
          for (const client of world.clients) await expectOwnFigures(client);
        }
      }
      for (const { kind, currency } of await readLines()) compared.add(`${kind} ${currency}`);
    } finally {
      await app.close();
    }
  });
  await fc.assert(property, { numRuns: 3, endOnFailure: true });
  const certain = ['disbursement UGX', 'disbursement USD', 'feeEarned UGX', 'feeEarned USD', 'receipt UGX'];
  expect(certain.filter((what) => !compared.has(what))).toEqual([]);
}, 240_000);
