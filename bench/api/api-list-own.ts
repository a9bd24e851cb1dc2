import type { Row } from '#bench/row.ts';
import { listRows } from './api-list.ts';

const COMMAND = 'node bench/api/api-list-own.ts';

/** Clients’ own lists: node bench/api/api-list-own.ts */
export function run(): Promise<Row[]> {
  return listRows('own', COMMAND);
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
