import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { alone, fail, projectEnvironment, root, runtime } from './workspace.mjs';

/**
 * Builds the web application into dist/web, unless its stamp, a hash of the sources, is current. The finished build replaces
 * the old one at once, so that a running server never serves a partial build.
 */

const SOURCES = [
  'web',
  'contract',
  'index.html',
  'vite.config.ts',
  'scripts/build/chunks.ts',
  'scripts/build/direct-imports.ts',
  'scripts/build/mantine-styles.ts',
  'scripts/build/prerender.ts',
  'scripts/build/used-styles.ts',
  'server/migrations/reference',
  'tsconfig.base.json',
  'package-lock.json',
];
const place = join(root, 'dist/web');
const stampFile = `${place}.stamp`;
const wanted = await hashOfSources();

if (!(await isBuilt())) await alone('build', build);

async function isBuilt() {
  return existsSync(join(place, 'index.html')) && (await readFile(stampFile, 'utf8').catch(() => '')) === wanted;
}

async function build() {
  if (await isBuilt()) return; // by another process, meanwhile
  console.log('Kasente: building the web application …');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const unfinished = `${place}.unfinished`;
  const flags = ['--outDir', unfinished, '--emptyOutDir', '--logLevel', 'warn'];
  const { status } = spawnSync(runtime(), [vite, 'build', ...flags], {
    cwd: root,
    env: projectEnvironment({ NODE_ENV: 'production' }),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0 || !existsSync(join(unfinished, 'index.html'))) {
    await rm(unfinished, { recursive: true, force: true });
    fail('the web application could not be built (see above).');
  }
  const old = `${place}.old`;
  await rm(old, { recursive: true, force: true });
  await rm(stampFile, { force: true });
  if (existsSync(place)) await rename(place, old);
  await rename(unfinished, place);
  await writeFile(stampFile, wanted);
  await rm(old, { recursive: true, force: true });
}

async function hashOfSources() {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(SOURCES.map(filesOf))).flat().sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return `${hash.digest('hex')}\n`;
}

/** The file itself, or the folder's files that a build can depend on, without tests. */
async function filesOf(name) {
  const path = join(root, name);
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
