import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { Answer, Direction, Order, Rail } from '#server/rail-port/rail.ts';

/**
 * The behaviour that the clients rely on, tested in the same way against a provider's simulator and its own test
 * system.
 */

/** The rail and the numbers under test. */
export interface Asked {
  readonly rail: () => Rail;
  /** A wallet that accepts any payout and pays any request. */
  readonly number: string;
  /** Documented numbers that accept no payout; the first one has no holder. */
  readonly refusing: readonly string[];
  /** Runs between two questions about an order. */
  readonly pause: (order: Order) => Promise<unknown>;
}

/** MTN's numbers (docs/decisions/0048-simulators.md). */
export const MTN_REFUSES = ['46733123450', '46733123455', '46733123457'] as const;

/** The most time that a provider's test system may need for an order. */
export const WITHIN_MS = 5 * MINUTE_MS;

const within = (): AbortSignal => AbortSignal.timeout(WITHIN_MS);

function orderTo(number: string): Order {
  return { reference: randomUUID(), amount: 100_000, currency: 'UGX', number, label: 'K7PX42MR' };
}

/** Declares the tests. */
export function mustAnswer({ rail, number, refusing, pause }: Asked): void {
  /** Asks until the provider gives a final answer. */
  async function known(direction: Direction, order: Order): Promise<Answer> {
    for (const signal = within(); ; await pause(order)) {
      const answer = await direction.ask(order.reference, signal);
      if (answer.state === 'succeeded' || answer.state === 'failed' || signal.aborted) return answer;
    }
  }

  it.each(['payout', 'collection'] as const)('the provider knows no %s that was never sent', async (direction) => {
    expect(await rail()[direction].ask(randomUUID(), within())).toMatchObject({ state: 'notFound' });
  });

  it.each(['payout', 'collection'] as const)('the provider takes a %s once, and says that it arrived', async (name) => {
    const direction = rail()[name];
    const order = orderTo(number);
    const sent = await direction.send(order, within());
    expect(sent).toMatchObject({ state: expect.stringMatching(/taken|succeeded/) });
    expect(await direction.send(order, within())).not.toMatchObject({ state: 'failed' });
    expect(await known(direction, order)).toMatchObject({ state: 'succeeded' });
  });

  it('the provider knows who holds the number', async () => {
    expect(await rail().holder(number, within())).toMatchObject({ state: 'active' });
  });

  it.each(refusing)('the provider refuses a payout to %s', async (to) => {
    const order = orderTo(to);
    await rail().payout.send(order, within());
    expect(await known(rail().payout, order)).toMatchObject({ state: 'failed' });
  });

  it.each(refusing.slice(0, 1))('the provider knows no wallet of %s', async (nobody) => {
    expect(await rail().holder(nobody, within())).toMatchObject({ state: 'none' });
  });
}
