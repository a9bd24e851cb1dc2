import { runTool } from '#bench/commands.ts';
import type { Row } from '#bench/row.ts';

/**
 * The brotli size of the application's entry, as size-limit also checks it in `npm test`.
 *
 *   node scripts/ensure-build.mjs && node bench/pages/weight.ts
 */

const GOAL_BYTES = 105_000;
const COMMAND = 'node scripts/ensure-build.mjs && node bench/pages/weight.ts';

export async function run(): Promise<Row[]> {
  const { output } = await runTool('size-limit/bin.js', ['--config', 'scripts/build/weight-limits.ts', '--json']);
  const weighed: { name: string; size: number }[] = JSON.parse(output);
  const entry = weighed.find(({ name }) => name === '/login')?.size ?? Number.NaN;
  return [
    {
      work: 'the application’s entry, script and style, brotli',
      goal: `${GOAL_BYTES / 1000} kB`,
      figure: `${(entry / 1000).toFixed(1)} kB`,
      holds: entry <= GOAL_BYTES,
      command: COMMAND,
      detail: weighed.map(({ name, size }) => `${name} ${(size / 1000).toFixed(1)}`).join('; '),
    },
  ];
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
