import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alone, fail, machineEnvironment, root, runtime } from './workspace.mjs';

/**
 * Installs the packages that package-lock.json names, unless they are installed. `npm start`, `npm test` and their like
 * run it first, so that two commands are enough on a fresh machine. An install is complete when its stamp is there: it
 * is removed first and written last, so an interrupted install is done again, and so is one for another lock file. With
 * `--look`, for the tools of an operator, it installs nothing and says what to do.
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
runtime(); // fails with a sentence where there is no Node to go on with

async function isStamped() {
  return (await readFile(stampFile, 'utf8').catch(() => '')) === wanted;
}

async function install() {
  if (await isStamped()) return; // the process we waited for did it
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
 * Whether somebody's own `npm ci` or `npm install` has installed just this lock file. npm notes at the very end, in
 * node_modules/.package-lock.json, what it installed; with --package-lock-only it notes what it did not, so look.
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

/** A package that npm may leave out in silence when its download fails, and that Kasente cannot do without here. */
function absentForThisMachine() {
  const { packages } = JSON.parse(lockText);
  return Object.keys(packages[''].optionalDependencies ?? {}).find((name) => {
    const { os = [], cpu = [] } = packages[`node_modules/${name}`] ?? {};
    const suits = [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
    return suits && !existsSync(join(root, 'node_modules', name, 'package.json'));
  });
}
