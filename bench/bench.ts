import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { keepingFilled } from '#bench/fills/filled.ts';
import { machine } from '#testing/evidence/machine.ts';
import { type Bench, type BenchName, benches } from './benches.ts';
import { benchNames, type History, type Measured, performancePage } from './page.ts';
import type { Row } from './row.ts';

/**
 * Measures every goal of benches.ts and writes docs/performance.md:
 *
 *   npm run bench                         all benches: about an hour
 *   npm run bench -- api-save start       the benches whose names begin so; the other rows stay
 *
 * The machine must do nothing else. The exit code is 0 only if no row falls short.
 */

const root = join(import.meta.dirname, '..');
const kept = join(root, 'docs/performance.json');
/** The runs kept of each bench, to see when something became slower. */
const RUNS_KEPT = 8;

const asked = process.argv.slice(2);
const chosen = benchNames().filter((name) => asked.length === 0 || asked.some((word) => name.startsWith(word)));
if (chosen.length === 0) {
  console.error(`No bench is called so. There are: ${benchNames().join(', ')}`);
  process.exit(2);
}

const shortOf: string[] = [];
await keepingFilled(async () => {
  for (const name of chosen) {
    console.log(`\n== ${name} (${benches[name].file})`);
    const measured = await measure(name);
    remember(name, measured);
    for (const { work, goal, figure, holds } of measured.rows) {
      console.log(`${holds === true ? 'ok  ' : holds === false ? 'FAIL' : '----'}  ${work}: ${figure} (goal: ${goal})`);
      if (holds === false) shortOf.push(work);
    }
  }
});
if (shortOf.length > 0) console.log(`\nShort of the goal: ${shortOf.join('; ')}`);
process.exitCode = shortOf.length === 0 ? 0 : 1;

async function measure(name: BenchName): Promise<Measured> {
  const { file, argument }: Bench = benches[name];
  const began = performance.now();
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const bench: { run(argument?: string): Promise<Row[]> } = await import(join(root, file));
  const rows = await bench.run(argument).catch((error: unknown) => [failedRow(name, error)]);
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    load,
    commit: commit(),
    seconds: Math.round((performance.now() - began) / 1000),
    rows,
  };
}

/** The row of a bench that fails to run: it counts as falling short, and the next benches still run. */
function failedRow(name: BenchName, error: unknown): Row {
  console.error(error);
  const reason = error instanceof Error ? error.message : String(error);
  const figure = `could not be measured: ${reason.split('\n')[0]}`;
  return { work: name, goal: 'to be measured', figure, holds: false, command: `node ${benches[name].file}` };
}

function remember(name: BenchName, measured: Measured): void {
  const history: History = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
  history[name] = [...(history[name] ?? []), measured].slice(-RUNS_KEPT);
  writeFileSync(kept, `${JSON.stringify(history, null, 2)}\n`);
  writeFileSync(join(root, 'docs/performance.md'), performancePage(history));
}

/** The measured commit, with a '+' if files of the product have changed since. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', 'server', 'contract', 'web', 'package-lock.json') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    return 'unknown commit'; // an archive, not a clone
  }
}
