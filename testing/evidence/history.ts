import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Earlier commits of this repository, from its own history. */

const root = join(import.meta.dirname, '../..');

/** Runs git in this clone; throws if there is no history. */
export function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/**
 * The commit that is checked out, with '-changed' if any file except the page of proofs differs from it; undefined
 * without a history.
 */
export function currentCommit(): string | undefined {
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!docs/proof.json', ':!docs/proof.md') !== '';
    return `${git('rev-parse', '--short=8', 'HEAD')}${changed ? '-changed' : ''}`;
  } catch {
    return undefined;
  }
}

/** Why the history cannot be read here; undefined if it can. */
export function whyNoHistory(): string | undefined {
  try {
    return git('rev-parse', '--is-shallow-repository') === 'true' ? 'this clone lacks most of the history' : undefined;
  } catch {
    return 'this folder is no clone of the repository';
  }
}

/** Puts a commit's files, or some of them, into a new folder, next to the packages installed here. */
export function checkOut(commit: string, folder: string, ...paths: string[]): void {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit, ...paths], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}
