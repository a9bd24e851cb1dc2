import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readCommit } from './build.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-build-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'server'));
  await writeFile(join(folder, 'server/app.ts'), 'first();');
});

function git(...args: string[]): string {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@kasente.test'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

function commit(): string {
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  return git('rev-parse', '--short=12', 'HEAD');
}

describe('the commit of a build', () => {
  it('is that of the checkout, and marked with a hash if files were changed', async () => {
    const first = commit();
    expect(await readCommit(folder)).toBe(first);
    await writeFile(join(folder, 'notes.txt'), 'beside it');
    expect(await readCommit(folder)).toBe(first);
    await writeFile(join(folder, 'server/app.ts'), 'second();');
    const second = await readCommit(folder);
    expect(second).toMatch(new RegExp(`^${first}-changed\\.[0-9a-f]{8}$`));
    await writeFile(join(folder, 'server/app.ts'), 'third();');
    const third = await readCommit(folder);
    expect(third).toMatch(new RegExp(`^${first}-changed\\.[0-9a-f]{8}$`));
    expect(third).not.toBe(second);
    await writeFile(join(folder, 'server/app.ts'), 'first();');
    await writeFile(join(folder, 'server/other.ts'), 'new and not committed');
    expect(await readCommit(folder)).toContain('-changed.');
  });

  it('is that of the stamp if there is no history, and marked if files differ', async () => {
    const unstamped = await readCommit(folder);
    expect(unstamped).toMatch(/^unknown-changed\.[0-9a-f]{8}$/);
    await writeFile(join(folder, 'COMMIT'), `3f2a9c1b04de ${unstamped.slice('unknown-changed.'.length)}\n`);
    expect(await readCommit(folder)).toBe('3f2a9c1b04de');
    await writeFile(join(folder, 'server/app.ts'), 'second();');
    expect(await readCommit(folder)).toMatch(/^3f2a9c1b04de-changed\.[0-9a-f]{8}$/);
  });

  it('is not that of a surrounding repository', async () => {
    commit();
    const inside = join(folder, 'inside');
    await mkdir(inside);
    await cp(join(folder, 'server'), join(inside, 'server'), { recursive: true });
    expect(await readCommit(inside)).toMatch(/^unknown-changed/);
  });
});
