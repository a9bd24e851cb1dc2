/** Collects items as they arrive, so that a test can wait for them. */
export class Gathering<T> {
  readonly all: T[] = [];
  readonly #waiting = new Set<() => void>();

  add(thing: T): void {
    this.all.push(thing);
    for (const look of this.#waiting) look();
  }

  /** Resolves when this many have arrived. */
  reached(count: number): Promise<readonly T[]> {
    const { promise, resolve } = Promise.withResolvers<readonly T[]>();
    const look = (): void => {
      if (this.all.length < count) return;
      this.#waiting.delete(look);
      resolve(this.all);
    };
    this.#waiting.add(look);
    look();
    return promise;
  }
}
