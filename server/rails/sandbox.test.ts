import { setTimeout as wait } from 'node:timers/promises';
import { describe } from 'vitest';
import type { Rail, RailKind } from '#server/rail-port/rail.ts';
import { rail as airtel } from '#server/rails/airtel/rail.ts';
import { rail as mtn } from '#server/rails/mtn/rail.ts';
import { MTN_REFUSES, mustAnswer, WITHIN_MS } from './contract.harness.ts';

/**
 * Runs the tests of the simulators against a provider's own test system: prefix the names of its settings with TRY_,
 * such as TRY_MTN_URL, and set TRY_AIRTEL_NUMBER to Airtel's test number (docs/operations.md, 'Mobile money'). Skipped
 * without these settings.
 */

/** Providers refuse calls that come without a pause. */
const PAUSE_MS = 5_000;
const pause = () => wait(PAUSE_MS);

const tried = {
  'MTN’s test system': { kind: mtn, number: '0772123456', refusing: MTN_REFUSES },
  'Airtel’s test system': { kind: airtel, number: process.env.TRY_AIRTEL_NUMBER ?? '0702345678', refusing: [] },
} as const;

function opened(kind: RailKind): Rail | undefined {
  const names = Object.keys(kind.settings);
  const env = Object.fromEntries(names.map((name) => [name, process.env[`TRY_${name}`]]));
  return kind.open(env, { now: () => new Date(), callbackUrl: undefined });
}

for (const [name, { kind, ...asked }] of Object.entries(tried)) {
  const rail = opened(kind);
  describe.skipIf(rail === undefined)(name, { timeout: 2 * WITHIN_MS }, () => {
    if (rail !== undefined) mustAnswer({ ...asked, pause, rail: () => rail });
  });
}
