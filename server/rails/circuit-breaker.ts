/** The breaker opens after five different transfers in a row without an answer. */
const OPEN_AFTER = 5;
/** While the breaker is open, one call per interval probes whether the provider is back. */
const PROBE_EVERY_MS = 10_000;

/**
 * Tracks whether a provider answers, as seen by this process. While it does not, its transfers wait without a call:
 * each call would occupy a worker until the timeout, and delay other providers' transfers.
 */
export class CircuitBreaker {
  /** The transfers without an answer since the provider last answered. */
  readonly #unanswered = new Set<string>();
  #probeAt = Number.NEGATIVE_INFINITY;

  get isOpen(): boolean {
    return this.#unanswered.size >= OPEN_AFTER;
  }

  /** Whether the provider may be called now; while the breaker is open, that call is the probe. */
  allows(now: Date): boolean {
    if (!this.isOpen) return true;
    if (now.getTime() < this.#probeAt) return false;
    this.#probeAt = now.getTime() + PROBE_EVERY_MS;
    return true;
  }

  recordAnswer(): void {
    this.#unanswered.clear();
  }

  /** Counts an exchange without a result. */
  recordSilence(tag: string): void {
    if (!this.isOpen) this.#unanswered.add(tag);
  }
}
