import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Bench, benches, type Goal, goals } from './benches.ts';
import { benchNames, performancePage } from './page.ts';

/** Every goal is measured, and the page of the repository says what was found. */

const root = join(import.meta.dirname, '..');

it.each(Object.keys(goals))('%s is measured by a bench', (goal) => {
  const wanted = Object.values<Bench>(benches).flatMap((bench): readonly string[] => bench.goals);
  expect(wanted).toContain(goal);
});

describe.each(benchNames())('%s', (name) => {
  it('is a file that can be run with the others and by itself', () => {
    const source = readFileSync(join(root, benches[name].file), 'utf8');
    expect(source).toMatch(/export (async )?function run\(/);
    expect(source).toMatch(/import\.meta\.(main|url)/);
  });
});

it('the page has rows for each bench, and says of none that it holds before it was measured', () => {
  const page = performancePage({});
  for (const name of benchNames()) expect(page).toContain(`\`npm run bench -- ${name}\``);
  expect(page).not.toContain('| yes |');
});

it('the page shows what falls short, and what it was the time before', () => {
  const row = (figure: string, holds: boolean) => ({ work: 'w', goal: 'g', figure, holds, command: 'c' });
  const run = { date: '2026-11-20', machine: 'm', commit: 'c', seconds: 1 };
  const page = performancePage({
    start: [
      { ...run, rows: [row('1.0 s', true)] },
      { ...run, rows: [row('2.0 s', false)] },
    ],
  });
  expect(page).toContain('| w | g | 2.0 s | **no** | 1.0 s |');
});

it('the page of the repository is the one that its figures make', () => {
  const history = JSON.parse(readFileSync(join(root, 'docs/performance.json'), 'utf8'));
  expect(readFileSync(join(root, 'docs/performance.md'), 'utf8')).toBe(performancePage(history));
});

/** Which goals a bench names first decides where the page shows it: each goal has its own place. */
it('every goal of a bench is in the table of goals', () => {
  const named: readonly Goal[] = Object.values<Bench>(benches).flatMap((bench) => bench.goals);
  for (const goal of named) expect(goals).toHaveProperty(goal);
});
