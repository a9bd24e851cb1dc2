import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { judgeTimes, Verdict } from './clock.harness.ts';
import { canaryFound, proved, rounds } from './record.ts';
import { type PlantedFault, remoteCaller, startServerProcess } from './server-process.harness.ts';

/** A server on a machine whose clock is an hour off, either way. */

const HOUR_MS = 60 * 60 * 1000;
const SKEWS = { 'an hour slow': -HOUR_MS, 'an hour fast': HOUR_MS } as const;

/** A server process whose own clock is off, driven over HTTP; rows are built and looked at beside it, on the true time. */
async function skewedSite(skewMs: number, planted?: PlantedFault): Promise<TestApp> {
  const app = await createTestApp();
  onTestFinished(() => app.close());
  const server = await startServerProcess(app.database, {
    env: { CLOCK_SKEW_MS: String(skewMs), DATA_DIR: app.platform.config.dataDir },
    planted,
    nodeArgs: ['--import', join(import.meta.dirname, 'skewed-date.child.ts')],
  });
  let advancedMs = 0;
  const clock = {
    now: () => new Date(Date.now() + advancedMs),
    advance: (seconds: number) => {
      advancedMs += seconds * 1000;
    },
  };
  return { ...app, clock, visitor: () => remoteCaller(() => server.address) };
}

describe('a machine whose clock is an hour off', { timeout: rounds(120_000, 36_000_000) }, () => {
  it.each(Object.entries(SKEWS))('finds rules that would go by it: %s', async (name, skewMs) => {
    const verdict = new Verdict();
    await judgeTimes(await skewedSite(skewMs, 'process-clock'), verdict);
    expect(verdict.wrong.length).toBeGreaterThan(10);
    canaryFound(
      'clock',
      `a server that asks its own clock, ${name}: ${verdict.wrong.length} of ${verdict.judged} judged wrongly`,
    );
  });

  it.each(Object.entries(SKEWS))('decides nothing: %s', async (name, skewMs) => {
    const verdict = new Verdict();
    const site = await skewedSite(skewMs);
    for (let round = 0; round < 8; round += 1) await judgeTimes(site, verdict);
    expect(verdict.wrong).toEqual([]);
    proved('clock', `${name}: ${verdict.judged} judged, 0 wrongly accepted, refused or dated`);
  });
});
