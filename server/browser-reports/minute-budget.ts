import { MINUTE_MS } from '#contract/time/durations.ts';

/**
 * How often something may be done a minute: for each who asks, and in all. In this process's memory, and never more of it than
 * `inAll` takes, because whoever comes after that is not counted.
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

  /** Spends one of this minute's; where there is none left, spends none and gives the seconds until there is. */
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
