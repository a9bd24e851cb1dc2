import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { fromMinor } from '#contract/money.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { sweepDerived } from '#server/payments/derived/derived.service.ts';
import { sweepFees } from '#server/payments/fees.service.ts';
import { balancesOf, pay, reverseAny, sumsOf } from '#server/payments/payments.harness.ts';
import { buildSignedIn } from '#testing/builders.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildOfficer,
  type CaseClient,
  MORE_TIME,
  onDesk,
  type PayableCase,
} from '#testing/case-builders.ts';
import { type Answer, createTestApp, type TestApp } from '#testing/test-app.ts';

/** Random histories over HTTP, made of the steps that people take, with all their journal entries. */

/** How often the job for fees runs at the end of a wait; `daily` means on each of its days. */
export type Job = 'never' | 'once' | 'twice' | 'daily';

/**
 * A move on the application at `pick`; a reversal picks among its payments and deductions. `share` is per cent of the
 * advance.
 */
export type Move =
  | { readonly do: 'payOut' | 'paySurplus' | 'moreTime' | 'writeOff' | 'reverse'; readonly pick: number }
  | { readonly do: 'receive' | 'deduct'; readonly pick: number; readonly share: number; readonly isMistake?: boolean }
  | { readonly do: 'wait'; readonly days: number; readonly job: Job };

const pick = fc.nat();
const isMistake = fc.constantFrom(false, false, true);
const share = (max: number) => fc.integer({ min: 1, max });
const just = (what: 'payOut' | 'paySurplus' | 'moreTime' | 'writeOff' | 'reverse') =>
  fc.record({ do: fc.constant(what), pick });

/** A move of any kind. */
export const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: just('payOut') },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('receive' as const), pick, share: share(130), isMistake }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deduct' as const), pick, share: share(60), isMistake }) },
  { weight: 2, arbitrary: just('paySurplus') },
  { weight: 2, arbitrary: just('moreTime') },
  { weight: 1, arbitrary: just('writeOff') },
  { weight: 3, arbitrary: just('reverse') },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      days: fc.integer({ min: 1, max: 25 }),
      job: fc.constantFrom('never' as const, 'never' as const, 'once' as const, 'twice' as const),
    }),
  },
);

/**
 * Makes sure that each kind of entry occurs: the first application is extended and unpaid, the second written off, the
 * fourth overpaid.
 */
export const FIRST: readonly Move[] = [
  ...[0, 1, 2, 3].map((place) => ({ do: 'payOut', pick: place }) as const),
  { do: 'wait', days: 9, job: 'once' },
  { do: 'receive', pick: 0, share: 40 },
  { do: 'deduct', pick: 0, share: 5 },
  { do: 'receive', pick: 3, share: 130 },
  { do: 'paySurplus', pick: 3 },
  { do: 'wait', days: 25, job: 'never' },
  { do: 'moreTime', pick: 0 },
  { do: 'writeOff', pick: 1 },
  { do: 'receive', pick: 1, share: 20 },
  { do: 'wait', days: 4, job: 'twice' },
];

/** Advances in minor units, some with cents; of each client every other one, and one in three in dollars. */
const ADVANCES = [90_000_000, 31_415_926, 120_000_051, 7_777_777, 55_000_000, 12_345_678];
const [SHILLINGS, DOLLARS] = [1, 2];
const PERCENT = 100;

/** The moves so far, and the people. */
export interface World {
  readonly app: TestApp;
  readonly clients: readonly CaseClient[];
  readonly cases: readonly PayableCase[];
}

/** These tests are not about limits or approvals that lapse. */
const SETTINGS = {
  ...Object.fromEntries(
    ['START', 'MAXIMUM', 'HIGHEST'].map((name) => [`FUNDING_LIMIT_${name}`, 'UGX:90000000,USD:90000000']),
  ),
  SECOND_APPROVAL_ABOVE: 'UGX:90000000,USD:90000000',
  OVERDUE_BLOCKS_AFTER_DAYS: '365',
  OFFER_VALID_DAYS: '365',
  EXTENSIONS_MAXIMUM: '2',
  LATE_CHARGE_PER_DAY: '0.1',
};

/** Two clients, with approved applications. */
export async function beginWorld(): Promise<World> {
  const app = await createTestApp(SETTINGS);
  const clients = [await buildCaseClient(app), await buildCaseClient(app)];
  const cases: PayableCase[] = [];
  for (const [index, advance] of ADVANCES.entries()) {
    const client = clients[index % clients.length];
    const currencyId = index % 3 === 2 ? DOLLARS : SHILLINGS;
    cases.push(await buildApprovedCase(app, { advance, currencyId, ...(client && { client }) }));
  }
  return { app, clients, cases };
}

const SERVER_FAILED = 500;

/** Whether the call succeeded. A refused call changes nothing; a failed one is a fault. */
function isDone({ status, body }: Answer): boolean {
  if (status >= SERVER_FAILED) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
  return status === 200;
}

/**
 * Makes a move by officers who have done nothing yet. Returns its result. A mistake is reversed at once; throws unless
 * every balance of its application is then as before.
 */
export async function take(world: World, moved: Move): Promise<string> {
  const { app, cases } = world;
  if (moved.do === 'wait') {
    await wait(app, moved);
    return 'waited';
  }
  const place = moved.pick % cases.length;
  const built = cases[place];
  if (built === undefined) throw new Error('there is no application');
  const [officer, payer] = [await buildOfficer(app), await buildOfficer(app)];
  const by = { ...built, officer, payer };
  const date = kampalaDate(app.clock.now());
  switch (moved.do) {
    case 'payOut':
      return said(moved, await pay(by, 'disbursement', { date }));
    case 'paySurplus':
      return said(moved, await pay(by, 'surplus', { date }));
    case 'moreTime':
      return said(moved, await giveMoreTime(app, by));
    case 'writeOff':
      return said(moved, await writeOff(by));
    case 'reverse':
      return said(moved, await reverseOne(app, by, moved.pick));
    default: {
      const amount = fromMinor(Math.ceil(((ADVANCES[place] ?? 0) * moved.share) / PERCENT));
      const record = () =>
        moved.do === 'receive'
          ? pay(by, 'receipts', { date, amount, payer: payerOf(moved) })
          : deduct(by, date, amount);
      if (moved.isMistake !== true) return said(moved, await record());
      // Days already late are charged before the mistake, so that the charges don't count as its effect.
      await sweepDerived(app.platform);
      return said({ do: `mistaken ${moved.do}` }, await correct(app, by, record));
    }
  }
}

const payerOf = ({ share: sent }: { readonly share: number }) => (sent % 2 === 0 ? 'buyer' : 'client');

function said({ do: what }: { readonly do: string }, answer: Answer): string {
  return `${what} ${isDone(answer) ? 'done' : answer.body.code}`;
}

type By = PayableCase;

let certificates = 0;

function deduct({ officer, tag }: By, date: string, amount: number): Promise<Answer> {
  certificates += 1;
  const deduction = { deduction: 'creditNote', certificate: `CN ${certificates}`, date, amount };
  return officer.caller.post(`/applications/${tag}/deductions`, deduction);
}

/** Records an entry, and reverses it. */
async function correct(app: TestApp, by: By, record: () => Promise<Answer>): Promise<Answer> {
  const before = await balancesOf(app, by);
  const answer = await record();
  if (!isDone(answer)) return answer;
  const reversed = await reverseAny([by.payer, by.officer], by, answer.body.data.tag);
  const after = await balancesOf(app, by);
  if (!isDone(reversed) || !isDeepStrictEqual(after, before))
    throw new Error(`it left ${JSON.stringify([before, after, reversed.body])}`);
  return reversed;
}

/** One officer offers, another agrees, and the client accepts. */
async function giveMoreTime(app: TestApp, { tag, client, officer, payer }: By): Promise<Answer> {
  const { caller } = await buildSignedIn(app, { perms: ['BIDA'], businessId: client.person.businessId });
  const versionFor = async (who: Pick<By['officer'], 'caller'>) =>
    (await who.caller.get(`/applications/${tag}/extension`)).body.offer?.version ?? 'none';
  const offered = await onDesk(officer, tag, 'offer_extension', MORE_TIME);
  if (!isDone(offered)) return offered;
  const agreed = await onDesk(payer, tag, 'agree_extension', { keyFactsVersion: await versionFor(payer) });
  if (!isDone(agreed)) return agreed;
  return caller.post(`/applications/${tag}/accept_extension`, { keyFactsVersion: await versionFor({ caller }) });
}

/** One officer proposes, and another confirms. */
async function writeOff({ tag, officer, payer }: By): Promise<Answer> {
  const { outstanding } = await sumsOf(officer, tag);
  const terms = { amount: outstanding, reason: 'The buyer is bankrupt' };
  const proposed = await officer.caller.post(`/applications/${tag}/write_off/propose`, terms);
  if (!isDone(proposed)) return proposed;
  const { proposal: open } = await sumsOf(payer, tag);
  return payer.caller.post(`/applications/${tag}/write_off/confirm`, { proposalTag: open.tag });
}

async function reverseOne(app: TestApp, by: By, picked: number): Promise<Answer> {
  const entries = await app.platform.db
    .selectFrom('journal_entries')
    .where('invoice_id', '=', by.id)
    .where('kind', 'in', ['disbursement', 'receipt', 'surplus', 'deduction'])
    .select('tag')
    .orderBy('id')
    .execute();
  const entry = entries[Math.floor(picked / ADVANCES.length) % Math.max(1, entries.length)];
  return reverseAny([by.officer, by.payer], by, entry?.tag ?? crypto.randomUUID());
}

async function wait({ clock, platform }: TestApp, { days, job }: { readonly days: number; readonly job: Job }) {
  for (let day = 1; day <= days; day += 1) {
    clock.advance(DAY_SECONDS);
    if (job === 'daily') await sweepFees(platform);
  }
  await sweepDerived(platform);
  if (job === 'once' || job === 'twice') await sweepFees(platform);
  if (job === 'twice') await Promise.all([sweepFees(platform), sweepFees(platform)]);
}
