/** The breaker opens after five transfers in a row without an answer. */
const OPEN_AFTER = 5;
/** While it is open one call in so long finds out whether the provider is back. */
const PROBE_EVERY_MS = 10_000;

/**
 * Whether a provider answers, as far as this process knows. While it does not, its transfers wait without calling it: each
 * call would hold a worker for as long as a provider may take, and the other providers' transfers behind it.
 */
export class CircuitBreaker {
  /** The transfers without an answer since the last one that had one. */
  readonly #unanswered = new Set<string>();
  #probeAt = Number.NEGATIVE_INFINITY;

  get isOpen(): boolean {
    return this.#unanswered.size >= OPEN_AFTER;
  }

  /** Whether the provider may be called now; while the breaker is open this call is the one that finds out. */
  allows(now: Date): boolean {
    if (!this.isOpen) return true;
    if (now.getTime() < this.#probeAt) return false;
    this.#probeAt = now.getTime() + PROBE_EVERY_MS;
    return true;
  }

  recordAnswer(): void {
    this.#unanswered.clear();
  }

  /** An exchange about a transfer of which nothing was learnt. */
  recordSilence(tag: string): void {
    if (!this.isOpen) this.#unanswered.add(tag);
  }
}
