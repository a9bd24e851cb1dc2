import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/db/database.ts';
import type { RetryingPool } from '#server/db/retrying-pool.ts';
import type { FileStore } from '#server/files/files.ts';
import type { FileReaders } from '#server/files/sanitizing/readers.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import type { Clock } from '#server/machine/clock.ts';
import type { Log } from '#server/observability/logging.ts';
import type { Letters } from '#server/pdf/letters.ts';
import type { Rails } from '#server/rails/open-rails.ts';
import type { Passwords } from '#server/secrets/passwords.ts';
import type { Sealer } from '#server/secrets/sealer.ts';

/** The services that the server is built on, passed in so that tests can replace them. */
export interface Platform {
  readonly config: Config;
  readonly db: Database;
  /** The pool under `db`, for libraries that run their own SQL. */
  readonly pool: RetryingPool;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly readers: FileReaders;
  readonly letters: Letters;
  readonly passwords: Passwords;
  readonly sealer: Sealer;
  readonly log: Log;
  /** The outcomes of background jobs in this process, for `/metrics`. */
  readonly jobs: Jobs;
  /** The providers that move money for us. */
  readonly rails: Rails;
}
