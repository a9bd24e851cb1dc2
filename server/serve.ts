import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import closeWithGrace from 'close-with-grace';
import { type Config, ConfigError, readConfig } from '#server/config/config.ts';
import { DEMONSTRATION_PASSWORD, demonstrationLogins } from '#server/config/demonstration-people.ts';
import { readEnvFile } from '#server/config/env-file.ts';
import { forgottenEnvironment } from '#server/config/forgotten-environment.ts';
import { StartError } from '#server/installation/connect.ts';
import { captureProcess, releaseErrors, say } from '#server/observability/process-log.ts';
import { findRailKinds } from '#server/rails/open-rails.ts';
import { IN_FLIGHT_MS } from '#server/traffic/drain.ts';
import { type RunningServer, startServer } from './start.ts';

/** Serves until a signal arrives. If the server cannot start, prints one sentence and exits with code 1. */

/** The time for running jobs and the database to stop, after the last request. */
const STOP_WITHIN_MS = 15_000;
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT'] as const;
/** On Ctrl-C in a terminal, the system and npm each send a signal; those within this time count as one. */
const ONE_SIGNAL_MS = 1_000;
/** The wait after the start, before a server that was just added to its proxy gets requests. */
const SETTLED_MS = 500;

try {
  readEnvFile(process.argv.slice(2));
  captureProcess(); // only now, because the file may set NODE_ENV to production
  // Only tests run without the limits on guessing.
  if (process.env.NODE_ENV === 'test') throw new ConfigError('NODE_ENV must be development or production.');
  const config = readConfig(process.env, await findRailKinds());
  const forgotten = forgottenEnvironment(process.env);
  if (forgotten !== undefined) say('warn', forgotten);
  const grace = { close: (): void => process.exit(1), isLost: false };
  const server = await startServer(config, (error) => {
    say('fatal', `Kasente stops: ${error.message}`);
    grace.isLost = true;
    grace.close();
  });
  let signal: NodeJS.Signals | undefined;
  grace.close = closeWithGrace(
    { delay: config.drainMs + IN_FLIGHT_MS + STOP_WITHIN_MS, logger: server.log, skip: [...SIGNALS] },
    async ({ err }) => {
      const began = performance.now();
      if (err !== undefined) server.log.fatal({ err }, 'stopping after an error nobody caught');
      server.log.info({ signal, isLost: grace.isLost }, 'Kasente is stopping');
      await server.stop().finally(() => {
        server.log.info({ seconds: Math.round((performance.now() - began) / 100) / 10 }, 'Kasente has stopped');
        // Not 0, which close-with-grace would use: a service manager restarts only a failed service.
        if (grace.isLost) process.exit(1);
      });
    },
  ).close;
  onSignal(server.log, (received) => {
    signal = received;
    grace.close();
  });
  releaseErrors();
  say('info', greeting(config, server));
  setTimeout(collectGarbage, SETTLED_MS).unref();
} catch (error) {
  const isKnown = error instanceof ConfigError || error instanceof StartError;
  if (isKnown) say('fatal', `Kasente did not start: ${error.message}`);
  else say('fatal', 'Kasente did not start', error);
  process.exit(1);
}

/** Stops at the first signal. A later signal ends the process at once. */
function onSignal(log: RunningServer['log'], stop: (signal: NodeJS.Signals) => void): void {
  let first: number | undefined;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (first === undefined) {
        first = performance.now();
        stop(signal);
      } else if (performance.now() - first > ONE_SIGNAL_MS) {
        log.error(`second ${signal}, exiting`);
        process.exit(1);
      }
    });
  }
}

/**
 * Collects the garbage of the start, which would otherwise stay until there is work: 30 MB of 150
 * (docs/decisions/0028-benches.md).
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // The last-resort collection also returns memory to the operating system.
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' });
}

/** The address and, in a demonstration, the logins; in production only one line. */
function greeting(config: Config, server: RunningServer): string {
  const where = `Kasente runs at ${config.publicUrl ?? server.address}`;
  if (config.production) return where;
  const lines = [where];
  if (config.seed) {
    lines.push(`Log in as one of (the password of each is ${DEMONSTRATION_PASSWORD}):`);
    lines.push(...demonstrationLogins.map(({ username, who }) => `  ${username.padEnd(20)} ${who}`));
  }
  if (config.demonstrationForOthers)
    lines.push('Everybody who reaches this demonstration can log in with these. No messages are shown.');
  else lines.push(`Emails and text messages are shown at ${server.address}/dev/messages`);
  if (server.phones.length > 0)
    lines.push(`MTN and Airtel are played by simulators; their phones are at ${server.phones.join(' and ')}`);
  return `\n${lines.join('\n')}\n`;
}
