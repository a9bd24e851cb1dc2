import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Turnstile } from '#server/platform/turnstile.ts';

/** Hashes and checks passwords with Argon2id. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether the password belongs to the hash. Without a hash it takes the same time and answers false. */
  matches(hashed: string | undefined, password: string): Promise<boolean>;
  /**
   * Runs a whole call that anybody may make and that hashes a password. A flood of them waits here, before it asks
   * anything of the database; throws UNAVAILABLE when as many wait as are worked off within a few seconds.
   */
  inLine<Answer>(call: () => Promise<Answer>): Promise<Answer>;
}

/** 19 MiB, 2 passes, 1 lane of Argon2id, which is the library's default algorithm: what OWASP recommends. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Node's worker threads; files are read on them too. */
const WORKER_THREADS = 4;
/** Besides those that hash: they are at the database. */
const CALLS_BESIDE_HASHING = 2;
const CALLS_WAITING = 100;

/** At most cores - 1 hashes at once, or a flood of logins starves every other route (docs/decisions/0021-load.md). */
export async function createPasswords(cores: number = availableParallelism()): Promise<Passwords> {
  const hashes = Math.max(1, Math.min(cores, WORKER_THREADS) - 1);
  const hashing = new Turnstile(hashes, Number.POSITIVE_INFINITY);
  const calls = new Turnstile(hashes + CALLS_BESIDE_HASHING, CALLS_WAITING);
  const nobody = await hash('nobody has this password', parameters);
  return {
    hash: (password) => hashing.pass(() => hash(password, parameters)),
    matches: async (hashed, password) => {
      const matched = await hashing.pass(() => verify(hashed ?? nobody, password));
      return matched && hashed !== undefined;
    },
    inLine: (call) => calls.pass(call),
  };
}
