/** Collects things as they arrive, for a test to wait for. */
export class Gathering<T> {
  readonly all: T[] = [];
  readonly #waiting = new Set<() => void>();

  add(thing: T): void {
    this.all.push(thing);
    for (const look of this.#waiting) look();
  }

  /** Resolves once this many have arrived. */
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
