import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

/** The script in a temporary project, whose tools are shell scripts with the outcomes of the test. */
let project = '';

const VITEST = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, testResults: [] };
const PLAYWRIGHT = { stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }, errors: [], suites: [] };

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'kasente-steps-'));
  onTestFinished(() => rm(project, { recursive: true, force: true }));
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  for (const name of ['test.mjs', 'workspace.mjs']) {
    await cp(join(import.meta.dirname, name), join(project, 'scripts', name));
  }
  await writeFile(join(project, 'scripts/ensure-build.mjs'), '');
  await mkdir(join(project, 'proof'));
  await writeFile(join(project, 'proof/name-older.ts'), '');
  for (const name of ['tsc', 'biome', 'oxlint', 'knip', 'size-limit']) await tool(name, 'exit 0');
  await vitest(VITEST);
  await playwright(PLAYWRIGHT);
});

async function tool(name: string, script: string): Promise<void> {
  const path = join(project, 'node_modules/.bin', name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

function vitest(report: object, end = 'exit 0'): Promise<void> {
  const find = 'for last; do :; done; file=$(echo "$last" | cut -d= -f2)';
  return tool('vitest', `${find}\nprintf %s '${JSON.stringify(report)}' > "$file"\n${end}`);
}

function playwright(report: object, end = 'exit 0'): Promise<void> {
  return tool('playwright', `printf %s '${JSON.stringify(report)}' > "$PLAYWRIGHT_JSON_OUTPUT_FILE"\n${end}`);
}

function runSteps(...args: string[]): { status: number | null; last: string | undefined; stdout: string } {
  const env = { PATH: '/usr/bin:/bin', DATABASE_URL: 'postgres://precious/data' }; // without real tools
  const script = join(project, 'scripts/test.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8' });
  return { status, last: stdout.trimEnd().split('\n').at(-1), stdout };
}

test('counts tests, and every other step as one check', () => {
  expect(runSteps()).toMatchObject({ status: 0, last: '15 passed, 0 failed' });
  expect(runSteps('--quick')).toMatchObject({ status: 0, last: '5 passed, 0 failed' });
});

test('a failed step fails the run, and the other steps still run', async () => {
  await tool('biome', 'exit 1');
  await tool('knip', 'kill -9 $$');
  expect(runSteps()).toMatchObject({ status: 1, last: '13 passed, 2 failed' });
});

test('a mistake in what changed ends a quick run before the rest, and a clean change does not', async () => {
  const git = (...args: string[]): void => {
    const author = ['-c', 'user.name=T', '-c', 'user.email=t@kasente.test'];
    spawnSync('git', [...author, ...args], { cwd: project });
  };
  await writeFile(join(project, '.gitignore'), 'node_modules/\n');
  git('init');
  git('add', '.');
  git('commit', '--message', 'First');
  expect(runSteps('--quick').last).toBe('5 passed, 0 failed');
  await mkdir(join(project, 'server'));
  await writeFile(join(project, 'server/new file.ts'), '');
  await writeFile(join(project, 'notes.md'), '');
  expect(runSteps('--quick').last).toBe('7 passed, 0 failed');
  await tool('oxlint', '[ "$*" != "--type-aware --no-error-on-unmatched-pattern server/new file.ts" ]');
  expect(runSteps('--quick')).toMatchObject({ status: 1, last: '1 passed, 1 failed' });
  expect(runSteps()).toMatchObject({ status: 0, last: '15 passed, 0 failed' });
  git('add', '.');
  git('commit', '--message', 'Second');
  expect(runSteps('--quick').last).toBe('5 passed, 0 failed');
});

test('failed tests are counted, and listed with their errors', async () => {
  const name = join(project, 'server/a.test.ts');
  const one = { fullName: 'sums are right', status: 'failed', failureMessages: ['expected 1 to be 2\n  at line 3'] };
  await vitest(
    { ...VITEST, numFailedTests: 2, testResults: [{ name, status: 'failed', assertionResults: [one] }] },
    'exit 1',
  );
  const tests = [
    { status: 'unexpected', results: [{ errors: [{ message: 'the page is \u001b[31mblank\u001b[0m' }] }] },
  ];
  const suites = [{ suites: [{ specs: [{ file: 'a.spec.ts', title: 'log in', tests }] }] }];
  await playwright({ ...PLAYWRIGHT, stats: { ...PLAYWRIGHT.stats, unexpected: 1, flaky: 1 }, suites }, 'exit 1');
  const { status, last, stdout } = runSteps();
  expect({ status, last }).toEqual({ status: 1, last: '16 passed, 3 failed' });
  expect(stdout).toContain('failed: server/a.test.ts › sums are right: expected 1 to be 2\n');
  expect(stdout).toContain('failed: e2e/a.spec.ts › log in: the page is blank\n');
});

test('a test that passes on its second attempt passes, and is listed', async () => {
  const name = join(project, 'server/a.test.ts');
  const one = { fullName: 'in time', status: 'passed', failureMessages: ['too late'] };
  await vitest({ ...VITEST, testResults: [{ name, status: 'passed', assertionResults: [one] }] });
  const { last, stdout } = runSteps();
  expect(last).toBe('15 passed, 0 failed');
  expect(stdout).toContain('5 passed, 0 failed (1 only at a second try, ');
  expect(stdout).toContain('only at a second try: server/a.test.ts › in time: too late\n');
});

test.each([
  ['ends badly without a failed test', () => vitest(VITEST, 'exit 1'), '15 passed, 1 failed'],
  ['leaves no report', () => tool('vitest', 'exit 0'), '10 passed, 1 failed'],
  ['ran no test', () => vitest({ ...VITEST, numPassedTests: 0 }), '10 passed, 1 failed'],
  ['is not there', () => rm(join(project, 'node_modules/.bin/vitest')), '10 passed, 1 failed'],
  [
    'could not load a file',
    () =>
      vitest({ ...VITEST, testResults: [{ name: '/a.test.ts', status: 'failed', assertionResults: [] }] }, 'exit 1'),
    '15 passed, 1 failed',
  ],
])('a test runner that %s is a failure', async (_, arrange, last) => {
  await arrange();
  expect(runSteps()).toMatchObject({ status: 1, last });
});

test('a screen above its weight limit fails the run', async () => {
  await tool('size-limit', '[ "$*" != "--config scripts/build/weight-limits.ts" ]');
  expect(runSteps()).toMatchObject({ status: 1, last: '14 passed, 1 failed' });
});

test('after a failed build, weights and browser journeys are not tested', async () => {
  await writeFile(join(project, 'scripts/ensure-build.mjs'), 'process.exit(1)');
  const { status, last, stdout } = runSteps();
  expect({ status, last }).toEqual({ status: 1, last: '10 passed, 3 failed' });
  expect(stdout).toContain('not run: Web build failed');
});

test("a developer's settings do not reach the tests", async () => {
  await tool('tsc', '[ -z "$DATABASE_URL" ]');
  expect(runSteps('--quick').last).toBe('5 passed, 0 failed');
});
