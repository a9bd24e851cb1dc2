import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { type ClaimId, claims } from './claims.ts';
import { proofPage, type Shown, type ShownClaims } from './page.ts';
import type { Finding } from './record.ts';

/**
 * Shows the claims of proof/claims.ts with their full counts, and writes docs/proof.md:
 *
 *   npm run prove                     all of them: some hours
 *   npm run prove -- kills failovers  those whose names begin so; the other rows of the page stay
 *
 * The exit code is 0 only if each claim asked for was shown: its tests passed, a figure was recorded, and its detector
 * found the fault that was planted for it.
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

let page = existsSync(kept) ? readFileSync(kept, 'utf8') : '{}';
for (const file of new Set(chosen.map((claim) => claims[claim].by))) {
  const ofFile = chosen.filter((claim) => claims[claim].by === file);
  console.log(`\n== ${ofFile.join(', ')} (${file})`);
  page = withShown(page, show(file, ofFile));
  writeFileSync(kept, page);
  writeFileSync(join(root, 'docs/proof.md'), proofPage(read(page)));
}

const shown = read(page);
for (const claim of chosen) console.log(`${shown[claim]?.holds ? 'ok  ' : 'FAIL'}  ${claim}: ${summary(shown[claim])}`);
process.exitCode = chosen.every((claim) => shown[claim]?.holds) ? 0 : 1;

function isClaim(name: string): name is ClaimId {
  return name in claims;
}

function read(text: string): ShownClaims {
  return JSON.parse(text);
}

function withShown(text: string, more: ShownClaims): string {
  return `${JSON.stringify({ ...read(text), ...more }, null, 2)}\n`;
}

function summary(one: Shown | undefined): string {
  return one === undefined ? 'not shown' : [...one.figures, ...one.gaps].join('; ');
}

/** Runs one file with its full counts, and gives what it found of each claim. */
function show(file: string, ofFile: readonly ClaimId[]): ShownClaims {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-proof-'));
  const recorded = join(folder, 'findings.jsonl');
  const began = Date.now();
  const [program, ...args] = commandFor(file);
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PROOF: 'full', PROOF_RECORD: recorded },
  });
  const findings = existsSync(recorded) ? readFileSync(recorded, 'utf8').trimEnd().split('\n').map(parsed) : [];
  rmSync(folder, { recursive: true });
  const common = { date: new Date().toISOString().slice(0, 10), machine: machine(), seconds: secondsSince(began) };
  return Object.fromEntries(ofFile.map((claim) => [claim, { ...judged(claim, findings, status === 0), ...common }]));
}

function commandFor(file: string): [program: string, ...args: string[]] {
  if (file.startsWith('e2e/')) return ['@playwright/test/cli.js', 'test', '--timeout', `${HOURS}`, file];
  return ['vitest/vitest.mjs', 'run', '--testTimeout', `${6 * HOURS}`, '--hookTimeout', `${HOURS}`, file];
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
    ...(figures.length > 0 ? [] : ['no figure was recorded']),
    ...(canaries.length > 0 ? [] : ['its detector was not shown to find a planted fault']),
  ];
  return { holds: gaps.length === 0, figures, canaries, gaps };
}

function machine(): string {
  const [processor] = cpus();
  return `${cpus().length} × ${processor?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

function secondsSince(began: number): number {
  return Math.round((Date.now() - began) / 1000);
}
