const works = new Set<() => unknown>();

/**
 * Does work at the end of each test file from now on: for a module that is shared by the files of a worker, whose own
 * `afterAll` would be the first file's alone.
 */
export function atFileEnd(work: () => unknown): void {
  works.add(work);
}

/** Called at the end of each test file (scripts/put-back.ts). */
export async function endFile(): Promise<void> {
  for (const work of works) await work();
}
