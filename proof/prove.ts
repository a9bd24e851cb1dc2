import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Claim, type ClaimId, claims } from '#testing/evidence/claims.ts';
import { currentCommit } from '#testing/evidence/history.ts';
import { machine } from '#testing/evidence/machine.ts';
import type { Finding } from '#testing/evidence/record.ts';
import { isUnderWay, proofPage, type Shown, type ShownClaims, withRun } from './page.ts';

/**
 * Shows the claims of testing/evidence/claims.ts with their full counts, and writes docs/proof.md:
 *
 *   npm run prove                     all claims: some hours
 *   npm run prove -- kills failovers  the claims whose names begin so; the other rows stay
 *
 * A claim whose counts take hours needs several runs; only the missing ones are made.
 *
 * The exit code is 0 only if each chosen claim was shown: its tests passed, a figure was recorded, and its detector found the
 * planted fault.
 */

const root = join(import.meta.dirname, '..');
const kept = join(root, 'docs/proof.json');
const HOURS = 3_600_000;

const asked = process.argv.slice(2);
const chosen = Object.keys(claims)
  .filter(isClaim)
  .filter((claim) => asked.length === 0 || asked.some((name) => claim.startsWith(name)));
if (chosen.length === 0) {
  console.error(`No claim is called so. There are: ${Object.keys(claims).join(', ')}`);
  process.exit(2);
}

// Claims of the same tests share a run. Each run is saved immediately, beside the earlier and concurrent ones.
for (const [run, together] of Map.groupBy(chosen, runOf)) {
  console.log(`\n== ${together.join(', ')} (${run})`);
  while (runAndKeep(run, together));
}

const shown = shownSoFar();
for (const claim of chosen) console.log(`${shown[claim]?.holds ? 'ok  ' : 'FAIL'}  ${claim}: ${summary(shown[claim])}`);
process.exitCode = chosen.every((claim) => shown[claim]?.holds) ? 0 : 1;

function isClaim(name: string): name is ClaimId {
  return name in claims;
}

function shownSoFar(): ShownClaims {
  return existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
}

/** The file of a claim's tests, with the common part of the tests' names if not all show it. */
function runOf(id: ClaimId): string {
  const { by, tests }: Claim = claims[id];
  return tests === undefined ? by : `${by}: ${tests}`;
}

function summary(one: Shown | undefined): string {
  return one === undefined ? 'not shown' : [...one.figures, ...one.gaps].join('; ');
}

/** Runs these claims' tests once and saves the results; returns whether they need another run. */
function runAndKeep(run: string, together: readonly ClaimId[]): boolean {
  const ran = show(run, together);
  const before = shownSoFar();
  const now = ran.map(([claim, found]) => [claim, withRun(claims[claim], before[claim], found)] as const);
  const all = { ...before, ...Object.fromEntries(now) };
  writeFileSync(kept, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(join(root, 'docs/proof.md'), proofPage(all));
  return now.some(([claim, found]) => isUnderWay(claims[claim], found));
}

/** Runs the tests that these claims share with full counts; returns each claim's result. */
function show(run: string, together: readonly ClaimId[]): (readonly [ClaimId, Shown])[] {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-proof-'));
  const recorded = join(folder, 'findings.jsonl');
  const began = Date.now();
  const commit = currentCommit();
  const [program, ...args] = commandFor(run);
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PROOF: 'full', PROOF_RECORD: recorded },
  });
  const findings = existsSync(recorded) ? readFileSync(recorded, 'utf8').trimEnd().split('\n').map(parsed) : [];
  rmSync(folder, { recursive: true });
  const common = {
    commit,
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    seconds: secondsSince(began),
  };
  return together.map((claim) => {
    const { proves } = claims[claim];
    return [claim, { ...judged(claim, findings, status === 0), proves, ...common }];
  });
}

function commandFor(run: string): [program: string, ...args: string[]] {
  const [file = '', tests] = run.split(': ');
  if (file.startsWith('e2e/')) return ['@playwright/test/cli.js', 'test', '--timeout', `${HOURS}`, file];
  const some = tests === undefined ? [] : ['--testNamePattern', tests];
  return ['vitest/vitest.mjs', 'run', '--testTimeout', `${6 * HOURS}`, '--hookTimeout', `${HOURS}`, ...some, file];
}

function parsed(line: string): Finding {
  return JSON.parse(line);
}

function judged(claim: ClaimId, findings: readonly Finding[], passed: boolean) {
  const texts = (kind: Finding['kind']) =>
    findings.filter((finding) => finding.claim === claim && finding.kind === kind).map(({ text }) => text);
  const figures = texts('figure');
  const canaries = texts('canary');
  const gaps = [
    ...(passed ? [] : ['its tests failed']),
    ...texts('gap'),
    ...(figures.length > 0 || texts('gap').length > 0 ? [] : ['no figure was recorded']),
    ...(canaries.length > 0 ? [] : ['its detector was not shown to find a planted fault']),
  ];
  return { holds: gaps.length === 0, figures, canaries, gaps };
}

function secondsSince(began: number): number {
  return Math.round((Date.now() - began) / 1000);
}
