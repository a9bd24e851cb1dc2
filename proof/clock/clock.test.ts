import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HOUR_MS } from '#contract/time/durations.ts';
import { type PlantedFault, programWith } from '#proof/planted/planted.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { remoteCaller, startServerProcess } from '#testing/servers/server-process.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { judgeTimes, Verdict } from './clock.harness.ts';

/** A server on a machine whose clock is an hour slow or fast. */

const SKEWS = { 'an hour slow': -HOUR_MS, 'an hour fast': HOUR_MS } as const;

/** A server process with a skewed clock, driven over HTTP; the builders and queries around it use the true time. */
async function skewedSite(skewMs: number, planted?: PlantedFault): Promise<() => TestApp> {
  const app = await createTestApp();
  onTestFinished(() => app.close());
  const server = await startServerProcess(app.database, {
    env: { CLOCK_SKEW_MS: String(skewMs), DATA_DIR: app.platform.config.dataDir },
    program: programWith(planted),
    nodeArgs: ['--import', join(import.meta.dirname, 'skewed-date.child.ts')],
  });
  return () => ({ ...app, clock: trueClock(), visitor: () => remoteCaller(() => server.address) });
}

/** The true time; `advance` moves on to the next authenticator code. */
function trueClock(): TestApp['clock'] {
  let advancedMs = 0;
  return {
    now: () => new Date(Date.now() + advancedMs),
    advance: (seconds) => {
      advancedMs += seconds * 1000;
    },
  };
}

describe('a machine whose clock is an hour off', { timeout: rounds(120_000, 36_000_000) }, () => {
  it.each(Object.entries(SKEWS))('would be found if a rule used it (canary): %s', async (name, skewMs) => {
    const verdict = new Verdict();
    const site = await skewedSite(skewMs, 'process-clock');
    await judgeTimes(site(), verdict);
    expect(verdict.wrong.length).toBeGreaterThan(10);
    canaryFound(
      'clock',
      `a server that asks its own clock, ${name}: ${verdict.wrong.length} of ${verdict.judged} judged wrongly`,
    );
  });

  it.each(Object.entries(SKEWS))('decides nothing: %s', async (name, skewMs) => {
    const verdict = new Verdict();
    const site = await skewedSite(skewMs);
    for (let round = 0; round < rounds(1, 25); round += 1) await judgeTimes(site(), verdict);
    expect(verdict.wrong).toEqual([]);
    proved('clock', `${name}: ${verdict.judged} judged, 0 wrongly accepted, refused or dated`);
  });
});
