import { randomInt } from 'node:crypto';
import { AppError } from '#server/platform/app-error.ts';

/** Spread, or those who were refused would all be back at once. */
const RETRY_AFTER_SECONDS = { from: 2, to: 6 } as const;

/** Lets so many through at once; of those who come meanwhile so many wait, first come, first served. */
export class Turnstile {
  readonly #atOnce: number;
  readonly #mayWait: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(atOnce: number, mayWait: number) {
    this.#atOnce = atOnce;
    this.#mayWait = mayWait;
  }

  /** Throws UNAVAILABLE where too many wait already. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside < this.#atOnce) this.#inside += 1;
    else await this.#queue();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside -= 1;
      else next();
    }
  }

  #queue(): Promise<void> {
    if (this.#waiting.length >= this.#mayWait) {
      const { from, to } = RETRY_AFTER_SECONDS;
      throw new AppError('UNAVAILABLE', { retryAfterSeconds: randomInt(from, to + 1) });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
