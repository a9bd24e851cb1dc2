import { join } from 'node:path';
import { readConfig } from '#server/config/config.ts';
import { databaseTime, openDatabase } from '#server/db/database.ts';
import { openFileStore } from '#server/files/files.ts';
import { openFileReaders } from '#server/files/sanitizing/readers.ts';
import { Jobs, startJobs } from '#server/jobs/jobs.ts';
import { databaseClock } from '#server/machine/clock.ts';
import { createLog } from '#server/observability/logging.ts';
import { openLetters } from '#server/pdf/letters.ts';
import { noRails } from '#server/rails/open-rails.ts';
import { createPasswords } from '#server/secrets/passwords.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { messageQueues, messageWorkers } from './messages.jobs.ts';

/**
 * A server that only sends messages, for tests that kill it. argv holds host, port, user, database and secret; the
 * environment holds the settings.
 */
const [, , host = '', port = '', user = '', database = '', secret = ''] = process.argv;
const { db, pool } = openDatabase({ host, port: Number(port), user, database }, () => undefined);
const config = readConfig(process.env);
const files = await openFileStore(config.storageUrl, join(config.dataDir, 'documents'));
const log = createLog(config.logLevel);
const platform = {
  config,
  db,
  pool,
  clock: await databaseClock(() => databaseTime(db)),
  files,
  readers: openFileReaders(files, log),
  letters: openLetters(log),
  passwords: await createPasswords(),
  sealer: createSealer(secret),
  log,
  jobs: new Jobs(pool),
  rails: noRails,
};
await startJobs(platform, { queues: messageQueues, workers: messageWorkers(platform), sweeps: {} });
