import { MINUTE_MS } from '#contract/time/durations.ts';

/**
 * A budget per minute: for each caller, and in total. It is kept in memory, and holds at most `inAll` callers, because
 * later ones are not counted.
 */
export class MinuteBudget {
  readonly #forEach: number;
  readonly #inAll: number;
  #minute = 0;
  #spent = 0;
  readonly #spentBy = new Map<string, number>();

  constructor(limits: { readonly forEach: number; readonly inAll: number }) {
    this.#forEach = limits.forEach;
    this.#inAll = limits.inAll;
  }

  /** Spends one unit of this minute's budget; if none is left, returns the seconds until the next minute. */
  spend(who: string, now: Date): number | undefined {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#spent = 0;
      this.#spentBy.clear();
    }
    const spentBy = this.#spentBy.get(who) ?? 0;
    if (this.#spent >= this.#inAll || spentBy >= this.#forEach)
      return ((minute + 1) * MINUTE_MS - now.getTime()) / 1000;
    this.#spent += 1;
    this.#spentBy.set(who, spentBy + 1);
    return undefined;
  }
}
