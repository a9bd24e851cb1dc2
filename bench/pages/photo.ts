import { runTool } from '#bench/commands.ts';
import type { Row } from '#bench/row.ts';

/**
 * Runs the journeys that shrink a 3 MB photo in a real browser and resume an upload after a broken connection.
 *
 *   node scripts/ensure-build.mjs && node bench/pages/photo.ts
 */

const COMMAND = 'npx playwright test e2e/client/uploads.spec.ts';

export async function run(): Promise<Row[]> {
  const { output } = await runTool('@playwright/test/cli.js', [
    'test',
    'e2e/client/uploads.spec.ts',
    '--reporter=json',
  ]);
  const { stats }: { stats: { expected: number; unexpected: number; flaky: number } } = JSON.parse(
    output.slice(output.indexOf('{\n')),
  );
  const passed = stats.expected > 0 && stats.unexpected === 0 && stats.flaky === 0;
  return [
    {
      work: 'a photo of 3 MB as a document; an upload on a line that drops',
      goal: 'sent as at most 400 kB, legible; resumes with what is missing',
      figure: `${stats.expected} of ${stats.expected + stats.unexpected + stats.flaky} journeys passed`,
      holds: passed,
      command: COMMAND,
      detail: 'a page of A4 keeps 109 to 205 dots an inch (docs/decisions/0025-uploads-that-resume.md)',
    },
  ];
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
