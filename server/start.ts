import type { FastifyInstance } from 'fastify';
import { resealSecondFactors } from '#server/accounts/resealing.service.ts';
import { createApp } from '#server/app.ts';
import { startBackgroundWork } from '#server/background.ts';
import { seedDemonstration } from '#server/demonstration/seed.ts';
import { migrate } from '#server/migrations/migrate.ts';
import type { Config } from '#server/platform/config.ts';
import { StartError } from '#server/platform/connect.ts';
import { Drain } from '#server/platform/drain.ts';
import { BACKLOG } from '#server/platform/http-server.ts';
import { createLog, type Log } from '#server/platform/logging.ts';
import { openPlatform } from '#server/platform/open-platform.ts';
import type { Platform } from '#server/platform/platform.ts';
import { reportEnforcement } from '#server/platform/row-security.ts';

export interface RunningServer {
  readonly log: Log;
  readonly platform: Platform;
  /** Where it is reached, such as `http://localhost:3000`. */
  readonly address: string;
  /** Whether this start put the demonstration into an empty database. */
  readonly seeded: boolean;
  /** Leaves (platform/drain.ts), finishes the jobs in hand, then lets go of the database. */
  stop(): Promise<void>;
}

type Closer = () => Promise<void> | void;

/**
 * Brings a server up: database, migrations, demonstration, HTTP, background work. `onLost` hears when the embedded
 * database goes away. Throws {@link StartError} with a sentence for a person; whatever was up by then is down again.
 */
export async function startServer(config: Config, onLost: (error: Error) => void): Promise<RunningServer> {
  const closers: Closer[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const log = createLog(config.logLevel);
    const { platform, close } = await openPlatform(config, log, onLost);
    closers.push(close);
    await migrate(platform.db);
    await reportEnforcement(platform);
    if (config.previousSecretKey !== undefined) await reseal(platform);
    const seeded = config.seed && (await seedDemonstration(platform));
    const drain = new Drain();
    const app = await createApp(platform, drain);
    // Queues must be there before the first request that tells somebody something.
    const jobs = await startBackgroundWork(platform);
    closers.push(() => jobs.stop());
    closers.push(() => drain.leave(app, config.drainMs));
    const address = await listen(app, config);
    return { log, platform, address, seeded, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Once no second factor is unreadable and none is left to be sealed anew, the previous secret may be given up. */
async function reseal(platform: Platform): Promise<void> {
  const { resealed, unreadable } = await resealSecondFactors(platform);
  platform.log[unreadable === 0 ? 'info' : 'warn'](
    { resealed, unreadable },
    'second factors are sealed with the present secret',
  );
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `port ${config.port} is taken by another program. Stop that one, or choose another port, such as PORT=${config.port + 1} npm start.`,
      );
    }
    if (code === 'EACCES')
      throw new StartError(`port ${config.port} may not be opened by this user. Choose one above 1023 with PORT.`);
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
      throw new StartError(`HOST=${config.host} is not an address of this machine.`);
    throw error;
  }
  const bound = app.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.port;
  const host =
    config.host === '127.0.0.1' || config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  return `http://${host}:${port}`;
}
