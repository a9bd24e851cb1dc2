import type { Measured } from '#server/health/metrics.ts';
import { countUnknown } from './transfers.queries.ts';

/** Metrics of providers and their transfers. */
export const transferMetrics: readonly Measured[] = [
  {
    name: 'kasente_rail_away',
    help: 'Whether this server calls the provider once in a while alone, because it does not answer',
    kind: 'gauge',
    labels: ['rail'],
    measure: ({ rails }) =>
      rails.open.map(({ kind, breaker }) => ({ labels: { rail: kind.id }, value: breaker.isOpen ? 1 : 0 })),
  },
  {
    name: 'kasente_transfers_unknown',
    help: 'Payouts and requests to pay whose outcome is unknown, the same on every server',
    kind: 'gauge',
    labels: ['rail'],
    measure: async ({ db, rails }) => {
      const none = rails.open.map(({ kind }): [string, number] => [kind.id, 0]);
      const counted = new Map([...none, ...(await countUnknown(db))]);
      return [...counted].map(([rail, value]) => ({ labels: { rail }, value }));
    },
  },
];
