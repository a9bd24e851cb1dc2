import type { Answer, Direction, RailKind } from '#server/rail-port/rail.ts';
import { readRailSettings } from '#server/rails/rail-settings.ts';
import { writeFile } from './file.ts';
import { accountIn, currencies, settings } from './settings.ts';

/** This rail calls no provider: officers carry a file to the bank, and the bank's statement is the answer. */
const byFile: Answer = { state: 'unknown', said: 'Only the statement of the bank says that' };
const nobody: Direction = { send: async () => byFile, ask: async () => byFile };

/** A bank that is paid by files uploaded to its portal (docs/decisions/0052-bank-by-file.md). */
export const rail: RailKind = {
  id: 'bank',
  name: 'Bank',
  provider: 'bank',
  currencies,
  settings,
  writeFile,
  open(env) {
    const value = readRailSettings(settings, env);
    if (value === undefined) return undefined;
    return {
      payout: nobody,
      collection: nobody,
      holder: async () => ({ state: 'unknown', said: 'A bank does not say who holds an account' }),
      callbackReference: () => undefined,
      paidFrom: (currency) => accountIn(value, currency),
    };
  },
};
