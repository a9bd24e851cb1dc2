import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { normalizePassword } from '#contract/accounts/password.ts';
import { FairSemaphore, type Turns } from '#server/machine/fair-semaphore.ts';

/**
 * `known`: callers with a session, or with a device from which the person has logged in before. `strangers`: everyone
 * else.
 */
export type PasswordQueue = 'known' | 'strangers';

/** A call's place in line. The key is a person, a device or an address; the signal ends the wait. */
export interface PasswordPlace {
  readonly queue: PasswordQueue;
  readonly key: string;
  readonly signal?: AbortSignal;
}

/** `outdated`: right, but the hash is of the password as typed, from before we normalised passwords. */
export type PasswordMatch = 'right' | 'outdated' | 'wrong';

/** Hashes and checks passwords with Argon2id. */
export interface Passwords {
  /** The hash of a password, which is normalised first. */
  hash(password: string): Promise<string>;
  /**
   * Compares a typed password with a hash. For a wrong password, the number of Argon2id runs depends only on what was
   * typed, so it is the same without a hash, which never matches.
   */
  compare(hashed: string | undefined, typed: string): Promise<PasswordMatch>;
  /**
   * Runs a whole call that hashes a password when its key's turn in the queue comes. A flood of one key waits behind
   * itself before any query, and strangers never delay the known queue. Throws UNAVAILABLE if too many wait, and the
   * signal's reason if it aborts before the turn comes.
   */
  inLine<Result>(place: PasswordPlace, call: () => Promise<Result>): Promise<Result>;
  /** The state of the queues. */
  turns(): Readonly<Record<PasswordQueue, Turns>>;
}

/** 19 MiB, 2 passes and 1 lane of Argon2id, the library's default algorithm: OWASP's recommendation. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The cost of a hash: the server's own, except in tests that log in thousands of times. */
export type PasswordCost = Readonly<Required<Pick<Options, 'memoryCost' | 'timeCost' | 'parallelism'>>>;

/** Node's worker threads, which file reads share. */
const WORKER_THREADS = 4;
/** Additional calls in each queue, which are busy with the database while others hash. */
const CALLS_BESIDE_HASHING = 1;
/**
 * The number of connections that one network may have (http/http-server.ts): its honest logins wait behind its flood.
 */
const CALLS_WAITING = 500;

/**
 * Creates the password service. It runs at most cores - 1 hashes at once, because otherwise a flood of logins would
 * starve every other route (docs/decisions/0021-load.md).
 */
export async function createPasswords(
  cores: number = availableParallelism(),
  cost: PasswordCost = COST,
): Promise<Passwords> {
  const hashes = Math.max(1, Math.min(cores, WORKER_THREADS) - 1);
  // Only a few wait here, from both queues alike, so first come, first served is fair.
  const hashing = new FairSemaphore({ atOnce: hashes, waiting: Number.POSITIVE_INFINITY });
  const limits = { atOnce: hashes + CALLS_BESIDE_HASHING, atOnceEach: hashes, waiting: CALLS_WAITING };
  const queues = { known: new FairSemaphore(limits), strangers: new FairSemaphore(limits) };
  const nobody = await hash('nobody has this password', cost);
  return {
    hash: (password) => hashing.run('', () => hash(normalizePassword(password), cost)),
    compare: async (hashed, typed) => {
      const fits = async (password: string) =>
        (await hashing.run('', () => verify(hashed ?? nobody, password))) && hashed !== undefined;
      const normalized = normalizePassword(typed);
      if (await fits(normalized)) return 'right';
      return typed !== normalized && (await fits(typed)) ? 'outdated' : 'wrong';
    },
    inLine: ({ queue, key, signal }, call) => queues[queue].run(key, call, signal),
    turns: () => ({ known: queues.known.turns, strangers: queues.strangers.turns }),
  };
}
