import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '#bench/commands.ts';
import type { Row } from '#bench/row.ts';

/**
 * Two servers behind a proxy on one database: the short form of that proof. docs/performance-at-scale.md estimates what lies beyond
 * one PostgreSQL.
 *
 *   node bench/server/machines.ts
 */

const FILE = 'proof/upgrades/rolling-restarts.test.ts';
const COMMAND = 'npm run prove -- rolling-restarts';

export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-machines-'));
  const file = join(folder, 'report.json');
  const { code } = await runTool('vitest/vitest.mjs', ['run', FILE, '--reporter=json', `--outputFile.json=${file}`]);
  const report: { numPassedTests: number; numTotalTests: number } = JSON.parse(await readFile(file, 'utf8'));
  await rm(folder, { recursive: true });
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
