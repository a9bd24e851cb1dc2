import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

/** Databases as earlier commits of this repository made them, from its own history. */

const root = join(import.meta.dirname, '..', '..');

export interface EarlierSchema {
  /** The first commit that had these migrations. */
  readonly commit: string;
  /** Their names, in order. */
  readonly migrations: readonly string[];
}

/** Why the history cannot be looked at here; undefined where it can. */
export function whyNoHistory(): string | undefined {
  try {
    return git('rev-parse', '--is-shallow-repository') === 'true' ? 'this clone has not the whole history' : undefined;
  } catch {
    return 'this folder is no clone of the repository';
  }
}

/** Every set of migrations that a commit before this one had, each once, oldest first. */
export function earlierSchemas(): EarlierSchema[] {
  const commits = git('log', '--format=%h', '--reverse', '--full-history', '-m', '--first-parent', 'HEAD');
  const branches = git('log', '--format=%h', '--reverse', '--full-history', 'HEAD', '--', 'server/migrations');
  const found = new Map<string, EarlierSchema>();
  for (const commit of new Set([...branches.split('\n'), ...commits.split('\n')])) {
    const files = git('ls-tree', commit, 'server/migrations/').split('\n').filter(isMigration);
    const migrations = files.map((line) => /(\d{4}-[a-z-]+)\.ts$/.exec(line)?.[1] ?? '');
    if (files.length > 0 && !found.has(files.join())) found.set(files.join(), { commit, migrations });
  }
  return [...found.values()];
}

function isMigration(line: string): boolean {
  return /\/\d{4}-[a-z-]+\.ts$/.test(line);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** Makes that database as its commit did, with some rows in it. */
export async function makeEarlierDatabase({ commit }: EarlierSchema, database: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-earlier-'));
  try {
    const archive = execFileSync('git', ['archive', commit, 'server/migrations', 'package.json'], { cwd: root });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, 'earlier-databases.child.ts'),
        join(folder, 'server/migrations'),
        JSON.stringify({ ...inject('cluster'), database }),
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const [failure, code] = await Promise.all([
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ]);
    if (code !== 0) throw new Error(`the migrations of ${commit} failed:\n${failure}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
