import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files that the rules check. */

export const root = join(import.meta.dirname, '../../..');

export const rooms = [
  'contract',
  'server',
  'web',
  'e2e',
  'scripts',
  'bench',
  'proof',
  'simulators',
  'testing',
] as const;

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Every file of the top-level folders, the pages and the samples. */
export const files: readonly string[] = [...rooms, 'docs', 'deploy'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);

/** Every source file of the top-level folders. */
export const sources: readonly Source[] = files
  .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Whether a file is only for tests. */
export function isForTests(path: string): boolean {
  return /\.(test|harness)\.tsx?$/.test(path) || path.startsWith('testing/');
}

/** A file's imports as written. */
export function importsOf({ text }: Source): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}
