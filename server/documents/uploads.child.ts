import { join } from 'node:path';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/platform/config.ts';
import { openDatabase } from '#server/platform/database.ts';
import { openFileStore } from '#server/platform/files.ts';
import { openFileReaders } from '#server/platform/harmless-files/readers.ts';
import { JobOutcomes } from '#server/platform/jobs.ts';
import { openLetters } from '#server/platform/letters/letters.ts';
import { createLog } from '#server/platform/logging.ts';
import { createPasswords } from '#server/platform/passwords.ts';
import { createSealer } from '#server/platform/sealer.ts';

/**
 * A server beside the test's own, on its database and its files, for tests that kill it: argv holds host, port, user,
 * database, secret and the instant at which its clock stands; the environment its settings. It says its port.
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
  jobs: new JobOutcomes(),
});
console.log(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
