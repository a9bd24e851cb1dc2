import { randomUUID } from 'node:crypto';
import { openRails } from '#server/rails/open-rails.ts';
import type { Ground, Seen } from './doctor-checks.ts';

const WITHIN_MS = 15_000;
const directions = { payout: 'payouts', collection: 'requests to pay' } as const;

/**
 * Asks each provider for an unknown payment. Only with valid credentials does the provider reply that it does not
 * exist.
 */
export async function lookAtRails({ config }: Ground): Promise<Seen> {
  const { open } = openRails(config, { now: () => new Date() });
  const called = open.filter(({ kind }) => kind.writeFile === undefined);
  if (called.length === 0) return { state: 'right', found: 'none has settings: payouts are made by hand' };
  const wrong: string[] = [];
  for (const rail of called)
    for (const direction of ['payout', 'collection'] as const) {
      const answer = await rail[direction].ask(randomUUID(), AbortSignal.timeout(WITHIN_MS));
      if (answer.state !== 'notFound') wrong.push(`${rail.kind.name}, ${directions[direction]}: ${answer.said}`);
    }
  const names = called.map(({ kind }) => kind.name).join(' and ');
  const isOne = called.length === 1;
  if (wrong.length === 0) return { state: 'right', found: `${names} ${isOne ? 'lets' : 'let'} us in, both ways` };
  const todo = "compare its keys and its address with the provider's portal: docs/operations.md, 'Mobile money'";
  return { state: 'wrong', found: wrong.join('; '), todo };
}
