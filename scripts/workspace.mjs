import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * What the bootstrap scripts share. Plain JavaScript without packages: on a fresh machine it runs before anything is
 * installed, under whatever Node there is (18 or later).
 */

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const binFolder = join(root, 'node_modules/.bin');

/** Ends the process with one sentence that says what to do. */
export function fail(sentence) {
  console.error(`Kasente: ${sentence}`);
  process.exit(1);
}

/**
 * The Node that runs Kasente's TypeScript: the one that came with the packages, or else, on macOS, the machine's own.
 * In `a && b` of an npm script the shell still has the old one in mind for b, so it is asked for here.
 */
export function runtime() {
  const bundled = join(binFolder, 'node');
  if (existsSync(bundled) || linked(bundled)) return bundled;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(`this system needs Node 24 or later of its own, and has ${process.version}: install it from nodejs.org.`);
}

/** Debian's npm 9 takes the link away again, with the package of another system that has one of the same name. */
function linked(bundled) {
  const packaged = `node-${process.platform}-${process.arch}/bin/node`;
  if (!existsSync(join(root, 'node_modules', packaged))) return false;
  mkdirSync(binFolder, { recursive: true });
  symlinkSync(join('..', packaged), bundled);
  return true;
}

/** An environment in which the project's programs and its Node are found first. */
export function projectEnvironment(more = {}) {
  return { ...process.env, PATH: [binFolder, process.env.PATH].join(delimiter), ...more };
}

/** An environment without the project's programs, for npm, which is about to remove and renew them. */
export function machineEnvironment() {
  const kept = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[/\\]\.bin[/\\]?$/.test(folder));
  return { ...process.env, PATH: kept.join(delimiter) };
}

/** Does the work while no other process of this project does work of the same name; waits for one that does. */
export async function alone(name, work) {
  const lock = join(root, '.cache', `${name}.lock`); // a link to nowhere, because a link is made with its content at once
  let told = false;
  while (!(await take(lock))) {
    const owner = Number(await readlink(lock).catch(() => process.pid));
    if (!isAlive(owner)) await rm(lock, { force: true });
    else if (!told && owner !== process.pid) {
      console.log(`Kasente: waiting for process ${owner}, which does the same (${name}) …`);
      told = true;
    }
    await setTimeout(50);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock) {
  try {
    await mkdir(dirname(lock), { recursive: true });
    await symlink(String(process.pid), lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    return fail(`the project's folder cannot be written to (${error.message}): start as the user it belongs to.`);
  }
}

/** Whether a process of this number exists, no matter whose it is. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
