import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookFigures, type DueGroup, incomeFigures, ownFigures } from '#contract/figures/schema.ts';
import { type TrialBalance, trialBalanceReply } from '#contract/journal/schema.ts';
import { minorToNumeric } from '#contract/money.ts';
import { bucketOf } from '#contract/payments/buckets.ts';
import { addDays, daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { faultsOf } from '#server/journal/histories.harness.ts';
import { sweepFees } from '#server/payments/fees.service.ts';
import { balancesOf, ledgerOf, sumsOf } from '#server/payments/payments.harness.ts';
import { buildSignedIn } from '#testing/builders.ts';
import { buildOfficer, type CaseClient, type PayableCase } from '#testing/case-builders.ts';
import { proved, rounds } from '#testing/evidence/record.ts';
import { beginWorld, FIRST, type Job, type Move, move, take, type World } from './histories.harness.ts';
import { weeksUpTo } from './periods.ts';

/** Every figure shown to people, compared with the journal's lines, over random histories in two currencies. */

const RUNS = rounds(3, 40);
/** Each history runs in two worlds. */
const HISTORIES_TWICE = rounds(2, 20);

/** Every line of the journal, with its application. */
function readLines({ app }: World) {
  return app.platform.db
    .selectFrom('journal_lines as line')
    .innerJoin('journal_entries as entry', 'entry.id', 'line.entry_id')
    .innerJoin('invoices', 'invoices.id', 'entry.invoice_id')
    .innerJoin('currencies', 'currencies.id', 'entry.currency_id')
    .innerJoin('businesses as client', 'client.id', 'invoices.business_id')
    .innerJoin('businesses as buyer', 'buyer.id', 'invoices.buyer_id')
    .select(['account', 'line.amount', 'entry.kind', 'entry.occurred_on', 'entry.invoice_id', 'invoices.due_on'])
    .select(['entry.id', 'entry.reverses', 'entry.amount as total'])
    .select(['currencies.code as currency', 'invoices.business_id', 'client.name as client', 'buyer.name as buyer'])
    .orderBy('entry.id')
    .execute();
}
type Line = Awaited<ReturnType<typeof readLines>>[number];

/** Sums by a key, without zeros. */
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

/** A line of each entry in force (neither a reversal nor reversed), with the amount of its entry. */
function inForce(lines: readonly Line[], ...kinds: readonly Line['kind'][]): Line[] {
  const reversed = new Set(lines.map(({ reverses }) => reverses));
  const standing = lines.filter(
    ({ id, kind, reverses }) => kinds.includes(kind) && reverses === null && !reversed.has(id),
  );
  return [...Map.groupBy(standing, ({ id }) => id).values()].flatMap(([line]) =>
    line === undefined ? [] : { ...line, amount: line.total },
  );
}

/** Compares the staff's figures with the journal. */
async function expectStaffFigures(world: World): Promise<void> {
  const { app } = world;
  const [lines, today] = [await readLines(world), kampalaDate(app.clock.now())];
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
  const owedFirst = [...advances.filter(isPayout), ...inForce(lines, 'extension')];
  const fell = owedFirst.filter(({ due_on: on }) => (on ?? '') >= since && (on ?? '') <= addDays(weekOf(today), 6));
  expect(weeks('due')).toEqual(sumBy(fell, (line) => `${line.currency} ${weekOf(line.due_on ?? '')}`));
  const months = income.flatMap((one) =>
    one.months.map(({ from, earned }) => [`${one.currency} ${from}`, earned] as const),
  );
  const fees = lines.filter(({ account }) => account === 'feeIncome');
  expect(asRecord(months)).toEqual(sumBy(fees, (line) => `${line.currency} ${line.occurred_on.slice(0, 8)}01`, -1));
}

/** Compares a client's figures with the journal. */
async function expectOwnFigures(world: World, { person: { businessId } }: CaseClient): Promise<void> {
  const { app } = world;
  const today = kampalaDate(app.clock.now());
  const lines = (await readLines(world)).filter((line) => line.business_id === businessId);
  const { caller } = await buildSignedIn(app, { perms: ['BIDA'], businessId });
  const own = ownFigures.parse((await caller.get('/figures/own')).body).currencies;
  const advances = lines.filter(({ account }) => account === 'advances');
  const owed = own.map(({ currency, running }) => [currency, running.outstanding] as const);
  // A written-off amount is owed until it is recovered.
  const lost = advances.filter(({ kind }) => kind === 'writeOff').map((line) => ({ ...line, amount: -line.amount }));
  const recovered = lines.filter(({ account }) => account === 'recoveries');
  expect(asRecord(owed)).toEqual(sumBy([...advances, ...lost, ...recovered], ({ currency }) => currency));
  for (const { currency, dueNext } of own) {
    const mine = advances.filter((line) => line.currency === currency);
    const open = Object.entries(sumBy(mine, (line) => line.due_on ?? '')).sort();
    expect(dueNext && [dueNext.dueOn, dueNext.outstanding]).toEqual(open[0] ?? null);
  }
  // Fees kept from payouts, extension fees and late charges.
  const kept = new Set(inForce(lines, 'disbursement').map(({ id }) => id));
  const charged = [
    ...lines
      .filter(({ id, account }) => account === 'feesNotEarned' && kept.has(id))
      .map((line) => ({ ...line, amount: -line.amount })),
    ...inForce(lines, 'extension', 'lateCharge'),
  ];
  const ofYear = charged.filter((line) => line.occurred_on.slice(0, 4) === today.slice(0, 4));
  const fees = own.map(({ currency, thisYear }) => [currency, thisYear.feesCharged] as const);
  expect(asRecord(fees)).toEqual(sumBy(ofYear, ({ currency }) => currency));
  const months = own.flatMap(({ currency, months: all }) =>
    all.map(({ from, feesCharged }) => [`${currency} ${from}`, feesCharged] as const),
  );
  expect(asRecord(months)).toEqual(sumBy(charged, (line) => `${line.currency} ${line.occurred_on.slice(0, 8)}01`));
}

/** Compares an application’s own screen with the journal. */
async function expectApplications({ app, cases }: World): Promise<void> {
  const officer = await buildOfficer(app);
  for (const built of cases) {
    const balances = await balancesOf(app, built);
    const { advances = 0, clientPayable = 0, buyersOwe = 0, recoveries = 0, lateCharges = 0 } = balances;
    const writtenOff = inForceOf(await ledgerOf(app, built), 'writeOff');
    const sums = await sumsOf(officer, built.tag);
    expect({
      outstanding: sums.outstanding,
      lost: sums.lost,
      surplusOwed: sums.surplusOwed + sums.restOwed,
      buyerOwes: sums.buyerOwes,
      lateCharge: sums.lateCharge?.charged ?? 0,
    }).toEqual({
      outstanding: advances / 100,
      lost: (writtenOff + recoveries) / 100,
      surplusOwed: 0 - clientPayable / 100 || 0,
      buyerOwes: buyersOwe / 100,
      lateCharge: 0 - lateCharges / 100 || 0,
    });
  }
}

function inForceOf(ledger: Awaited<ReturnType<typeof ledgerOf>>, kind: Line['kind']): number {
  return ledger.reduce((sum, entry) => sum + (entry.kind === kind ? entry.amount : 0), 0);
}

/** Debits equal credits on the administrator’s screen, and each account equals the sum of its lines. */
async function expectTrialBalance(world: World): Promise<void> {
  const { caller } = await buildSignedIn(world.app, { perms: ['KADMIN'] });
  const { currencies }: TrialBalance = trialBalanceReply.parse((await caller.get('/journal/trial_balance')).body);
  for (const { debit, credit } of currencies) expect(debit).toBe(credit);
  const balances = currencies.flatMap(({ currency, accounts }) =>
    accounts.map((one) => [`${currency} ${one.account}`, one.debit === '0.00' ? `-${one.credit}` : one.debit] as const),
  );
  const said = Object.fromEntries(balances.filter(([, sum]) => sum !== '-0.00'));
  expect(said).toEqual(sumBy(await readLines(world), ({ currency, account }) => `${currency} ${account}`));
}

const isPayout = ({ kind }: Line): boolean => kind === 'disbursement';

it(
  'every figure of staff and clients is what the journal says, whatever happened',
  async () => {
    const [compared, done] = [new Set<string>(), new Set<string>()];
    const property = fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 20 }), async (random) => {
      const moves = [...FIRST, ...random];
      const world = await beginWorld();
      const { app } = world;
      try {
        for (const [index, one] of moves.entries()) {
          done.add(await take(world, one));
          // Entries balance, and each application is where its entries in force lead: a reversal restores every
          // balance.
          expect(await faultsOf(app, world.cases)).toEqual([]);
          if (index % 4 === 0 || index === moves.length - 1) {
            await expectStaffFigures(world);
            await expectApplications(world);
            await expectTrialBalance(world);
            for (const client of world.clients) await expectOwnFigures(world, client);
          }
        }
        for (const { kind, currency } of await readLines(world)) compared.add(`${kind} ${currency}`);
        expect((await verifyRecord(app.platform)).faults).toEqual([]);
      } finally {
        await app.close();
      }
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    const certain = [
      'disbursement',
      'receipt',
      'surplus',
      'deduction',
      'feeEarned',
      'extension',
      'lateCharge',
      'writeOff',
    ];
    const expected = [...certain.map((kind) => `${kind} UGX`), 'disbursement USD', 'feeEarned USD'];
    expect(expected.filter((what) => !compared.has(what))).toEqual([]);
    expect([...done]).toEqual(expect.arrayContaining(['writeOff done', 'moreTime done', 'paySurplus done']));
    proved(
      'journal',
      `${RUNS} random histories of people: each figure of staff and clients is what the journal says, and a reversal restores every balance`,
    );
  },
  RUNS * 120_000,
);

/** The end of a history, once the job has run. */
async function endOf(moves: readonly Move[], jobOf: (job: Job) => Job) {
  const world = await beginWorld();
  const { app } = world;
  try {
    const answers: string[] = [];
    for (const one of moves) answers.push(await take(world, one.do === 'wait' ? { ...one, job: jobOf(one.job) } : one));
    await sweepFees(app.platform);
    const earned = inForce(await readLines(world), 'feeEarned');
    return {
      answers,
      balances: await Promise.all(world.cases.map((built: PayableCase) => balancesOf(app, built))),
      earned: sumBy(
        earned,
        (line) => `${world.cases.findIndex(({ id }) => id === line.invoice_id)} ${line.occurred_on}`,
      ),
    };
  } finally {
    await app.close();
  }
}

/** On the last day of an extension, before that day’s job, we reverse the receipt that made it cheap. */
const ON_THE_LAST_DAY: readonly Move[] = [
  { do: 'wait', days: 11, job: 'never' },
  { do: 'reverse', pick: 6 },
];

it(
  'fees are the same, day by day, whether their job ran each day, twice, late or not for weeks',
  async () => {
    const property = fc.asyncProperty(fc.array(move, { minLength: 8, maxLength: 16 }), async (random) => {
      const moves = [...FIRST, ...random];
      expect(await endOf(moves, (job) => job)).toEqual(await endOf(moves, () => 'daily'));
    });
    await fc.assert(property, { numRuns: HISTORIES_TWICE, endOnFailure: true, examples: [[[...ON_THE_LAST_DAY]]] });
  },
  RUNS * 120_000,
);
