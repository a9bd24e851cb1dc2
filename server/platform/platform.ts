import type { Clock } from '#server/platform/clock.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/database.ts';
import type { FileStore } from '#server/platform/files.ts';
import type { FileReaders } from '#server/platform/harmless-files/readers.ts';
import type { JobOutcomes } from '#server/platform/jobs.ts';
import type { Letters } from '#server/platform/letters/letters.ts';
import type { Log } from '#server/platform/logging.ts';
import type { Passwords } from '#server/platform/passwords.ts';
import type { PatientPool } from '#server/platform/patient-pool.ts';
import type { Sealer } from '#server/platform/sealer.ts';

/** What the server stands on, passed in so that a test can hold any of it still. */
export interface Platform {
  readonly config: Config;
  readonly db: Database;
  /** The pool under `db`, for libraries that bring their own SQL. */
  readonly pool: PatientPool;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly readers: FileReaders;
  readonly letters: Letters;
  readonly passwords: Passwords;
  readonly sealer: Sealer;
  readonly log: Log;
  /** What became of background jobs in this process, for `/metrics`. */
  readonly jobs: JobOutcomes;
}
