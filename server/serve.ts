import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import closeWithGrace from 'close-with-grace';
import { type Config, ConfigError, readConfig } from '#server/config/config.ts';
import { readEnvFile } from '#server/config/env-file.ts';
import { forgottenEnvironment } from '#server/config/forgotten-environment.ts';
import { StartError } from '#server/db/connect/connect.ts';
import { demonstrationLogins } from '#server/demonstration/people.ts';
import { captureProcess, releaseErrors, say } from '#server/observability/process-log.ts';
import { IN_FLIGHT_MS } from '#server/traffic/drain.ts';
import { type RunningServer, startServer } from './start.ts';

/** Serves until a signal asks it to stop; what keeps it from starting is one sentence and exit code 1. */

/** For the jobs in hand and the database, once the last request has been answered. */
const STOP_WITHIN_MS = 15_000;
/** After the start, before anybody comes to a server that was put behind its proxy just now. */
const SETTLED_MS = 500;

try {
  readEnvFile(process.argv.slice(2));
  captureProcess(); // the file may say that this is production
  // Tests alone go without what holds back guesses.
  if (process.env.NODE_ENV === 'test') throw new ConfigError('NODE_ENV must be development or production.');
  const config = readConfig(process.env);
  const forgotten = forgottenEnvironment(process.env);
  if (forgotten !== undefined) say('warn', forgotten);
  const grace = { close: (): void => process.exit(1), isLost: false };
  const server = await startServer(config, (error) => {
    say('fatal', `Kasente stops: ${error.message}`);
    grace.isLost = true;
    grace.close();
  });
  grace.close = closeWithGrace(
    { delay: config.drainMs + IN_FLIGHT_MS + STOP_WITHIN_MS, logger: server.log },
    async ({ signal, err }) => {
      const began = performance.now();
      if (err !== undefined) server.log.fatal({ err }, 'stopping after an error nobody caught');
      server.log.info({ signal, isLost: grace.isLost }, 'Kasente is stopping');
      await server.stop().finally(() => {
        server.log.info({ seconds: Math.round((performance.now() - began) / 100) / 10 }, 'Kasente has stopped');
        // Not 0, which close-with-grace would say: a service manager starts again what failed.
        if (grace.isLost) process.exit(1);
      });
    },
  ).close;
  releaseErrors();
  say('info', greeting(config, server));
  setTimeout(collectGarbage, SETTLED_MS).unref();
} catch (error) {
  const isKnown = error instanceof ConfigError || error instanceof StartError;
  if (isKnown) say('fatal', `Kasente did not start: ${error.message}`);
  else say('fatal', 'Kasente did not start', error);
  process.exit(1);
}

/** What the start has left would lie about until there is work: 30 MB of 150 (docs/decisions/0028-benches.md). */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // The last resort gives the memory back to the system, too.
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' });
}

/** Where to go and, in a demonstration, who may log in; in production one line. */
function greeting(config: Config, server: RunningServer): string {
  const where = `Kasente runs at ${config.publicUrl ?? server.address}`;
  if (config.production) return where;
  const lines = [where];
  if (config.seed) {
    lines.push('Log in as one of (the password of each is Kasente-demo-1):');
    lines.push(...demonstrationLogins.map(({ username, who }) => `  ${username.padEnd(20)} ${who}`));
  }
  if (config.demonstrationForOthers)
    lines.push('Everybody who reaches this demonstration can log in with these. No messages are shown.');
  else lines.push(`Emails and text messages are shown at ${server.address}/dev/messages`);
  return `\n${lines.join('\n')}\n`;
}
