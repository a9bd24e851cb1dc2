import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { canaryFound, full, proved } from '#proof/record.ts';

/**
 * The rules of accounts, permissions, money and lifecycle, changed in one place at a time by Stryker: how many of the changes
 * some test notices. Stryker brings 150 packages, so it is installed into a copy of the project and for this alone.
 */

const GOAL = 0.9;
const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];
const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

const report = z.object({
  files: z.record(z.string(), z.object({ mutants: z.array(z.object({ status: z.string() })) })),
});

/** The share of mutants that a test noticed, by what became of each. */
function shareKilled(mutants: readonly { readonly status: string }[]): number {
  const counted = mutants.filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status));
  return counted.filter(({ status }) => status === 'Killed' || status === 'Timeout').length / counted.length;
}

it('every file of the rules is among those that are mutated', async () => {
  const { mutate } = z.object({ mutate: z.array(z.string()) }).parse(JSON.parse(await readConfig()));
  const mutated = globSync(mutate, { cwd: root });
  const tested = globSync('contract/{,accounts/,applications/,payments/,limits/,desk/}*.test.ts', { cwd: root });
  const rules = tested
    .map((path) => path.replace('.test.ts', '.ts'))
    .filter((path) => !/\/(fields|schema|walk)\.ts$/.test(path));
  expect(rules.length).toBeGreaterThan(8);
  expect(rules.filter((path) => !mutated.includes(path))).toEqual([]);
});

it('a mutant that lives is counted: the canary', () => {
  const killed = Array.from({ length: 17 }, () => ({ status: 'Killed' }));
  expect(shareKilled([...killed, { status: 'Survived' }])).toBeGreaterThan(GOAL);
  expect(shareKilled([...killed, { status: 'Survived' }, { status: 'NoCoverage' }])).toBeLessThan(GOAL);
  canaryFound('mutation', 'of 19 planted results two mutants that lived brought the share below 90 %');
});

it.runIf(full)('nine of ten mutants are killed', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'kasente-mutation-'));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  for (const part of ['contract', 'proof', 'package.json', 'package-lock.json', 'tsconfig.base.json', 'node_modules'])
    await cp(join(root, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  await run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--loglevel=error', ...STRYKER], {
    cwd: copy,
  });
  const stryker = join(copy, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  await run(process.execPath, [stryker, 'run', 'proof/mutation/stryker.json'], { cwd: copy, maxBuffer: 2 ** 28 });
  const { files } = report.parse(JSON.parse(await readFile(join(copy, 'mutation.json'), 'utf8')));
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  const share = shareKilled(mutants);
  expect(share).toBeGreaterThanOrEqual(GOAL);
  proved(
    'mutation',
    `${(share * 100).toFixed(1)} % of ${mutants.length} mutants of ${Object.keys(files).length} files killed`,
  );
});

function readConfig(): Promise<string> {
  return readFile(join(root, 'proof/mutation/stryker.json'), 'utf8');
}
