import { spawnSync } from 'node:child_process';
import type { ShownClaims } from './page.ts';

/** Files whose changes don't make a proof older than its code. */
const TESTS = [':!*.test.ts', ':!*.test.tsx', ':!*.harness.ts'];

/**
 * The claims whose code differs between their commit and this clone's newest commit, or whose commit is unknown. Empty
 * in a shallow clone and outside a clone, where there is no history to compare with.
 */
export function olderThanTheirCode(shown: ShownClaims, folder: string): string[] {
  if (!hasHistory(folder)) return [];
  return Object.entries(shown)
    .filter(
      ([, { commit, proves }]) => commit === undefined || hasChanged(commit.replace('-changed', ''), proves, folder),
    )
    .map(([claim]) => claim);
}

/** Whether the folder is the top of a clone with all commits. */
function hasHistory(folder: string): boolean {
  const { stdout } = spawnSync('git', ['rev-parse', '--is-shallow-repository', '--show-prefix'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout?.trim() === 'false';
}

function hasChanged(commit: string, paths: readonly string[], folder: string): boolean {
  const options = ['--quiet', '--no-renames', '--no-ext-diff'];
  const { status } = spawnSync('git', ['diff', ...options, commit, 'HEAD', '--', ...paths, ...TESTS], { cwd: folder });
  return status !== 0;
}
