import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { findRailKinds, openRails } from '#server/rails/open-rails.ts';
import { statusOf } from '#testing/case-builders.ts';
import { fifthProvider } from '#testing/rails/fifth/rail.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { followToTheEnd, releaseToRail, transfersOf } from './transfers.harness.ts';

/** A new rail needs only a folder and its settings; no other file changes. */

const FOLDERS = [join(import.meta.dirname, '../../testing/rails')];

let app: TestApp | undefined;
afterEach(() => app?.close());

it('a fifth rail pays', async () => {
  const env = { FIFTH_RAIL_KEY: 'a key of the fifth', PUBLIC_URL: 'http://localhost:3000' };
  const rails = openRails(readConfig(env, await findRailKinds(FOLDERS)), { now: () => new Date() });
  app = await createTestApp({ SESSION_IDLE_MINUTES: '720' }, { rails });
  const built = await releaseToRail(app);
  await followToTheEnd(app);
  expect(await statusOf(app, built)).toBe('Disbursed');
  const [transfer] = await transfersOf(app, built);
  expect(transfer).toMatchObject({ rail: 'fifth', state: 'succeeded' });
  expect(fifthProvider.paid).toEqual(new Map([[transfer?.reference, 80_100_000]]));
  const holder = await rails.find('fifth')?.holder('0772123456', AbortSignal.timeout(1000));
  expect(holder).toEqual({ state: 'active', name: 'Sarah Nabirye' });
});
