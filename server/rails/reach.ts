/** A provider counts as away after five transfers in a row without an answer. */
const AWAY_AFTER = 5;
/** While it is away one call in so long finds out whether it is back. */
const PROBE_EVERY_MS = 10_000;

/**
 * Whether a provider answers, as far as this process knows. While it does not, its transfers wait without calling it: each
 * call would hold a worker for as long as a provider may take, and the other providers' transfers behind it.
 */
export class Reach {
  /** The transfers without an answer since the last one that had one. */
  readonly #unanswered = new Set<string>();
  #probeAt = Number.NEGATIVE_INFINITY;

  get isAway(): boolean {
    return this.#unanswered.size >= AWAY_AFTER;
  }

  /** Whether it may be called now; while it is away this call is the one that finds out. */
  admits(now: Date): boolean {
    if (!this.isAway) return true;
    if (now.getTime() < this.#probeAt) return false;
    this.#probeAt = now.getTime() + PROBE_EVERY_MS;
    return true;
  }

  answered(): void {
    this.#unanswered.clear();
  }

  /** An exchange about a transfer of which nothing was learnt. */
  unanswered(tag: string): void {
    if (!this.isAway) this.#unanswered.add(tag);
  }
}
