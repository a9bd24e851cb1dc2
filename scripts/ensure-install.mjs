import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alone, fail, machineEnvironment, root, runtime } from './workspace.mjs';

/**
 * Installs the packages of package-lock.json, unless they are installed; `npm start`, `npm test` and similar commands run it
 * first. A stamp, removed first and written last, marks a complete install of a lock file on this platform and names the Node
 * and npm that made it, so that an interrupted install is repeated. With `--look`, for operator tools, it installs nothing and
 * prints what to do.
 */

/** npm omits packages without a word that its own Node is too old for, and the install looks complete. */
const OLDEST_NODE = [
  [20, 19],
  [22, 12],
];
/** After so long without an end, we say what is awaited. */
const SILENCE_MS = Number(process.env.KASENTE_SILENCE_MS ?? 20_000);
const PROXY_SETTINGS = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'https_proxy',
  'http_proxy',
  'npm_config_https_proxy',
  'npm_config_proxy',
];

const stampFile = join(root, 'node_modules/.kasente-install');
const lockText = await readFile(join(root, 'package-lock.json'), 'utf8');
const wanted = `${createHash('sha256').update(lockText).digest('hex')} ${process.platform}-${process.arch}\n`;

const isLook = process.argv.includes('--look');
/** With the web application built, as in a release's tarball, a server starts without the packages that build it. */
const isBuiltStart = process.argv.includes('--start') && (await isWebBuilt());
if (!(await isStamped()) && !(isBuiltStart && (await npmInstalledIt({ withoutDev: true })))) {
  if (!isLook) await alone('install', install);
  else if (!(await npmInstalledIt({ withoutDev: true })))
    fail('the packages are not those of package-lock.json: run npm ci first (in production npm ci --omit=dev).');
}
runtime(); // exits with an explanation if there is no suitable Node
if (!isLook) await installCommitHook();

async function isWebBuilt() {
  const { webBuildState } = await import('#server/config/web-build.mjs');
  return (await webBuildState(root)) === 'current';
}

async function isStamped() {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '');
  // A stamp that names no Node is an earlier version's, which Node 18 may have made.
  return stamp.startsWith(wanted) && /^node /m.test(stamp);
}

/** The Node that npm runs under: not this one, which may be the packaged one. */
function nodeOfNpm() {
  const { stdout } = spawnSync('node', ['-p', 'process.versions.node'], {
    env: machineEnvironment(),
    encoding: 'utf8',
  });
  return stdout?.trim() || 'unknown';
}

function refuseOldNode(version) {
  const [major, minor] = version.split('.').map(Number);
  const isTooOld = major < 20 || OLDEST_NODE.some(([one, least]) => major === one && minor < least) || major === 21;
  if (!isTooOld) return;
  fail(
    `Node ${version} is too old to install Kasente, which needs Node 20.19, 22.12, or 24 or later: install one from nodejs.org, then start again. Nothing was changed.`,
  );
}

async function install() {
  if (await isStamped()) return; // by another process, meanwhile
  const node = nodeOfNpm();
  if (!(await npmInstalledIt())) {
    refuseOldNode(node);
    console.log('Kasente: installing packages, which takes a minute the first time …');
    await rm(stampFile, { force: true });
    const flags = ['--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund'];
    if ((await runNpm(['ci', ...flags])) !== 0)
      fail('the packages could not be installed (see above): check the network, then start again.');
    const missing = absentForThisMachine();
    if (missing !== undefined) {
      fail(
        `npm left out ${missing}, which this machine needs: check the network, remove node_modules, then start again.`,
      );
    }
  }
  await writeFile(stampFile, `${wanted}node ${node}, ${process.env.npm_config_user_agent ?? 'npm by hand'}\n`);
}

/** Lets git check each commit (.husky/pre-commit), where people commit. */
async function installCommitHook() {
  if (process.env.CI !== undefined || existsSync(join(root, '.husky/_')) || !existsSync(join(root, '.git'))) return;
  const { default: husky } = await import('husky').catch(() => ({ default: undefined })); // production omits it
  const problem = husky?.();
  if (problem) console.log(`Kasente: commits are not checked: ${problem.trim()}`);
}

/** Runs npm; returns its exit code. */
async function runNpm(args) {
  const child = spawn('npm', args, { cwd: root, env: machineEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] });
  const began = Date.now();
  const timer = setInterval(() => {
    const set = PROXY_SETTINGS.filter((name) => (process.env[name] ?? '') !== '');
    const proxy = set.length === 0 ? 'no proxy is set in the environment' : `the proxy is set by ${set.join(' and ')}`;
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(
      `Kasente: after ${seconds} s still waiting for "npm ${args[0]}", which downloads the packages. On a slow line this is normal. Otherwise check the network: ${proxy}; npm's own settings are shown by "npm config get https-proxy" and "npm config get registry". Ctrl-C stops it.`,
    );
  }, SILENCE_MS);
  try {
    const [status] = await once(child, 'close');
    return status;
  } catch (error) {
    return fail(`npm could not be run (${error.message}): install Node.js with npm.`);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Whether a manual `npm ci` or `npm install` has installed this lock file. npm finally records the installed packages in
 * node_modules/.package-lock.json; with --package-lock-only it also records others, so the folders are checked.
 */
async function npmInstalledIt({ withoutDev = false } = {}) {
  const noted = await readFile(join(root, 'node_modules/.package-lock.json'), 'utf8').catch(() => undefined);
  if (noted === undefined || absentForThisMachine({ withoutDev }) !== undefined) return false;
  const { '': _project, ...locked } = JSON.parse(lockText).packages;
  const installed = JSON.parse(noted).packages;
  const dispensable = ({ optional, devOptional, dev }) => optional || devOptional || (withoutDev && dev);
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

/**
 * A package for this platform that npm omits silently if its download fails, or if npm's Node is too old for it. Tools do
 * without those for development.
 */
function absentForThisMachine({ withoutDev = false } = {}) {
  const machineLibc = findLibc();
  const { packages } = JSON.parse(lockText);
  const [path] =
    Object.entries(packages).find(
      ([path, { os, cpu, libc, dev }]) =>
        path !== '' &&
        (os !== undefined || cpu !== undefined) &&
        !(withoutDev && dev) &&
        suits(os, process.platform) &&
        suits(cpu, process.arch) &&
        suits(libc, machineLibc) &&
        !existsSync(join(root, path, 'package.json')),
    ) ?? [];
  return path?.replace(/^.*node_modules\//, '');
}

/** Whether a package's list of platforms names this one; without a list it suits all. */
function suits(listed, mine) {
  return listed === undefined || mine === undefined || [listed].flat().includes(mine);
}

/** The C library of a Linux system. */
function findLibc() {
  if (process.platform !== 'linux') return undefined;
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}
