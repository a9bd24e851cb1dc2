/** A simulator's time: the machine's, until a test holds it and moves it by hand. It never goes back. */
export class Clock {
  #offsetMs = 0;
  #held: number | undefined;

  /** Milliseconds since 1970. */
  now(): number {
    return this.#held ?? Date.now() + this.#offsetMs;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Stops the time, or lets it run from where it is. */
  hold(held: boolean): void {
    const now = this.now();
    this.#held = held ? now : undefined;
    this.#offsetMs = now - Date.now();
  }

  advance(seconds: number): void {
    if (this.#held === undefined) this.#offsetMs += seconds * 1000;
    else this.#held += seconds * 1000;
  }

  /** Recorded events are not in the future: a restarted simulator takes its time from its book. */
  notBefore(time: number): void {
    const behind = time - this.now();
    if (behind > 0) this.advance(behind / 1000);
  }
}

const UGANDA_MS = 3 * 3_600_000;

/** The date in Uganda, which has no summer time. */
export function ugandanDate(time: number): string {
  return new Date(time + UGANDA_MS).toISOString().slice(0, 10);
}

/** Date and time of day in Uganda, to the second: '2026-11-23 14:05:09'. */
export function ugandanTime(time: number): string {
  return new Date(time + UGANDA_MS).toISOString().slice(0, 19).replace('T', ' ');
}
