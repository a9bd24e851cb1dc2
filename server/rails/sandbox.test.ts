import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { rail as airtel } from '#server/rails/airtel/rail.ts';
import { rail as mtn } from '#server/rails/mtn/rail.ts';
import type { Answer, Direction, Order, Rail, RailKind } from './rail.ts';

/**
 * What the clients rest on, asked of a provider's own test system: with TRY_ before the names of its settings, such as
 * TRY_MTN_URL, and TRY_AIRTEL_NUMBER for Airtel's test number (docs/operations.md, 'Mobile money'). Skipped without.
 */

/** How long a provider's test system may take for an order. */
const WITHIN_MS = 5 * MINUTE_MS;

function tried(kind: RailKind): Rail | undefined {
  const names = Object.keys(kind.settings);
  const env = Object.fromEntries(names.map((name) => [name, process.env[`TRY_${name}`]]));
  return kind.open(env, { now: () => new Date(), callbackUrl: undefined });
}

function orderTo(number: string): Order {
  return { reference: randomUUID(), amount: 100_000, currency: 'UGX', number, label: 'K7PX42MR' };
}

const within = (): AbortSignal => AbortSignal.timeout(WITHIN_MS);

/** Asks until the provider knows: the waiting is its own answers. */
async function known(direction: Direction, reference: string, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    const answer = await direction.ask(reference, signal);
    if (answer.state === 'succeeded' || answer.state === 'failed' || signal.aborted) return answer;
  }
}

function mustAnswer(rail: Rail, number: string): void {
  it.each(['payout', 'collection'] as const)('knows no %s that was never sent', async (direction) => {
    expect(await rail[direction].ask(randomUUID(), within())).toMatchObject({ state: 'notFound' });
  });

  it.each(['payout', 'collection'] as const)('takes a %s once, and says that it arrived', async (direction) => {
    const order = orderTo(number);
    expect(await rail[direction].send(order, within())).toMatchObject({
      state: expect.stringMatching(/taken|succeeded/),
    });
    expect(await rail[direction].send(order, within())).not.toMatchObject({ state: 'failed' });
    expect(await known(rail[direction], order.reference, within())).toMatchObject({ state: 'succeeded' });
  });

  it('knows who holds the number', async () => {
    expect(await rail.holder(number, within())).toMatchObject({ state: 'active' });
  });
}

const triedMtn = tried(mtn);
describe.skipIf(triedMtn === undefined)('MTN’s test system', { timeout: WITHIN_MS }, () => {
  if (triedMtn === undefined) return;
  mustAnswer(triedMtn, '0772123456');

  it.each([
    ['46733123450', 'failed'],
    ['46733123455', 'failed'],
    ['46733123457', 'failed'],
  ])('refuses a payout to %s', async (number, state) => {
    const order = orderTo(number);
    await triedMtn.payout.send(order, within());
    expect(await known(triedMtn.payout, order.reference, within())).toMatchObject({ state });
  });

  it('knows no wallet of 46733123450', async () => {
    expect(await triedMtn.holder('46733123450', within())).toMatchObject({ state: 'none' });
  });
});

const triedAirtel = tried(airtel);
describe.skipIf(triedAirtel === undefined)('Airtel’s test system', { timeout: WITHIN_MS }, () => {
  if (triedAirtel !== undefined) mustAnswer(triedAirtel, process.env.TRY_AIRTEL_NUMBER ?? '0702345678');
});
