import { listRows } from './api-list.ts';
import type { Row } from './row.ts';

const COMMAND = 'node bench/api-list-all.ts';

/** Everybody’s list, as staff see it: node bench/api-list-all.ts */
export function run(): Promise<Row[]> {
  return listRows('all', COMMAND);
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
