import { setTimeout as wait } from 'node:timers/promises';
import { hash, verify } from '@node-rs/argon2';
import type { FastifyInstance } from 'fastify';
import { createApp } from '#server/app.ts';
import { startBackgroundWork } from '#server/background.ts';
import { readConfig } from '#server/config/config.ts';
import { BACKLOG } from '#server/http/http-server.ts';
import { FairSemaphore } from '#server/machine/fair-semaphore.ts';
import { createLog } from '#server/observability/logging.ts';
import { openPlatform } from '#server/open-platform.ts';
import type { Letters } from '#server/pdf/letters.ts';
import type { Platform } from '#server/platform/platform.ts';
import { findRailKinds } from '#server/rails/open-rails.ts';
import { noTurns } from './no-turns.ts';
import type { PlantedFault } from './planted.ts';
import { withBelievedRefusals, withNewReferences } from './planted-rails.ts';

/** Slow enough that people notice the flood on any machine. */
const SLOW_TURN_MS = 100;

/** Servers with a planted fault; the first argument names it. */
const faults: Readonly<Record<PlantedFault, (platform: Platform) => Promise<FastifyInstance>>> = {
  /** Every rule uses this machine's clock instead of the database's. */
  'process-clock': (platform) => createApp({ ...platform, clock: { now: () => new Date() } }),
  /** All people share one queue of slow turns: first come, first served, and the last are refused. */
  'unfair-turns': (platform) => {
    const { run, hasRoomFor } = FairSemaphore.prototype;
    FairSemaphore.prototype.run = function <T>(_key: string, work: () => Promise<T>): Promise<T> {
      const runs = run<T>;
      return runs.call(this, 'everybody', async () => (await Promise.all([work(), wait(SLOW_TURN_MS)]))[0]);
    };
    FairSemaphore.prototype.hasRoomFor = function () {
      return hasRoomFor.call(this, 'everybody');
    };
    return createApp(platform);
  },
  /** A letter blocks the event loop for as long as the evidence of 1,500 saves once did. */
  'letters-hold-the-server': (platform) => {
    const draw: Letters['draw'] = async (letter) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_300);
      return platform.letters.draw(letter);
    };
    return createApp({ ...platform, letters: { ...platform.letters, draw } });
  },
  'no-turns': (platform) => createApp(platform, undefined, noTurns(platform)),
  /** Logins verify any number of passwords at once. */
  'unbounded-passwords': (platform) =>
    createApp({
      ...platform,
      passwords: {
        hash,
        compare: async (hashed, typed) => (hashed !== undefined && (await verify(hashed, typed)) ? 'right' : 'wrong'),
        inLine: (_place, call) => call(),
        turns: platform.passwords.turns,
      },
    }),
  /** A repeated payout gets a new reference. */
  'new-references': (platform) => withRails({ ...platform, rails: withNewReferences(platform.rails) }),
  /** A provider that refuses a payout but has executed it is believed. */
  'believed-refusals': (platform) => withRails({ ...platform, rails: withBelievedRefusals(platform.rails) }),
};

async function withRails(planted: Platform): Promise<FastifyInstance> {
  await startBackgroundWork(planted);
  return createApp(planted);
}

const name = Object.keys(faults).find((fault): fault is PlantedFault => fault === process.argv[2]);
if (name === undefined) throw new Error(`no fault is called ${process.argv[2]}`);
const config = readConfig(process.env, await findRailKinds());
const { platform } = await openPlatform(config, createLog(config.logLevel), () => process.exit(1));
const server = await faults[name](platform);
await server.listen({ port: config.port, host: config.host, backlog: BACKLOG });
process.stdout.write(`Kasente runs at http://localhost:${config.port}\n`);
