import type { Measured } from '#server/health/metrics.ts';
import { countMessages } from './messages.queries.ts';

/** Metrics of messages for `/metrics`; every server reports the same values. */
export const messageMetrics: readonly Measured[] = [
  {
    name: 'kasente_messages',
    help: 'Messages that wait although they could go, are held for their turn, were sent in the last 24 hours, or died unsent',
    kind: 'gauge',
    labels: ['channel', 'state'],
    measure: async ({ db, clock }) => {
      const channels = await countMessages(db, clock.now());
      return channels.flatMap(({ channel, waiting, held, sent, dead }) =>
        Object.entries({ waiting, held, sent, dead }).map(([state, value]) => ({ labels: { channel, state }, value })),
      );
    },
  },
  {
    name: 'kasente_message_oldest_waiting_seconds',
    help: 'How long the message has waited that waits longest, of those that could go',
    kind: 'gauge',
    labels: ['channel'],
    measure: async ({ db, clock }) => {
      const channels = await countMessages(db, clock.now());
      return channels.map(({ channel, oldestSeconds }) => ({ labels: { channel }, value: oldestSeconds }));
    },
  },
];
