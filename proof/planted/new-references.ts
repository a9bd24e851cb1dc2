import { randomUUID } from 'node:crypto';
import type { OpenRail, Rails } from '#server/rails/open-rails.ts';
import type { Direction } from '#server/rails/rail.ts';

/** Rails that repeat an order under a new reference, as a client does that makes one for each call. */
export function withNewReferences(rails: Rails): Rails {
  const asked = new Set<string>();
  const planted = ({ send, ask }: Direction): Direction => ({
    send: (order, signal) => send(asked.has(order.reference) ? { ...order, reference: randomUUID() } : order, signal),
    ask: (reference, signal) => {
      asked.add(reference);
      return ask(reference, signal);
    },
  });
  const withPlanted = (rail: OpenRail): OpenRail => ({
    ...rail,
    payout: planted(rail.payout),
    collection: planted(rail.collection),
  });
  return {
    ...rails,
    find: (id) => {
      const rail = rails.find(id);
      return rail && withPlanted(rail);
    },
  };
}
