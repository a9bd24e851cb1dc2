import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';

/**
 * The share of Stryker's mutants of the rules, and of accounts on the server, that tests kill. Stryker has 150
 * packages, so it is installed into a copy of the project.
 */

const GOAL = 0.9;
const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];
const COPIED = ['contract', 'server', 'testing', 'proof', 'package.json', 'package-lock.json', 'tsconfig.base.json'];
const root = join(import.meta.dirname, '../..');
/** The folder for the last run's report, which lists every surviving mutant. */
const REPORTS = join(root, '.cache/mutation');
const run = promisify(execFile);

const report = z.object({
  files: z.record(z.string(), z.object({ mutants: z.array(z.object({ status: z.string() })) })),
});

/** The share of killed mutants. */
function shareKilled(mutants: readonly { readonly status: string }[]): number {
  const counted = mutants.filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status));
  return counted.filter(({ status }) => status === 'Killed' || status === 'Timeout').length / counted.length;
}

/** The globs of the files that a configuration of proof/mutation mutates. */
async function globsOf(config: string): Promise<string[]> {
  const text = await readFile(join(root, `proof/mutation/${config}.json`), 'utf8');
  return z.object({ mutate: z.array(z.string()) }).parse(JSON.parse(text)).mutate;
}

/** The files that a configuration of proof/mutation mutates. */
async function mutatedBy(config: string): Promise<string[]> {
  const mutate = await globsOf(config);
  const [without, taken] = [true, false].map((isNot) => mutate.filter((glob) => glob.startsWith('!') === isNot));
  return globSync(taken ?? [], { cwd: root, exclude: (without ?? []).map((glob) => glob.slice(1)) });
}

it('every file of the rules is among those that are mutated', async () => {
  const mutated = await mutatedBy('rules');
  const tested = globSync('contract/{,accounts/,applications/,payments/,limits/,desk/,flags/,time/}*.test.ts', {
    cwd: root,
  });
  const rules = tested
    .map((path) => path.replace('.test.ts', '.ts'))
    .filter((path) => !/\/(fields|schema|walk)\.ts$/.test(path));
  expect(rules.length).toBeGreaterThan(8);
  expect(rules.filter((path) => !mutated.includes(path))).toEqual([]);
});

it.each(['rules', 'accounts'])('every name in %s.json is of existing files', async (config) => {
  const names = (await globsOf(config)).flatMap((glob) => {
    const [, before = '', each = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? [];
    return each === '' ? [glob] : each.split(',').map((one) => `${before}${one}${after}`);
  });
  const missing = names.filter((name) => globSync(name.replace(/^!/, ''), { cwd: root }).length === 0);
  expect(missing).toEqual([]);
});

it('every file of accounts is among those that are mutated, and no test', async () => {
  const mutated = await mutatedBy('accounts');
  expect(mutated).toEqual(
    expect.arrayContaining(['server/sessions/sessions.ts', 'server/accounts/login/login.service.ts']),
  );
  expect(mutated.filter((path) => /\.(test|harness)\.ts$/.test(path))).toEqual([]);
});

/** Runs Stryker in a copy of the project; returns the share of killed mutants, and the numbers of mutants and files. */
async function judgeMutants(config: string) {
  const copy = await mkdtemp(join(tmpdir(), 'kasente-mutation-'));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  for (const part of [...COPIED, 'node_modules'])
    await cp(join(root, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  await run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--loglevel=error', ...STRYKER], {
    cwd: copy,
  });
  const stryker = join(copy, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  await run(process.execPath, [stryker, 'run', `proof/mutation/${config}.json`], { cwd: copy, maxBuffer: 2 ** 28 });
  const kept = join(REPORTS, `${config}.json`);
  await mkdir(REPORTS, { recursive: true });
  await cp(join(copy, 'mutation.json'), kept);
  const { files } = report.parse(JSON.parse(await readFile(kept, 'utf8')));
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  return { share: shareKilled(mutants), count: mutants.length, files: Object.keys(files).length };
}

describe.each([
  ['the rules', 'mutation-rules', 'rules'],
  ['accounts', 'mutation-accounts', 'accounts'],
] as const)('mutants of %s', (_, claim, config) => {
  it('are counted if they survive (canary)', () => {
    const killed = Array.from({ length: 17 }, () => ({ status: 'Killed' }));
    expect(shareKilled([...killed, { status: 'Survived' }])).toBeGreaterThan(GOAL);
    expect(shareKilled([...killed, { status: 'Survived' }, { status: 'NoCoverage' }])).toBeLessThan(GOAL);
    canaryFound(claim, 'of 19 planted results two mutants that lived brought the share below 90 %');
  });

  it.runIf(full)('are killed, nine of ten', async () => {
    const { share, count, files } = await judgeMutants(config);
    expect(share).toBeGreaterThanOrEqual(GOAL);
    proved(claim, `${(share * 100).toFixed(1)} % of ${count} mutants of ${files} files killed`);
  });
});
