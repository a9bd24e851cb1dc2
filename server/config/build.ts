import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hashOf } from './web-build.mjs';

/** The files that determine a build. */
const SOURCES = ['contract', 'server', 'scripts', 'web', 'package.json', 'package-lock.json'];
/** A tarball or an image has no git history; this file names its commit. */
const STAMP = 'COMMIT';

/**
 * The commit that this server was built from, such as '3f2a9c1b04de'. If files differ from the commit, or no commit is
 * known, a hash of the files is added, so two different builds never have the same version and commit.
 */
export async function readCommit(root: string): Promise<string> {
  const stamp = (await readFile(join(root, STAMP), 'utf8').catch(() => '')).trim();
  if (stamp !== '') {
    const [commit = '', hash = ''] = stamp.split(' ');
    const found = await shortHash(root);
    return found === hash ? commit : marked(commit, found);
  }
  const commit = await git(root, 'rev-parse', '--short=12', 'HEAD');
  if (commit === undefined) return marked('unknown', await shortHash(root));
  const changes = await git(root, 'status', '--porcelain', '--', ...SOURCES);
  return changes === '' ? commit : marked(commit, await shortHash(root));
}

/** The stamp in a release's tarball or image. A commit that ends in '-changed' gets the hash of the files. */
export async function formatStamp(root: string, commit: string): Promise<string> {
  const hash = await shortHash(root);
  return `${commit.endsWith('-changed') ? `${commit}.${hash}` : commit} ${hash}\n`;
}

function marked(commit: string, hash: string): string {
  return `${commit}-changed.${hash}`;
}

async function shortHash(root: string): Promise<string> {
  return (await hashOf(root, SOURCES)).slice(0, 8);
}

/**
 * Undefined without git, or if this folder has no history of its own. The service's user may not be the owner of the
 * checkout.
 */
async function git(root: string, ...args: string[]): Promise<string | undefined> {
  try {
    const options = ['-c', `safe.directory=${root}`, '--git-dir', join(root, '.git'), '--work-tree', root];
    const { stdout } = await promisify(execFile)('git', [...options, ...args], { cwd: root });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

/** The commit of this build; read once, at the start. */
export const appCommit: string = await readCommit(join(import.meta.dirname, '../..'));
