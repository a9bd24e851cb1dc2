import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isAlive, projectEnvironment, root, runtime } from './workspace.mjs';

/**
 * Runs all checks: types, lint, dead code and the age of proofs in parallel, then Vitest, the web build, its weight and the
 * browser journeys in sequence, even after a failure; `--quick` stops before Vitest, and begins with the lint of what differs from the last commit,
 * which takes seconds where the whole takes minutes on a busy machine: after a mistake there nothing else runs. `--proofs`, as in CI,
 * adds the short forms of the proofs. A step without tests counts as one check. The summary lists
 * failed tests, and tests that passed on the second attempt, which CI allows; the last line is `N passed, N failed`. The exit
 * code is 0 only without failures.
 */

/** Four times the duration of the longest step on two idle cores, to allow for busy machines. */
const STEP_LIMIT_MS = 40 * 60_000;
const KILL_AFTER_MS = 10_000;

/** Product settings that are removed from the environment. */
const SETTINGS =
  /^(PORT|HOST|DATA_DIR|DATABASE_URL|DATABASE_OWNER_URL|AUDIT_WITNESS.*|BACKUP_RECIPIENTS|EMBEDDED_DATABASE|STORAGE_URL|CLAMAV_URL|SMTP_.*|SMS_.*|PUBLIC_URL|SESSION_IDLE_MINUTES|SECOND_FACTOR|TRUST_PROXY|SEED|SIMULATORS|DEMONSTRATION|METRICS_TOKEN|METRICS_LISTEN|OTEL_.*|INVOICE_MAXIMUM_AGE_DAYS|ACTIVATION_TARGET_HOURS|DECISION_TARGET_HOURS|SECOND_APPROVAL_ABOVE|NEW_OFFICER_HOURS|PAYOUT_ACCOUNT_WAIT_HOURS|NEW_PERSON_DAYS|FUNDING_LIMIT_.*|MINIMUM_ADVANCE|SECRET_KEY.*|DRAIN_SECONDS|SIGN_UP_TEXTS_A_DAY|STORAGE_QUOTA_MB|TEXTS_A_PERSON_AN_HOUR|OFFER_VALID_DAYS|EXTENSIONS_MAXIMUM|RESUBMIT_PAUSE_MINUTES|REPAYMENT_ACCOUNTS|REMINDER_DAYS|OVERDUE_BLOCKS_AFTER_DAYS|LATE_CHARGE_PER_DAY|RAIL_.*|WALLET_.*|MTN_.*|AIRTEL_.*|BANK_FILE_.*|LOG_LEVEL|NODE_ENV|PROOF|PROOF_RECORD)$/;

/** Thousands of databases are created and dropped, which on a disk takes a third of the run. */
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_NEEDED = 4 * 2 ** 30;

const scratch = await scratchFolder();
const reports = await mkdtemp(join(scratch, 'reports-'));
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');
const vitestReporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`];

const withoutProofs = process.argv.includes('--proofs') ? [] : ['--exclude', 'proof/**'];

const quick = [
  { name: 'Types', command: ['tsc', '-b'] },
  { name: 'Lint (Biome)', command: ['biome', 'ci', '.'] },
  { name: 'Lint (oxlint)', command: ['oxlint', '--type-aware'] },
  { name: 'Dead code (knip)', command: ['knip'] },
  { name: 'Age of proofs', command: [runtime(), join(root, 'proof/name-older.ts')] },
];
const slow = [
  {
    name: 'Units and server (Vitest)',
    command: ['vitest', 'run', ...withoutProofs, ...vitestReporters],
    count: countVitest,
  },
  { name: 'Web build', command: [runtime(), join(root, 'scripts/ensure-build.mjs')] },
  {
    name: 'Weight (size-limit)',
    needs: 'Web build',
    command: ['size-limit', '--config', 'scripts/build/weight-limits.ts'],
  },
  {
    name: 'Browser journeys (Playwright)',
    needs: 'Web build',
    command: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    count: countPlaywright,
  },
];

const running = new Set();
let interrupted;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = signal;
    for (const child of running) child.kill(signal);
  });
}

const results = [];
const isQuick = process.argv.includes('--quick');
const changed = isQuick ? changedFiles() : [];
if (changed.length > 0)
  await runTogether([
    { name: 'Lint of what changed (Biome)', command: ['biome', 'ci', '--no-errors-on-unmatched', ...changed] },
    {
      name: 'Lint of what changed (oxlint)',
      command: ['oxlint', '--type-aware', '--no-error-on-unmatched-pattern', ...changed],
    },
  ]);
if (results.every(({ failed }) => failed === 0)) {
  await runTogether(quick);
  for (const step of isQuick ? [] : slow) results.push(await outcomeOf(step));
}
// The next run removes what cannot be removed now.
await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
report();

async function runTogether(steps) {
  results.push(...(await Promise.all(steps.map((step) => outcomeOf({ ...step, isBesideOthers: true })))));
}

/** The sources that differ from the last commit; none without a history. */
function changedFiles() {
  const status = ['status', '--porcelain', '--no-renames', '--untracked-files=all', '-z'];
  const { stdout } = spawnSync('git', ['--git-dir', join(root, '.git'), '--work-tree', root, ...status], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = (stdout ?? '').split('\0').map((entry) => entry.slice(3));
  return files.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && existsSync(join(root, file)));
}

/** The tests' temporary folder: in memory if there is space, otherwise the system's. */
async function scratchFolder() {
  const prefix = 'kasente-tests-';
  const { type, bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({}));
  const fits = type === 0x01021994 && Math.min(bavail * bsize, freemem()) > MEMORY_NEEDED;
  const parent = fits ? MEMORY_FOLDER : tmpdir();
  for (const name of await readdir(parent)) {
    // Files of a killed run would stay in memory.
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : process.pid;
    if (!isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  await chmod(folder, 0o755); // if this runs as root, PostgreSQL runs as another user and needs access
  return folder;
}

async function outcomeOf({ name, ...step }) {
  const needed = results.find(({ name }) => name === step.needs);
  if (interrupted !== undefined) return { name, passed: 0, failed: 1, note: 'not run: interrupted' };
  if (needed !== undefined && needed.failed > 0)
    return { name, passed: 0, failed: 1, note: `not run: ${needed.name} failed` };
  if (!step.isBesideOthers) console.log(`\n== ${name}`);
  const began = Date.now();
  const { failure, said } = await run(step);
  // Parallel steps print their output when they end.
  if (step.isBesideOthers) console.log(`\n== ${name}\n${said}`);
  const seconds = `${((Date.now() - began) / 1000).toFixed(1)} s`;
  const { passed, failed, note, failing = [], flaky = [] } = await counted(step, failure);
  const again = flaky.length === 0 ? undefined : `${flaky.length} only at a second try`;
  return { name, passed, failed, failing, flaky, note: [again, note, seconds].filter(Boolean).join(', ') };
}

/** Why the program failed, if it did, and the output of a parallel step. */
async function run({ command: [program, ...args], env, isBesideOthers = false }) {
  const inherited = Object.entries(projectEnvironment(env)).filter(([name]) => !SETTINGS.test(name));
  const child = spawn(program, args, {
    cwd: root,
    // The tests start about fifty servers, which share compiled code.
    env: { NODE_COMPILE_CACHE: join(root, '.cache/compile'), ...Object.fromEntries(inherited), TMPDIR: scratch },
    stdio: isBesideOthers ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (said += piece));
  const tooLong = setTimeout(() => child.kill('SIGTERM'), STEP_LIMIT_MS);
  const farTooLong = setTimeout(() => child.kill('SIGKILL'), STEP_LIMIT_MS + KILL_AFTER_MS);
  try {
    const [code, signal] = await once(child, 'close');
    return { said, failure: code === 0 ? undefined : `ended with ${signal ?? code}` };
  } catch (error) {
    return { said, failure: `could not be run (${error.message})` };
  } finally {
    running.delete(child);
    clearTimeout(tooLong);
    clearTimeout(farTooLong);
  }
}

/** A step that fails without a failed test, or runs no test, counts as a failure. */
async function counted({ count }, failure) {
  if (count === undefined)
    return failure === undefined ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, note: failure };
  let counts;
  try {
    counts = await count();
  } catch (error) {
    return { passed: 0, failed: 1, note: `${failure ?? 'ended'}, without a report (${error.message})` };
  }
  if (failure !== undefined && counts.failed === 0) return { ...counts, failed: 1, note: failure };
  if (counts.passed + counts.failed === 0) return { passed: 0, failed: 1, note: 'ran no test' };
  return counts;
}

async function countVitest() {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    await readFile(vitestReport, 'utf8'),
  );
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, name: `${relative(root, name)} › ${test.fullName}` })),
  );
  // A file that cannot be loaded has no tests.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    note: skippedNote(numPendingTests),
    failing: [
      ...tests.filter(({ status }) => status === 'failed').map(withReason),
      ...broken.map(({ name, message }) => withReason({ name: relative(root, name), failureMessages: [message] })),
    ],
    flaky: tests.filter((test) => test.status === 'passed' && test.failureMessages.length > 0).map(withReason),
  };
}

async function countPlaywright() {
  const { stats, errors, suites } = JSON.parse(await readFile(playwrightReport, 'utf8'));
  const specs = suites.flatMap(specsIn);
  const ended = (status) => specs.filter(({ tests }) => tests.some((test) => test.status === status)).map(withReason);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    note: skippedNote(stats.skipped),
    failing: [...ended('unexpected'), ...errors.map(({ message }) => firstLine(message))],
    flaky: ended('flaky'),
  };
}

/** The journeys of a suite and its sub-suites, with the errors of their attempts. */
function specsIn({ specs = [], suites = [] }) {
  const own = specs.map(({ file, title, tests }) => ({
    name: `e2e/${file} › ${title}`,
    tests,
    failureMessages: tests.flatMap(({ results }) =>
      results.flatMap(({ errors }) => errors.map(({ message }) => message)),
    ),
  }));
  return [...own, ...suites.flatMap(specsIn)];
}

function withReason({ name, failureMessages }) {
  return [name, firstLine(failureMessages[0])].filter(Boolean).join(': ');
}

function firstLine(message = '') {
  return stripVTControlCharacters(message).split('\n')[0];
}

function skippedNote(skipped) {
  return skipped === 0 ? undefined : `${skipped} skipped`;
}

function report() {
  console.log('\n== Summary');
  for (const { name, passed, failed, note, failing = [], flaky = [] } of results) {
    console.log(`${failed === 0 ? 'ok  ' : 'FAIL'}  ${name}: ${passed} passed, ${failed} failed (${note})`);
    for (const test of failing) console.log(`      failed: ${test}`);
    for (const test of flaky) console.log(`      only at a second try: ${test}`);
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
}
