import { performance } from 'node:perf_hooks';

/** The source of time for every rule. Tests can stop it. */
export interface Clock {
  now(): Date;
}

/**
 * The database's time, so that several servers agree and a wrong clock on one machine does no harm. It is read by
 * `askDatabase`, and advanced by the machine's monotonic clock. `synchronise` reads it again.
 */
export interface DatabaseClock extends Clock {
  synchronise(): Promise<void>;
}

/** Starts a {@link DatabaseClock}; `askDatabase` returns the database's time in milliseconds since 1970. */
export async function databaseClock(askDatabase: () => Promise<number>): Promise<DatabaseClock> {
  let offsetMs = 0;
  const synchronise = async (): Promise<void> => {
    const before = performance.now();
    const databaseMs = await askDatabase();
    offsetMs = databaseMs - (before + performance.now()) / 2;
  };
  await synchronise();
  return { now: () => new Date(offsetMs + performance.now()), synchronise };
}
