import { dirname } from 'node:path';

const MOST_FILES = 20;

/** Folders that grow by one file per event. */
const GROWING: ReadonlySet<string> = new Set(['server/migrations', 'docs/decisions']);

/** Folders with too many files, with their number; files of subfolders do not count. */
export function crowdedFolders(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > MOST_FILES && !GROWING.has(folder))
    .map(([folder, count]) => `${folder}: ${count}`)
    .sort();
}
