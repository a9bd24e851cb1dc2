const works = new Set<() => unknown>();

/**
 * Runs work at the end of each test file from now on. For a module that a worker's files share: its own `afterAll`
 * would run only for the first file.
 */
export function atFileEnd(work: () => unknown): void {
  works.add(work);
}

/** Runs work at the end of the current test file, once. */
export function onceAtFileEnd(work: () => unknown): void {
  const once = async (): Promise<void> => {
    works.delete(once);
    await work();
  };
  works.add(once);
}

/** Called at the end of each test file (scripts/put-back.ts). */
export async function endFile(): Promise<void> {
  for (const work of works) await work();
}
