import { randomUUID } from 'node:crypto';
import type { Answer, Direction } from '#server/rail-port/rail.ts';
import type { Rails } from '#server/rails/open-rails.ts';

/** Faults in the clients of providers. */

/** Repeats an order with a new reference, like a client that makes one for each call. */
export function withNewReferences(rails: Rails): Rails {
  const asked = new Set<string>();
  return withDirections(rails, ({ send, ask }) => ({
    send: (order, signal) => send(asked.has(order.reference) ? { ...order, reference: randomUUID() } : order, signal),
    ask: (reference, signal) => {
      asked.add(reference);
      return ask(reference, signal);
    },
  }));
}

/** Believes a refused send, whatever the provider's status call says, as Kasente did until migration 0073. */
export function withBelievedRefusals(rails: Rails): Rails {
  const refused = new Map<string, Answer>();
  return withDirections(rails, ({ send, ask }) => ({
    send: async (order, signal) => {
      const answer = await send(order, signal);
      if (answer.state === 'failed') refused.set(order.reference, answer);
      return answer;
    },
    ask: async (reference, signal) => refused.get(reference) ?? ask(reference, signal),
  }));
}

function withDirections(rails: Rails, planted: (direction: Direction) => Direction): Rails {
  return {
    ...rails,
    find: (id) => {
      const rail = rails.find(id);
      return rail && { ...rail, payout: planted(rail.payout), collection: planted(rail.collection) };
    },
  };
}
