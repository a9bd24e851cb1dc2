import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  atRate,
  LoadClient,
  type Outcome,
  type PreparedRequest,
  percentile,
  roundRobin,
} from '#proof/load/load.harness.ts';
import { buildPeople, calls } from '#proof/load/overload.harness.ts';
import { mtnAt } from '#simulators/mtn/mtn.harness.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import { freePort } from '#testing/free-port.ts';
import type { ServerProcess } from '#testing/servers/server-process.ts';
import { disagreements } from './books.harness.ts';
import { answerPhones, askAll, type Copy, copiesOf, orderAll } from './many-transfers.harness.ts';
import { RailsWorld } from './rails.harness.ts';

/**
 * Thousands of payouts and requests to pay at once, by two servers, while the provider is slow, then down, then back.
 */

/** One half are payouts, the other half requests to pay for clients who were paid before. */
const TRANSFERS = rounds(60, 10_000);
const CASES = rounds(2, 20);
/** Payouts that are released when the provider is back. */
const LATE = 5;
const SLOW_S = rounds(2, 60);
/** How long the provider is down, in each of two ways. */
const DOWN_S = rounds(3, 60);
/** The measurement before the outage. */
const QUIET_S = rounds(2, 20);
const CALLS_A_SECOND = 20;
const HUNG_AFTER_MS = 30_000;
const P99_WITHIN_MS = 500;
const BACK_WITHIN_S = 60;
const LOOK_EVERY_MS = rounds(100, 500);
const TIME = { timeout: rounds(600_000, 4 * 3_600_000) };

/** The calls of people at work on a server: lists, dashboards and saves. */
async function callsAt({ app }: RailsWorld, server: ServerProcess): Promise<() => PreparedRequest> {
  const { list, dashboard, save } = calls;
  const nextCall = roundRobin(
    (await buildPeople(app, server)).flatMap((client) => [list, dashboard, save].map((call) => () => call(client))),
  );
  return () => nextCall()();
}

async function openCount({ app }: RailsWorld, of?: readonly Copy[]): Promise<number> {
  const { rows } = await app.platform.pool.query(
    'select from transfers where next_ask_at is not null and ($1::integer[] is null or invoice_id = any($1))',
    [of === undefined ? null : of.map(({ invoiceId }) => invoiceId)],
  );
  return rows.length;
}

/** Requests that nobody could answer on the phone in time. */
async function unpaidCount({ app }: RailsWorld): Promise<number> {
  const { rows } = await app.platform.pool.query("select from transfers where direction = 'in' and state = 'failed'");
  return rows.length;
}

/** Waits for a condition; returns the seconds that it took. */
async function secondsUntil(holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (!(await holds())) await wait(LOOK_EVERY_MS);
  return (performance.now() - began) / 1000;
}

test(`${TRANSFERS} payouts and requests to pay while the provider is slow, then down, then back`, TIME, async () => {
  const world = await RailsWorld.open(2_000);
  onTestFinished(() => world.close());
  const servers = [
    await world.start(undefined, { RAIL_TIMEOUT_SECONDS: '20' }),
    await world.start(undefined, { RAIL_TIMEOUT_SECONDS: '20', PORT: String(await freePort()) }),
  ];
  const people = await Promise.all(
    servers.map(async (server) => ({
      next: await callsAt(world, server),
      load: new LoadClient(server.port, HUNG_AFTER_MS),
    })),
  );
  onTestFinished(() => {
    for (const { load } of people) load.close();
  });
  const cases = await Promise.all(Array.from({ length: CASES }, () => world.approved('mtn')));
  const [first] = cases;
  if (first === undefined) throw new Error('nobody is to be paid');
  const copies = (await Promise.all(cases.map((built) => copiesOf(world, built, TRANSFERS / CASES)))).flat();
  const late = copies.splice(-LATE);
  const clients = copies.splice(0, TRANSFERS / 2);
  await orderAll(world, first, clients);
  await secondsUntil(async () => (await openCount(world)) === 0);

  const seconds = SLOW_S + 2 * DOWN_S;
  const atWork = (s: number) =>
    Promise.all(people.map(({ load, next }) => atRate(load, CALLS_A_SECOND / servers.length, s, next)));
  const before = percentile((await atWork(QUIET_S)).flat(), 99);
  let goesOn = true;
  const working = (async () => {
    const outcomes: Outcome[] = [];
    while (goesOn) outcomes.push(...(await atWork(1)).flat());
    return outcomes;
  })();
  await world.faults('mtn', { fault: 'late-answer', ms: 1_500 });
  const phones = answerPhones(world, () => goesOn);
  await Promise.all([orderAll(world, first, copies), askAll(world, first, clients)]);
  await wait(SLOW_S * 1000);
  const whenDown = await openCount(world);
  await world.faults('mtn', { fault: 'no-answer', taken: false });
  await wait(DOWN_S * 1000);
  await world.faults('mtn', { fault: 'down', how: '503', seconds: 1_000_000 });
  await wait(DOWN_S * 1000);
  await world.faults('mtn');
  const whenBack = Math.max(1, await openCount(world));
  // Only transfers sent before the outage; those released now have their own jobs.
  const backAgain = secondsUntil(async () => (await openCount(world, [...clients, ...copies])) < whenBack);
  const ended = secondsUntil(async () => (await openCount(world)) === 0 && (await openCount(world, late)) === 0);
  await orderAll(world, first, late);
  const newOnesS = await secondsUntil(async () => (await openCount(world, late)) === 0);
  const [backS, allS] = [await backAgain, await ended];
  goesOn = false;
  const outcomes = await working;
  await phones;
  const p99 = percentile(outcomes, 99);
  for (const server of servers) await server.stop();

  expect(await disagreements(world, [])).toEqual([]);
  expect(outcomes.filter(({ status }) => status !== 200)).toEqual([]);
  const figures =
    `${TRANSFERS} payouts and requests to pay by 2 servers, MTN slow, silent and down for ${seconds} s (${whenDown} and ${whenBack} unfinished): each paid once, ${await unpaidCount(world)} requests expired; ` +
    `p99 of ${outcomes.length} lists, dashboards and saves ${p99} ms (${before} ms before); back ${backS.toFixed(1)} s after MTN, ` +
    `new payouts paid in ${newOnesS.toFixed(1)} s, all known after ${Math.round(allS)} s`;
  if (full) expect(Math.max(backS, newOnesS), figures).toBeLessThan(BACK_WITHIN_S);
  if (full) expect(p99, figures).toBeLessThan(P99_WITHIN_MS);
  proved('rails-load', figures);

  const planted = await mtnAt(world.providers.mtn.process.url).transfer(first.msisdn, { body: { amount: '801000' } });
  expect(planted.reply.status).toBe(202);
  await world.providers.mtn.advance(10);
  expect(await disagreements(world, [])).toEqual(
    expect.arrayContaining([expect.stringContaining('paid, not ours'), expect.stringContaining('in our journal')]),
  );
  canaryFound('rails-load', 'a payment under another reference: in the provider’s book, and not in ours');
});
