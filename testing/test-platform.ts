import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#server/config/config.ts';
import { openFileStore } from '#server/files/files.ts';
import { LIMITS, openFileReaders } from '#server/files/sanitizing/readers.ts';
import { Jobs } from '#server/jobs/jobs.ts';
import type { Clock } from '#server/machine/clock.ts';
import { createLog } from '#server/observability/logging.ts';
import { openLetters } from '#server/pdf/letters.ts';
import type { Platform } from '#server/platform/platform.ts';
import { noRails } from '#server/rails/open-rails.ts';
import { createPasswords, type PasswordCost } from '#server/secrets/passwords.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export const TEST_SECRET = 'a secret for tests alone, as long as they must be';

/** The lowest cost that Argon2id allows: hashing at the server's cost took a seventh of all tests' time. */
const PASSWORD_COST: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * A limit only for hangs: on a busy machine, or if a test delays a reader, a file takes longer than a server allows.
 */
const READING_MS = 300_000;

/** A clock that stops until it is advanced. */
export interface HeldClock extends Clock {
  advance(seconds: number): void;
}

/** Friday 20 November 2026, 12:00 in Kampala: the time at which every test begins. */
const START = new Date('2026-11-20T09:00:00Z');

function heldClock(): HeldClock {
  let now = START;
  return {
    now: () => now,
    advance: (seconds) => {
      now = new Date(now.getTime() + seconds * 1000);
    },
  };
}

/** Sets the clock back to where every test begins, for tests that share a server. */
export function resetClock(clock: HeldClock): void {
  clock.advance((START.getTime() - clock.now().getTime()) / 1000);
}

/** The platform with its own database and folder, for tests without HTTP. */
export interface TestPlatform {
  readonly platform: Platform;
  readonly clock: HeldClock;
  readonly database: TestDatabase;
  close(): Promise<void>;
}

/** Most tests need repayments but not the rule about two officers, which proposals/receipts.test.ts covers. */
const ONE_OFFICER_RECORDS = { RECEIPTS_ALONE_UP_TO: 'UGX:999999999999,USD:999999999999' };

/** Starts a {@link TestPlatform}. Settings are environment variables, as in production. */
export async function createTestPlatform(env: Record<string, string> = {}): Promise<TestPlatform> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-files-'));
  const database = await createTestDatabase();
  const clock = heldClock();
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    ...ONE_OFFICER_RECORDS,
    ...env,
  });
  const log = createLog(config.logLevel);
  const files = await openFileStore(config.storageUrl, join(folder, 'documents'));
  const readers = openFileReaders(files, log, { ...LIMITS, milliseconds: READING_MS });
  const letters = openLetters(log);
  const platform: Platform = {
    config,
    db: database.db,
    pool: database.pool,
    clock,
    files,
    readers,
    letters,
    passwords: await createPasswords(availableParallelism(), PASSWORD_COST),
    sealer: createSealer(TEST_SECRET),
    log,
    jobs: new Jobs(database.pool),
    rails: noRails,
  };
  return {
    platform,
    clock,
    database,
    close: async () => {
      readers.close();
      await letters.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A callback for errors that must not occur. */
export function unexpected(error: Error): never {
  throw error;
}
