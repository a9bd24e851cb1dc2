import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Claim, claims } from '#testing/evidence/claims.ts';
import { isUnderWay, proofPage, type Shown, withRun } from './page.ts';

/** Every claim has a file that records its figure and its canary. */

const root = join(import.meta.dirname, '..');

/** The texts of a file and of the harnesses next to it, which may record for it. */
function sourcesOf(path: string): string {
  const folder = join(root, path, '..');
  const harnesses = readdirSync(folder).filter((name) => name.endsWith('.harness.ts'));
  return [
    readFileSync(join(root, path), 'utf8'),
    ...harnesses.map((name) => readFileSync(join(folder, name), 'utf8')),
  ].join('\n');
}

describe.each(Object.entries<Claim>(claims))('%s', (id, { by, proves }) => {
  it(`is shown by ${by}, with its figure and its canary`, () => {
    const sources = sourcesOf(by);
    expect(sources).toContain(`'${id}'`);
    expect(sources).toContain('proved(');
    expect(sources).toContain('canaryFound(');
  });

  it('names existing code that it proves', () => {
    expect(proves).not.toEqual([]);
    expect(proves.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
  });
});

it('the page has a row for each claim, and none holds before it was shown', () => {
  const page = proofPage({});
  for (const id of Object.keys(claims)) expect(page).toContain(`\`npm run prove -- ${id}\``);
  expect(page).not.toContain('| yes |');
});

describe('a row of the page', () => {
  const shown: Shown = {
    holds: true,
    figures: ['50 kills, 0 lost; back at worst 900 ms later', '51 kills, 0 lost; back at worst 1200 ms later'],
    canaries: ['found'],
    gaps: [],
    proves: ['server/db/', 'server/serve.ts'],
    commit: '2f87ec5b-changed',
    date: '2026-11-20',
    machine: 'm',
    seconds: 10,
  };

  it('names commit and code', () => {
    expect(proofPage({ failovers: shown })).toContain(
      '| `server/db/`, `server/serve.ts` | 2f87ec5b-changed | 2026-11-20, m, 10 s |',
    );
  });

  it('adds up several runs that differ only in their numbers', () => {
    const page = (figures: readonly string[]) => proofPage({ 'kills-embedded': { ...shown, runs: 2, figures } });
    expect(page(shown.figures)).toContain('| in 2 runs: 101 kills, 0 lost; back at worst 1200 ms later |');
    expect(page(['1 kill', '2 kills'])).toContain('| 1 kill; 2 kills |');
    expect(proofPage({ failovers: shown })).toContain(`| ${shown.figures.join('; ')} |`);
  });
});

it('docs/proof.md is the page of docs/proof.json', () => {
  const shown = JSON.parse(readFileSync(join(root, 'docs/proof.json'), 'utf8'));
  expect(readFileSync(join(root, 'docs/proof.md'), 'utf8')).toBe(proofPage(shown));
});

describe('a claim of three runs', () => {
  const claim: Claim = { section: 'Faults', against: 'a', goal: 'b', by: 'c', proves: ['d/'], runs: 3 };
  const run = (figure: string, holds = true): Shown => ({
    holds,
    figures: [figure],
    canaries: ['found'],
    gaps: holds ? [] : ['its tests failed'],
    proves: claim.proves,
    commit: `commit of ${figure}`,
    date: '2026-11-20',
    machine: 'm',
    seconds: 10,
  });
  const first = withRun(claim, undefined, run('1'));
  const second = withRun(claim, first, run('2'));
  const third = withRun(claim, second, run('3'));

  it('holds after three, and not before', () => {
    expect([first, second, third].map(({ holds }) => holds)).toEqual([false, false, true]);
    expect([first, second, third].map((shown) => isUnderWay(claim, shown))).toEqual([true, true, false]);
    expect(second.gaps).toEqual(['2 of 3 runs so far']);
    expect(third).toMatchObject({ figures: ['1', '2', '3'], canaries: ['found'], gaps: [], seconds: 30 });
  });

  it('records the commit of its first run', () => {
    expect(third.commit).toBe('commit of 1');
    expect(withRun(claim, third, run('4')).commit).toBe('commit of 4');
  });

  it('starts over after a failed run, and after it has held', () => {
    const failed = withRun(claim, second, run('x', false));
    expect(failed).toMatchObject({ holds: false, figures: ['x'], gaps: ['its tests failed'] });
    expect(isUnderWay(claim, failed)).toBe(false);
    expect(withRun(claim, failed, run('4'))).toMatchObject({ figures: ['4'], runs: 1 });
    expect(withRun(claim, third, run('4'))).toMatchObject({ figures: ['4'], runs: 1, holds: false });
  });

  it('does not affect a claim of one run', () => {
    const { runs: _, ...ofOne } = claim;
    expect(withRun(ofOne, third, run('4'))).toEqual(run('4'));
    expect(isUnderWay(ofOne, run('4'))).toBe(false);
  });
});
