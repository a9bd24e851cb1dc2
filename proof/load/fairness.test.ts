import { describe, expect, it } from 'vitest';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import { type Flood, floods, measureFlood, measureSlowConnections, openPlace } from './fairness.harness.ts';
import { type Outcome, percentile } from './load.harness.ts';

/** One account or one address never slows down other people. */

const FLOOD_S = 12;
const P99_WITHIN_MS = 500;
const HEALTH_WITHIN_MS = 200;
const CONNECTIONS = 5_000;

type Noticed = Awaited<ReturnType<typeof measureSlowConnections>>;

function isNoticed({ p99Ms, refused, slowestHealthMs }: Noticed): boolean {
  return p99Ms >= P99_WITHIN_MS || refused.length > 0 || slowestHealthMs >= HEALTH_WITHIN_MS;
}

function expectUnnoticed({ p99Ms, refused, slowestHealthMs }: Noticed): void {
  expect(refused).toEqual([]);
  expect(p99Ms).toBeLessThan(P99_WITHIN_MS);
  expect(slowestHealthMs).toBeLessThan(HEALTH_WITHIN_MS);
}

/** Expects honest calls from the flood's own address to be late at worst, or told when to try again. */
function expectAnswered(beside: readonly Outcome[]): void {
  const unanswered = beside.filter(
    ({ status, retryAfter }) => status !== 200 && !(status === 429 && Number(retryAfter) > 0),
  );
  expect(unanswered).toEqual([]);
}

function sayBeside(beside: readonly Outcome[]): string {
  if (beside.length === 0) return '';
  const answered = beside.filter(({ status }) => status === 200);
  return `; ${answered.length} of ${beside.length} honest ones of its own address within ${percentile(answered, 100)} ms, the others told when to try again`;
}

function say(flood: string, { others, p99Ms, refused, slowestHealthMs }: Noticed): string {
  return `${flood}: p99 of ${others} calls of others ${p99Ms} ms, ${refused.length} refused, /livez within ${slowestHealthMs} ms`;
}

describe.runIf(full)('a flood by one account or one address', () => {
  it.each(Object.entries<Flood>(floods))('of %s would be found if turns were unfair (canary)', async (name, flood) => {
    const found = await measureFlood(await openPlace({ planted: flood.planted, saves: flood.saves }), flood, FLOOD_S);
    expect(isNoticed(found)).toBe(true);
    canaryFound('fairness', say(`${flood.planted}, ${name}`, found));
  });

  it.each(Object.entries<Flood>(floods))('of %s is noticed by nobody else', async (name, flood) => {
    const found = await measureFlood(await openPlace({ saves: flood.saves }), flood, FLOOD_S);
    expectUnnoticed(found);
    expectAnswered(found.beside);
    proved('fairness', `${say(name, found)}${sayBeside(found.beside)}`);
  });

  it('of slow connections would be found if no address had a limit (canary)', async () => {
    const found = await measureSlowConnections(await openPlace({ env: { TRUST_PROXY: '1' } }), CONNECTIONS, FLOOD_S);
    expect(isNoticed(found)).toBe(true);
    canaryFound('fairness', say(`as behind a proxy, ${CONNECTIONS} slow connections`, found));
  });

  it('of slow connections is noticed by nobody else', async () => {
    const found = await measureSlowConnections(await openPlace(), CONNECTIONS, FLOOD_S);
    expectUnnoticed(found);
    proved('fairness', say(`${CONNECTIONS} slow connections from one address`, found));
  });
});
