import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOfSources, webBuildState, webFolder, webStampFile } from '#server/config/web-build.mjs';
import { alone, fail, projectEnvironment, root, runtime } from './workspace.mjs';

/**
 * Builds the web application into dist/web, unless its stamp, a hash of the sources, is current. The finished build replaces
 * the old one at once, so that a running server never serves a partial build.
 */

const place = webFolder(root);

if (!(await isBuilt())) await alone('build', build);

async function isBuilt() {
  return (await webBuildState(root)) === 'current';
}

async function build() {
  if (await isBuilt()) return; // by another process, meanwhile
  console.log('Kasente: building the web application …');
  const stamp = await hashOfSources(root); // before the build: a file saved during it makes the result stale
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
  await rm(webStampFile(root), { force: true });
  if (existsSync(place)) await rename(place, old);
  await rename(unfinished, place);
  await writeFile(webStampFile(root), stamp);
  await rm(old, { recursive: true, force: true });
}
