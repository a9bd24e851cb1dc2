import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Shared by the bootstrap scripts. Plain JavaScript without packages, because it runs before installation, under Node 18 or
 * later.
 */

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const binFolder = join(root, 'node_modules/.bin');

/** Ends the process with a sentence that explains what to do. */
export function fail(sentence) {
  console.error(`Kasente: ${sentence}`);
  process.exit(1);
}

/**
 * The Node for Kasente's TypeScript: the packaged one or, on macOS, the machine's. It is searched here because a shell caches
 * the old one for the rest of an npm script.
 */
export function runtime() {
  const bundled = join(binFolder, 'node');
  if (existsSync(bundled) || linked(bundled)) return bundled;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(`this system needs Node 24 or later of its own, and has ${process.version}: install it from nodejs.org.`);
}

/** Debian's npm 9 removes the link together with another platform's package that has the same one. */
function linked(bundled) {
  const packaged = `node-${process.platform}-${process.arch}/bin/node`;
  if (!existsSync(join(root, 'node_modules', packaged))) return false;
  mkdirSync(binFolder, { recursive: true });
  symlinkSync(join('..', packaged), bundled);
  return true;
}

/** The environment with the project's programs and Node first in the path. */
export function projectEnvironment(more = {}) {
  return { ...process.env, PATH: [binFolder, process.env.PATH].join(delimiter), ...more };
}

/** The environment without the project's programs, which npm is about to replace. */
export function machineEnvironment() {
  const kept = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[/\\]\.bin[/\\]?$/.test(folder));
  return { ...process.env, PATH: kept.join(delimiter) };
}

/** Does the work exclusively among this project's processes; waits for others with the same name. */
export async function alone(name, work) {
  const lock = join(root, '.cache', `${name}.lock`); // a dangling link, because creation and content are atomic
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

/** Whether a process with this number exists, of any user. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
