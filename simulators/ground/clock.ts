/** A simulator's time: the machine's until a test holds and advances it. It never goes back. */
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

  /** Stops the time, or resumes it. */
  hold(held: boolean): void {
    const now = this.now();
    this.#held = held ? now : undefined;
    this.#offsetMs = now - Date.now();
  }

  advance(seconds: number): void {
    if (this.#held === undefined) this.#offsetMs += seconds * 1000;
    else this.#held += seconds * 1000;
  }

  /** Advances to a recorded time, because a restarted simulator must not be earlier than its book. */
  notBefore(time: number): void {
    const behind = time - this.now();
    if (behind > 0) this.advance(behind / 1000);
  }
}

const UGANDA_MS = 3 * 3_600_000;

/** The date in Uganda, which has no daylight saving time. */
export function ugandanDate(time: number): string {
  return new Date(time + UGANDA_MS).toISOString().slice(0, 10);
}

/** Date and time of day in Uganda, to the second: '2026-11-23 14:05:09'. */
export function ugandanTime(time: number): string {
  return new Date(time + UGANDA_MS).toISOString().slice(0, 19).replace('T', ' ');
}
