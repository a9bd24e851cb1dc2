import { ConfigError } from '#server/config/config.ts';
import type { RailKind } from '#server/rail-port/rail.ts';
import { ScriptedProvider } from '#testing/scripted-rail.ts';

/** The provider behind the fifth rail, with its book. */
export const fifthProvider = new ScriptedProvider();

/** A rail that is added by its folder alone. */
export const rail: RailKind = {
  id: 'fifth',
  name: 'Fifth bank',
  provider: 'mtn',
  currencies: ['UGX'],
  settings: { FIFTH_RAIL_KEY: { secret: true, must: 'at least 8 characters' } },
  open: ({ FIFTH_RAIL_KEY: key }, { callbackUrl }) => {
    if (key === undefined) return undefined;
    if (key.length < 8) throw new ConfigError('FIFTH_RAIL_KEY must be at least 8 characters.');
    return {
      payout: fifthProvider,
      collection: fifthProvider,
      holder: async () => ({ state: 'active', name: callbackUrl === undefined ? null : 'Sarah Nabirye' }),
      callbackReference: () => undefined,
    };
  },
};
