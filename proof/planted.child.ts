import { hash, verify } from '@node-rs/argon2';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/platform/config.ts';
import { BACKLOG } from '#server/platform/http-server.ts';
import { createLog } from '#server/platform/logging.ts';
import { openPlatform } from '#server/platform/open-platform.ts';
import type { Platform } from '#server/platform/platform.ts';

/** A server with a planted fault, which PLANTED names. */
const faults: Readonly<Record<string, (platform: Platform) => Platform>> = {
  /** Every rule asks this machine for the time, not the database. */
  'process-clock': (platform) => ({ ...platform, clock: { now: () => new Date() } }),
  /** Nobody ever seems to wait for the database. */
  'never-sheds': (platform) => {
    Object.defineProperty(platform.pool, 'callersWaiting', { value: 0 });
    return platform;
  },
  /** Logins hash as many passwords at once as come. */
  'unbounded-passwords': (platform) => ({
    ...platform,
    passwords: {
      hash,
      matches: async (hashed, password) => hashed !== undefined && (await verify(hashed, password)),
      inLine: (call) => call(),
    },
  }),
};

const plant = faults[process.env.PLANTED ?? ''];
if (plant === undefined) throw new Error(`no fault is called ${process.env.PLANTED}`);
const config = readConfig(process.env);
const { platform } = await openPlatform(config, createLog(config.logLevel), () => process.exit(1));
const server = await createApp(plant(platform));
await server.listen({ port: config.port, host: config.host, backlog: BACKLOG });
process.stdout.write(`Kasente runs at http://localhost:${config.port}\n`);
