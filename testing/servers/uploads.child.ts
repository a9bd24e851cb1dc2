import { join } from 'node:path';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { openDatabase } from '#server/db/database.ts';
import { openFileStore } from '#server/files/files.ts';
import { openFileReaders } from '#server/files/sanitizing/readers.ts';
import { Jobs } from '#server/jobs/jobs.ts';
import { createLog } from '#server/observability/logging.ts';
import { openLetters } from '#server/pdf/letters.ts';
import { noRails } from '#server/rails/open-rails.ts';
import { createPasswords } from '#server/secrets/passwords.ts';
import { createSealer } from '#server/secrets/sealer.ts';

/**
 * A second server on the test's database and files, for tests that kill it. argv has host, port, user, database, secret
 * and the fixed time; the environment has its settings. It prints its port.
 */
const [, , host = '', port = '', user = '', database = '', secret = '', instant = ''] = process.argv;
const { db, pool } = openDatabase({ host, port: Number(port), user, database }, () => undefined);
const config = readConfig(process.env);
const files = await openFileStore(config.storageUrl, join(config.dataDir, 'documents'));
const log = createLog(config.logLevel);
const app = await createApp({
  config,
  db,
  pool,
  clock: { now: () => new Date(instant) },
  files,
  readers: openFileReaders(files, log),
  letters: openLetters(log),
  passwords: await createPasswords(),
  sealer: createSealer(secret),
  log,
  jobs: new Jobs(pool),
  rails: noRails,
});
console.log(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
