import { performance } from 'node:perf_hooks';

/** The source of time for every rule; a test holds it still. */
export interface Clock {
  now(): Date;
}

/**
 * The database's time, so that several servers agree and a wrong clock on one machine changes nothing: read by
 * `askDatabase` and carried on by the machine's monotonic clock. `synchronise` reads it again.
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
