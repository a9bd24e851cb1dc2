import { randomInt } from 'node:crypto';
import { AppError } from '#server/calls/app-error.ts';

export interface SemaphoreLimits {
  /** The most work that runs at once. */
  readonly atOnce: number;
  /** The most work of one key that runs at once; no limit per key if absent. */
  readonly atOnceEach?: number;
  /** The most work that may wait, over all keys. */
  readonly waiting: number;
}

/** The work running and waiting now, and the number of refusals since the start. */
export interface Turns {
  readonly running: number;
  readonly waiting: number;
  readonly refused: number;
}

interface Waiter {
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * A semaphore that is fair to its keys, which are people or addresses. Waiting work takes turns by key, so that one
 * key's flood delays only that key. If too much waits, the newest work is refused. But if its key has at most half as
 * much waiting as another key, the newest work of that other key is refused instead (docs/decisions/0021-load.md).
 */
export class FairSemaphore {
  readonly #limits: Required<SemaphoreLimits>;
  readonly #onRefusal: () => void;
  readonly #running = new Map<string, number>();
  /** Keys in turn order, with their waiting work. */
  readonly #waiting = new Map<string, Waiter[]>();
  #runningInAll = 0;
  #waitingInAll = 0;
  #refusedInAll = 0;

  /** `onRefusal` is called for each refusal. */
  constructor(limits: SemaphoreLimits, onRefusal: () => void = () => undefined) {
    this.#limits = { ...limits, atOnceEach: limits.atOnceEach ?? limits.atOnce };
    this.#onRefusal = onRefusal;
  }

  get turns(): Turns {
    return { running: this.#runningInAll, waiting: this.#waitingInAll, refused: this.#refusedInAll };
  }

  /**
   * Runs the work in its key's turn, and returns its result. Throws UNAVAILABLE if too much waits, and the signal's
   * reason if it aborts before the turn comes.
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#mayStart(key)) this.#count(key, 1);
    else await this.#wait(key, signal);
    try {
      return await work();
    } finally {
      this.#count(key, -1);
      this.#startNext();
    }
  }

  /** Whether more work of this key would be accepted now, even if it has to wait. */
  hasRoomFor(key: string): boolean {
    if (this.#mayStart(key) || this.#waitingInAll < this.#limits.waiting) return true;
    // Only if the shares are far from even: refusing accepted work costs more than refusing it on arrival.
    return 2 * (this.#waitingOf(key) + 1) <= this.#waitingOf(this.#longest());
  }

  #mayStart(key: string): boolean {
    return this.#runningInAll < this.#limits.atOnce && (this.#running.get(key) ?? 0) < this.#limits.atOnceEach;
  }

  #count(key: string, one: 1 | -1): void {
    const running = (this.#running.get(key) ?? 0) + one;
    if (running === 0) this.#running.delete(key);
    else this.#running.set(key, running);
    this.#runningInAll += one;
  }

  #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    if (!this.hasRoomFor(key)) throw this.#refusal();
    if (this.#waitingInAll >= this.#limits.waiting) this.#refuseNewestOf(this.#longest());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { start: resolve, refuse: reject };
    const queue = this.#waiting.get(key) ?? [];
    queue.push(waiter);
    this.#waiting.set(key, queue);
    this.#waitingInAll += 1;
    signal?.addEventListener('abort', () => this.#remove(key, waiter, signal.reason), { once: true });
    return promise;
  }

  /** Refuses a waiter, if it is still waiting. */
  #remove(key: string, waiter: Waiter, reason: unknown): void {
    const queue = this.#waiting.get(key) ?? [];
    const place = queue.indexOf(waiter);
    if (place === -1) return;
    queue.splice(place, 1);
    if (queue.length === 0) this.#waiting.delete(key);
    this.#waitingInAll -= 1;
    waiter.refuse(reason);
  }

  #startNext(): void {
    for (const [key, queue] of this.#waiting) {
      if (!this.#mayStart(key)) continue;
      const next = queue.shift();
      this.#waiting.delete(key);
      if (queue.length > 0) this.#waiting.set(key, queue); // behind the other keys
      if (next === undefined) continue;
      this.#waitingInAll -= 1;
      this.#count(key, 1);
      next.start();
      return;
    }
  }

  #waitingOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  #longest(): string {
    let longest = '';
    for (const key of this.#waiting.keys()) if (this.#waitingOf(key) > this.#waitingOf(longest)) longest = key;
    return longest;
  }

  #refuseNewestOf(key: string): void {
    const newest = this.#waiting.get(key)?.at(-1);
    if (newest !== undefined) this.#remove(key, newest, this.#refusal());
  }

  #refusal(): AppError {
    this.#refusedInAll += 1;
    this.#onRefusal();
    return new AppError('UNAVAILABLE', { retryAfterSeconds: retryAfterSeconds() });
  }
}

/** Random, so that refused callers do not all return at once. */
export function retryAfterSeconds(): number {
  return randomInt(2, 7);
}
