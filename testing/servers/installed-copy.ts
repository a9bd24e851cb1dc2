import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFileEnd } from '#testing/file-end.ts';

const root = join(import.meta.dirname, '../..');

/**
 * A copy of the server as a container image has it: with a web application and without its sources. Production starts there
 * whether or not this checkout's web application is built. Removed after the file's tests.
 */
export function installedCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-installed-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user when this is root, and has to get in
  atFileEnd(async () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['contract', 'server', 'scripts', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'dist/web'), { recursive: true });
  writeFileSync(join(folder, 'dist/web/index.html'), '<!doctype html><title>The built application</title>');
  return folder;
}
