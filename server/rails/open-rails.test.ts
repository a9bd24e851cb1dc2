import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '#server/config/config.ts';
import { findRailKinds, openRails } from './open-rails.ts';

/** Rails are found by their folders, checked at the start, and opened if they have settings. */

const FOLDERS = [join(import.meta.dirname, '../../testing/rails')];
const clock = { now: () => new Date() };
const FIFTH_RAIL_KEY = 'a key of the fifth';

describe('a rail', () => {
  it('is not open without settings: its accounts are paid by hand', async () => {
    const rails = openRails(readConfig({}, await findRailKinds(FOLDERS)), clock);
    expect([rails.find('fifth'), rails.payingTo('mtn', 'UGX'), rails.nameOf('fifth')]).toEqual([
      undefined,
      undefined,
      'Fifth bank',
    ]);
  });

  it('pays its provider’s accounts in its currencies alone', async () => {
    const rails = openRails(readConfig({ FIFTH_RAIL_KEY }, await findRailKinds(FOLDERS)), clock);
    const found = [rails.payingTo('mtn', 'UGX'), rails.payingTo('mtn', 'USD'), rails.payingTo('airtel', 'UGX')];
    expect(found.map((rail) => rail?.kind.id)).toEqual(['fifth', undefined, undefined]);
  });

  it('stops the start if another open one pays the same accounts: one of the two would never be called', async () => {
    const fifth = await findRailKinds(FOLDERS);
    const kinds = [...fifth, ...fifth.map((kind) => ({ ...kind, id: 'sixth', name: 'Sixth bank' }))];
    const config = readConfig({ FIFTH_RAIL_KEY }, kinds);
    expect(() => openRails(config, clock)).toThrow(
      new ConfigError('Fifth bank and Sixth bank both pay mtn accounts in UGX: take the settings of one away.'),
    );
    const inDollars = kinds.map((kind, nth) => (nth === 0 ? kind : { ...kind, currencies: ['USD'] }));
    expect(
      openRails({ ...config, rails: { ...config.rails, kinds: inDollars } }, clock).payingTo('mtn', 'USD')?.kind.id,
    ).toBe('sixth');
  });

  it('stops the start with a wrong setting, and a mistyped name is found', async () => {
    const kinds = await findRailKinds(FOLDERS);
    expect(() => openRails(readConfig({ FIFTH_RAIL_KEY: 'short' }, kinds), clock)).toThrow(ConfigError);
    expect(() => readConfig({ FIFTH_RAIL_KYE: 'x' }, kinds)).toThrow('did you mean FIFTH_RAIL_KEY?');
  });
});

it('the rails of this server have ids of their folders’ kind, each another one', async () => {
  const kinds = await findRailKinds();
  const ids = kinds.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]{0,29}$/);
});
