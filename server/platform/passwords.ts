import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** Hashes and checks passwords with Argon2id. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether the password belongs to the hash. Without a hash it takes the same time and answers false. */
  matches(hashed: string | undefined, password: string): Promise<boolean>;
}

/** 19 MiB, 2 passes, 1 lane of Argon2id, which is the library's default algorithm: what OWASP recommends. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** At most cores - 1 hashes at once, or a flood of logins starves every other route (docs of the stack; measured). */
export async function createPasswords(): Promise<Passwords> {
  const inTurn = limitConcurrency(Math.max(1, availableParallelism() - 1));
  const nobody = await hash('nobody has this password', parameters);
  return {
    hash: (password) => inTurn(() => hash(password, parameters)),
    matches: async (hashed, password) => {
      const matched = await inTurn(() => verify(hashed ?? nobody, password));
      return matched && hashed !== undefined;
    },
  };
}

function limitConcurrency(limit: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
