import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { normalizePassword } from '#contract/accounts/password.ts';
import { FairSemaphore, type Turns } from '#server/machine/fair-semaphore.ts';

/** `known`: a session, or a device that the person has logged in from. `strangers`: everyone else. */
export type PasswordQueue = 'known' | 'strangers';

/** A call's place in line. The key is a person, a device or an address; the signal ends the wait. */
export interface PasswordPlace {
  readonly queue: PasswordQueue;
  readonly key: string;
  readonly signal?: AbortSignal;
}

/** `outdated`: right, but the hash is of the password as typed, from before passwords were normalised. */
export type PasswordMatch = 'right' | 'outdated' | 'wrong';

/** Hashes and checks passwords with Argon2id. */
export interface Passwords {
  /** The hash of the normalised password. */
  hash(password: string): Promise<string>;
  /**
   * Compares a typed password with a hash. How often it runs Argon2id for a wrong password depends only on what was
   * typed: the same without a hash, which matches nothing.
   */
  compare(hashed: string | undefined, typed: string): Promise<PasswordMatch>;
  /**
   * Runs a whole call that hashes a password when its key's turn in the queue comes: a flood of one key waits behind
   * itself, before any query, and strangers never delay the known queue. Throws UNAVAILABLE if too many wait, and the
   * signal's reason if it aborts first.
   */
  inLine<Result>(place: PasswordPlace, call: () => Promise<Result>): Promise<Result>;
  /** The state of the queues. */
  turns(): Readonly<Record<PasswordQueue, Turns>>;
}

/** 19 MiB, 2 passes, 1 lane of Argon2id, which is the library's default algorithm: what OWASP recommends. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The cost of a hash: the server's own, except in tests that log in thousands of times. */
export type PasswordCost = Readonly<Required<Pick<Options, 'memoryCost' | 'timeCost' | 'parallelism'>>>;

/** Node's worker threads, which also read files. */
const WORKER_THREADS = 4;
/** Additional calls in each queue, which are at the database. */
const CALLS_BESIDE_HASHING = 1;
/** As many as one network may have connections (http/http-server.ts): its honest logins wait behind its flood. */
const CALLS_WAITING = 500;

/** At most cores - 1 hashes at once, or a flood of logins starves every other route (docs/decisions/0021-load.md). */
export async function createPasswords(
  cores: number = availableParallelism(),
  cost: PasswordCost = COST,
): Promise<Passwords> {
  const hashes = Math.max(1, Math.min(cores, WORKER_THREADS) - 1);
  // Few wait here, from both queues alike, so first come, first served is fair.
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
