import type { Row } from '#bench/row.ts';
import { listRows } from './api-list.ts';

const COMMAND = 'node bench/api/api-list-all.ts';

/** Everybody’s list, as staff see it: node bench/api/api-list-all.ts */
export function run(): Promise<Row[]> {
  return listRows('all', COMMAND);
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
