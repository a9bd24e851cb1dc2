import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * Whether dist/web was built from the present sources. Plain JavaScript without packages, because the build itself runs
 * this before anything is installed, with the machine's Node.
 */

const SOURCES = [
  'web',
  'contract',
  'docs/help.md',
  'index.html',
  'vite.config.ts',
  'scripts/build/chunks.ts',
  'scripts/build/direct-imports.ts',
  'scripts/build/mantine-styles.ts',
  'scripts/build/markdown-pages.ts',
  'scripts/build/prerender.ts',
  'scripts/build/used-styles.ts',
  'server/migrations/reference',
  'tsconfig.base.json',
  'package-lock.json',
];

/** The built application. */
export function webFolder(root) {
  return join(root, 'dist/web');
}

/** A hash of the sources that the application was built from. */
export function webStampFile(root) {
  return `${webFolder(root)}.stamp`;
}

/**
 * 'current', 'stale' or 'missing'. A container image has the build without its sources, so there is nothing to compare
 * with.
 */
export async function webBuildState(root) {
  if (!existsSync(join(webFolder(root), 'index.html'))) return 'missing';
  if (!existsSync(join(root, 'web'))) return 'current';
  const stamp = await readFile(webStampFile(root), 'utf8').catch(() => '');
  return stamp === (await hashOfSources(root)) ? 'current' : 'stale';
}

export function hashOfSources(root) {
  return hashOf(root, SOURCES);
}

/** A hash of these files and folders' files, without tests. */
export async function hashOf(root, names) {
  const hash = createHash('sha256');
  const files = await Promise.all(names.map((name) => filesOf(join(root, name))));
  for (const file of files.flat().sort((one, other) => (one < other ? -1 : 1))) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return `${hash.digest('hex')}\n`;
}

/** The file itself, or those of the folder's files that a build can depend on, without tests. */
async function filesOf(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return undefined;
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
