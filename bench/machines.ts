import { runTool } from './commands.ts';
import type { Row } from './row.ts';

/**
 * Two servers behind a proxy on one database stay right (issue 6): the proof of it, in its short form. What comes beyond
 * one PostgreSQL is on paper: docs/performance-at-scale.md.
 *
 *   node bench/machines.ts
 */

const FILE = 'proof/rolling-restarts.test.ts';
const COMMAND = 'npm run prove -- rolling-restarts';

export async function run(): Promise<Row[]> {
  const { code, output } = await runTool('vitest/vitest.mjs', ['run', FILE, '--reporter=json']);
  const report: { numPassedTests: number; numTotalTests: number } = JSON.parse(output.slice(output.indexOf('{')));
  return [
    {
      work: 'two servers behind a proxy on one database, restarted in turns under load',
      goal: '0 requests refused, cut or wrong',
      figure: `${report.numPassedTests} of ${report.numTotalTests} tests passed`,
      holds: code === 0,
      command: COMMAND,
      detail: 'full counts in docs/proof.md',
    },
  ];
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
