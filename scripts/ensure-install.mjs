import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alone, fail, machineEnvironment, root, runtime } from './workspace.mjs';

/**
 * Installs the packages of package-lock.json, unless they are installed; `npm start`, `npm test` and similar commands run it
 * first. A stamp, removed first and written last, marks a complete install of a lock file, so that an interrupted install is
 * repeated. With `--look`, for operator tools, it installs nothing and prints what to do.
 */

const stampFile = join(root, 'node_modules/.kasente-install');
const lockText = await readFile(join(root, 'package-lock.json'), 'utf8');
const wanted = `${createHash('sha256').update(lockText).digest('hex')} ${process.platform}-${process.arch}\n`;

const isLook = process.argv.includes('--look');
if (!(await isStamped())) {
  if (!isLook) await alone('install', install);
  else if (!(await npmInstalledIt()))
    fail('the packages are not those of package-lock.json: run npm ci first (in production npm ci --omit=dev).');
}
runtime(); // exits with an explanation if there is no suitable Node

async function isStamped() {
  return (await readFile(stampFile, 'utf8').catch(() => '')) === wanted;
}

async function install() {
  if (await isStamped()) return; // by another process, meanwhile
  if (!(await npmInstalledIt())) {
    console.log('Kasente: installing packages, which takes a minute the first time …');
    await rm(stampFile, { force: true });
    const flags = ['--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund'];
    const { status, error } = spawnSync('npm', ['ci', ...flags], {
      cwd: root,
      env: machineEnvironment(),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (error !== undefined) fail(`npm could not be run (${error.message}): install Node.js with npm.`);
    if (status !== 0) fail('the packages could not be installed (see above): check the network, then start again.');
    const missing = absentForThisMachine();
    if (missing !== undefined) {
      fail(
        `npm left out ${missing}, which this machine needs: check the network, remove node_modules, then start again.`,
      );
    }
  }
  await writeFile(stampFile, wanted);
}

/**
 * Whether a manual `npm ci` or `npm install` has installed this lock file. npm finally records the installed packages in
 * node_modules/.package-lock.json; with --package-lock-only it also records others, so the folders are checked.
 */
async function npmInstalledIt() {
  const noted = await readFile(join(root, 'node_modules/.package-lock.json'), 'utf8').catch(() => undefined);
  if (noted === undefined || absentForThisMachine() !== undefined) return false;
  const { '': _project, ...locked } = JSON.parse(lockText).packages;
  const installed = JSON.parse(noted).packages;
  const dispensable = ({ optional, devOptional, dev }) => optional || devOptional || (isLook && dev);
  if (!Object.entries(locked).every(([path, entry]) => path in installed || dispensable(entry))) return false;
  const same = await Promise.all(
    Object.keys(installed).map(async (path) => {
      const { version, integrity } = locked[path] ?? {};
      const found = await readFile(join(root, path, 'package.json'), 'utf8').catch(() => '{}');
      return integrity === installed[path].integrity && version === JSON.parse(found).version;
    }),
  );
  return same.every(Boolean);
}

/** A required package that npm omits silently if its download fails. */
function absentForThisMachine() {
  const { packages } = JSON.parse(lockText);
  return Object.keys(packages[''].optionalDependencies ?? {}).find((name) => {
    const { os = [], cpu = [] } = packages[`node_modules/${name}`] ?? {};
    const suits = [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
    return suits && !existsSync(join(root, 'node_modules', name, 'package.json'));
  });
}
