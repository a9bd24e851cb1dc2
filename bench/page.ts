import { type BenchName, benches, type Goal, goals } from './benches.ts';
import type { Row } from './row.ts';

/** One run of a bench. */
export interface Measured {
  readonly date: string;
  readonly machine: string;
  /** The one-minute load average at the start; above 1, the machine was doing other work. */
  readonly load?: number;
  /** The measured commit, with a '+' if files had changed since. */
  readonly commit: string;
  readonly seconds: number;
  readonly rows: readonly Row[];
}

/** The kept runs of each bench, newest last. */
export type History = Partial<Record<BenchName, readonly Measured[]>>;

const HEAD = `# Performance

Written by \`npm run bench\`; do not edit. Ratios are of things measured side by side in one run, alternating, medians of several
rounds, but \`memory\`, which is one; what is behind them belongs to the machine named. "Before" is the same row of the run before, so that a loss shows;
docs/performance.json keeps the runs. How it is measured: docs/decisions/0028-benches.md. What the rows would be on many
machines: docs/performance-at-scale.md; why a goal is not reached: docs/performance-limits.md.
`;

/** The text of docs/performance.md: every goal with its newest figures, including missed and unmeasured ones. */
export function performancePage(history: History): string {
  const sections = new Set(Object.values(goals).map(({ section }) => section));
  return [HEAD, ...[...sections].map((section) => sectionOf(section, history))].join('\n');
}

/** A section's benches, each under its first goal. */
function sectionOf(section: string, history: History): string {
  const rows = Object.entries<{ section: string; work: string }>(goals)
    .filter(([, goal]) => goal.section === section)
    .flatMap(([goal]) =>
      benchNames()
        .filter((name) => benches[name].goals[0] === goal)
        .flatMap((name) => rowsOf(name, history[name] ?? [])),
    );
  return [
    `## ${section}`,
    '',
    '| Work | Goal | Figure | Holds | Before | Behind it | Command | Date, commit, machine |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
    '',
  ].join('\n');
}

function rowsOf(name: BenchName, runs: readonly Measured[]): string[][] {
  const [newest, before] = [runs.at(-1), runs.at(-2)];
  const again = `\`npm run bench -- ${name}\``;
  if (newest === undefined) return [[worksOf(name), '', 'not measured yet', '**no**', '', '', again, '']];
  const { date, commit, machine, load } = newest;
  return newest.rows.map(({ work, goal, figure, holds, detail = '' }) => [
    work,
    goal,
    figure,
    holds === true ? 'yes' : holds === false ? '**no**' : holds,
    before?.rows.find((row) => row.work === work)?.figure ?? '',
    detail,
    again,
    `${date}, ${commit}, ${machine}${load === undefined ? '' : `, load ${load} before`}`,
  ]);
}

function worksOf(name: BenchName): string {
  const wanted: readonly Goal[] = benches[name].goals;
  return wanted.map((goal) => goals[goal].work).join('; ');
}

/** The names of all benches, in the order of the table. */
export function benchNames(): BenchName[] {
  return Object.keys(benches).filter(isBench);
}

function isBench(name: string): name is BenchName {
  return name in benches;
}
