import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFileEnd } from '#testing/file-end.ts';

const root = join(import.meta.dirname, '../..');

/**
 * A copy of the server as in a container image: with a web application and without its sources. Production can start
 * there whether or not this checkout's web application is built. Removed after the file's tests.
 */
export function installedCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-installed-'));
  chmodSync(folder, 0o755); // if this is root, PostgreSQL runs as another user, who needs access
  atFileEnd(async () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['contract', 'server', 'scripts', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'dist/web'), { recursive: true });
  writeFileSync(join(folder, 'dist/web/index.html'), '<!doctype html><title>The built application</title>');
  writeFileSync(join(folder, 'dist/web/theme-styles.json'), '[]');
  return folder;
}
