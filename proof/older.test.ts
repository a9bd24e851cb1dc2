import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { olderThanTheirCode } from './older.ts';
import type { Shown } from './page.ts';

/** A repository in which each test changes files after a proof was made. */
let folder: string;
let proved: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kasente-older-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  git('init', '--quiet');
  proved = commit('server/db/pool.ts', 'server/desk/desk.routes.ts', 'server/serve.ts');
});

function git(...args: string[]): string {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@kasente.test'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

/** Changes these files; returns the commit. */
function commit(...paths: string[]): string {
  for (const path of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), `change after ${proved}\n`);
  }
  git('add', '.');
  git('commit', '--quiet', '--message', 'Change');
  return git('rev-parse', '--short=8', 'HEAD');
}

function shown(...proves: string[]): Shown {
  const result = {
    holds: true,
    figures: ['1'],
    canaries: ['found'],
    gaps: [],
    date: '2026-11-20',
    machine: 'm',
    seconds: 1,
  };
  return { ...result, proves, commit: proved };
}

it('names claims whose folders, files or globs have changed since', () => {
  const rows = {
    failovers: shown('server/db/'),
    overload: shown('server/serve.ts'),
    matrix: shown('server/**/*.routes.ts'),
  };
  expect(olderThanTheirCode(rows, folder)).toEqual([]);
  commit('server/db/pool.ts');
  expect(olderThanTheirCode(rows, folder)).toEqual(['failovers']);
  commit('server/desk/desk.routes.ts', 'server/db/new.ts');
  expect(olderThanTheirCode(rows, folder)).toEqual(['failovers', 'matrix']);
});

it('leaves out claims of which only tests have changed', () => {
  commit('server/db/pool.test.ts', 'server/db/pool.harness.ts', 'server/db/deep/pool.test.tsx');
  expect(olderThanTheirCode({ failovers: shown('server/db/') }, folder)).toEqual([]);
});

it('compares a changed commit as if it had not been changed', () => {
  const row = { ...shown('server/db/'), commit: `${proved}-changed` };
  expect(olderThanTheirCode({ failovers: row }, folder)).toEqual([]);
  commit('server/db/pool.ts');
  expect(olderThanTheirCode({ failovers: row }, folder)).toEqual(['failovers']);
});

it('names claims whose commit is unknown', () => {
  const row = shown('server/db/');
  const rows = { failovers: { ...row, commit: undefined }, overload: { ...row, commit: '00000000' }, matrix: row };
  expect(olderThanTheirCode(rows, folder)).toEqual(['failovers', 'overload']);
});

it('names nothing in a shallow clone, and in a folder that is no clone', () => {
  commit('server/db/pool.ts');
  const rows = { failovers: shown('server/db/') };
  expect(olderThanTheirCode(rows, folder)).toEqual(['failovers']);

  const shallow = join(folder, 'shallow');
  git('clone', '--quiet', '--depth', '1', `file://${folder}`, shallow);
  expect(olderThanTheirCode(rows, shallow)).toEqual([]);

  const copy = mkdtempSync(join(tmpdir(), 'kasente-copy-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const outside of [join(folder, 'copy'), copy]) {
    cpSync(join(folder, 'server'), join(outside, 'server'), { recursive: true });
    expect(olderThanTheirCode(rows, outside)).toEqual([]);
  }
});
