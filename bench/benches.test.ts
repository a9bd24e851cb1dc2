import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Bench, benches, type Goal, goals } from './benches.ts';
import { benchNames, performancePage } from './page.ts';

/** Every goal has a bench, and docs/performance.md is the page of docs/performance.json. */

const root = join(import.meta.dirname, '..');

it.each(Object.keys(goals))('%s is measured by a bench', (goal) => {
  const wanted = Object.values<Bench>(benches).flatMap((bench): readonly string[] => bench.goals);
  expect(wanted).toContain(goal);
});

describe.each(benchNames())('%s', (name) => {
  it('is a file that runs with the others and by itself', () => {
    const source = readFileSync(join(root, benches[name].file), 'utf8');
    expect(source).toMatch(/export (async )?function run\(/);
    expect(source).toMatch(/import\.meta\.(main|url)/);
  });
});

it('the page has rows for each bench, and none holds before it was measured', () => {
  const page = performancePage({});
  for (const name of benchNames()) expect(page).toContain(`\`npm run bench -- ${name}\``);
  expect(page).not.toContain('| yes |');
});

it('the page shows a row that falls short, and its figure before', () => {
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

it('docs/performance.md is the page of docs/performance.json', () => {
  const history = JSON.parse(readFileSync(join(root, 'docs/performance.json'), 'utf8'));
  expect(readFileSync(join(root, 'docs/performance.md'), 'utf8')).toBe(performancePage(history));
});

it('every goal of a bench is in the table of goals', () => {
  const named: readonly Goal[] = Object.values<Bench>(benches).flatMap((bench) => bench.goals);
  for (const goal of named) expect(goals).toHaveProperty(goal);
});
