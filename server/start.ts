import type { FastifyInstance } from 'fastify';
import { resealSecondFactors } from '#server/accounts/codes/resealing.service.ts';
import { anchorAudit } from '#server/audit/audit.service.ts';
import type { Config } from '#server/config/config.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { reportEnforcement } from '#server/db/roles/row-security.ts';
import { playProviders } from '#server/demonstration/providers.ts';
import { seedDemonstration } from '#server/demonstration/seed.ts';
import { BACKLOG } from '#server/http/http-server.ts';
import { StartError } from '#server/installation/connect.ts';
import { reportInForce } from '#server/installation/in-force.ts';
import { joinInstallation } from '#server/installation/installation.ts';
import { prepareJobs } from '#server/jobs/jobs.ts';
import { codeOf } from '#server/machine/error-codes.ts';
import { isLoopbackName } from '#server/machine/this-machine.ts';
import { appVersion } from '#server/machine/version.ts';
import { migrate } from '#server/migrations/migrate.ts';
import { nameParts } from '#server/migrations/schema.ts';
import { createLog, type Log } from '#server/observability/logging.ts';
import type { Platform } from '#server/platform/platform.ts';
import { isHttps } from '#server/sessions/sessions.ts';
import { Drain } from '#server/traffic/drain.ts';
import { createApp } from './app.ts';
import { startBackgroundWork } from './background.ts';
import { openPlatform } from './open-platform.ts';
import { refuseUnusable } from './preflight.ts';
import { queues } from './queues.ts';

export interface RunningServer {
  readonly log: Log;
  readonly platform: Platform;
  /** The server's address, such as `http://localhost:3000`. */
  readonly address: string;
  /** The addresses of the simulated phones; empty outside the demonstration. */
  readonly phones: readonly string[];
  /** Whether this start seeded the demonstration. */
  readonly seeded: boolean;
  /** Drains (traffic/drain.ts), finishes running jobs, then closes the database. */
  stop(): Promise<void>;
}

type Closer = () => Promise<void> | void;

/**
 * Starts a server: database, migrations, demonstration, HTTP, background work. `onLost` is called when the embedded
 * database goes away. If the start fails, closes everything again and throws a {@link StartError} with a sentence for a
 * person.
 */
export async function startServer(config: Config, onLost: (error: Error) => void): Promise<RunningServer> {
  const closers: Closer[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const log = createLog(config.logLevel);
    await refuseUnusable(config);
    if (config.tracing !== undefined) {
      // Large, so it is loaded only if tracing is configured (docs/decisions/0038-seen-from-outside.md).
      const { startTracing } = await import('#server/observability/tracing.ts');
      closers.push(await startTracing(config.tracing, log));
    }
    const opened = await openPlatform(config, log, onLost, {
      prepare: (owner) => prepareDatabase(owner, log),
    });
    closers.push(opened.close);
    closers.push(await joinInstallation(opened.platform, onLost));
    const { platform, phones, stop: stopProviders } = await playProviders(opened.platform);
    closers.push(stopProviders);
    await reportInForce(platform);
    warnOfProxy(config, log);
    await reportEnforcement(platform);
    if (config.previousSecretKey !== undefined) await reseal(platform);
    if (config.production && config.auditWitness === undefined) {
      log.warn('no AUDIT_WITNESS is set: nobody can prove that the newest log entries were deleted');
    }
    const seeded = config.seed && (await seedDemonstration(platform));
    // Anchors the events of a killed server that it left without an anchor, before the log continues.
    await anchorAudit(platform);
    const drain = new Drain();
    const app = await createApp(platform, drain);
    // Queues must exist before the first request that sends a message.
    const jobs = await startBackgroundWork(platform);
    closers.push(() => jobs.stop());
    closers.push(() => drain.leave(app, config.drainMs));
    const address = await listen(app, config);
    return { log, platform, address, phones, seeded, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Prepares the database, which only the owner of the tables may do. */
async function prepareDatabase({ db, pool }: OpenDatabase, log: Log): Promise<void> {
  const { newer, differences } = await migrate(db);
  const others = [...differences.altered, ...differences.added];
  if (newer.length > 0) {
    log.warn(
      { version: appVersion, migrations: newer },
      'the database is newer than this version. It still works; upgrade this server soon',
    );
  } else if (others.length > 0) {
    log.warn(
      { altered: differences.altered, added: differences.added },
      `the database's schema is not as this version makes it (${nameParts(others)}): somebody changed it by hand. Look at docs/upgrading.md`,
    );
  }
  await prepareJobs(pool, queues);
}

/**
 * Warns of two mistakes: if any proxy is trusted, everybody else who reaches the port can forge its headers; if none is
 * named, all callers seem to have one address and share its limits.
 */
export function warnOfProxy(config: Config, log: Log): void {
  const { trustProxy, host, port } = config;
  if (trustProxy === false && isHttps(config)) {
    log.warn(
      'PUBLIC_URL is https but TRUST_PROXY is not set: all users share one address limit. Set TRUST_PROXY to the number of proxies or their addresses',
    );
  }
  if (trustProxy === false || typeof trustProxy === 'string' || isLoopbackName(host)) return;
  log.warn(
    { host, port },
    'TRUST_PROXY believes everybody who connects, and the port is open to other machines: set HOST=127.0.0.1 where the proxy is on this machine, else name its addresses in TRUST_PROXY and let a firewall admit it alone',
  );
}

/**
 * Seals second factors again under the current secret. Once all can be read and none needs resealing, the previous
 * secret can be dropped.
 */
async function reseal(platform: Platform): Promise<void> {
  const { resealed, unreadable } = await resealSecondFactors(platform);
  platform.log[unreadable === 0 ? 'info' : 'warn'](
    { resealed, unreadable },
    'resealed second factors with the current secret',
  );
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  } catch (error) {
    const code = codeOf(error);
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
