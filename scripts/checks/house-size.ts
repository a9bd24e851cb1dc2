import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isForTests, rooms } from '#scripts/checks/house-rules/sources.ts';

/**
 * Counts lines by purpose, and the fullest folders, for the table in docs/architecture.md.
 *
 *   node scripts/checks/house-size.ts [folder of another checkout]
 */

const root = process.argv[2] ?? join(import.meta.dirname, '../..');
const paths = rooms
  .filter((room) => existsSync(join(root, room)))
  .flatMap((room) => readdirSync(join(root, room), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** The purpose of a file. */
function kindOf(path: string): 'product' | 'tests' | 'assurance' | 'tools' {
  if (/^(?:proof|bench|simulators)\//.test(path)) return 'assurance';
  if (path.startsWith('e2e/') || isForTests(path)) return 'tests';
  return path.startsWith('scripts/') ? 'tools' : 'product';
}

const lines = Map.groupBy(
  paths.filter((path) => /\.(?:tsx?|mjs|css)$/.test(path)),
  kindOf,
);
for (const [kind, files] of lines) {
  const count = files.reduce((sum, path) => sum + readFileSync(join(root, path), 'utf8').split('\n').length - 1, 0);
  console.log(`${kind}: ${count.toLocaleString('en')} lines in ${files.length} files`);
}
const folders = [...Map.groupBy(paths, dirname)].toSorted(([, one], [, other]) => other.length - one.length);
for (const [folder, files] of folders.slice(0, 12)) console.log(`${folder}: ${files.length} files`);
