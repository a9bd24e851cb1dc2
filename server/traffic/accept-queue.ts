import { closeSync, openSync, readSync } from 'node:fs';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Tables of the TCP sockets in this process's network, one per row, listening sockets first. */
const TABLES = { IPv4: '/proc/self/net/tcp', IPv6: '/proc/self/net/tcp6' } as const;
/** How much of such a file one read returns. */
const PAGE_BYTES = 4_096;
/** Each turn accepts one connection, so there may be no empty moment while more arrive. */
const TURNS = 1_000;

/**
 * Stops listening at the end of a turn of the event loop in which no connection waits to be accepted. A close resets
 * connections that the kernel has accepted and the process has not, and a proxy that sent a POST into one may not
 * retry. Nothing else runs between check and close; idle connections are left to others. On systems other than Linux,
 * in a sandbox that hides the table, and after a thousand busy turns, it closes anyway.
 */
export async function stopListening(server: Server): Promise<void> {
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null) return;
  const table = openTable(bound.family === 'IPv6' ? TABLES.IPv6 : TABLES.IPv4);
  const port = bound.port.toString(16).toUpperCase().padStart(4, '0');
  const row = new RegExp(`:${port} \\S+ 0A \\S+:(\\S+) `);
  try {
    for (let turn = 0; table !== undefined && turn < TURNS && someWait(table, row); turn += 1) await nextTurn();
    NetServer.prototype.close.call(server);
  } finally {
    if (table !== undefined) closeSync(table);
  }
}

function openTable(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

/** Whether the port's row shows a connection that waits to be accepted. */
function someWait(table: number, row: RegExp): boolean {
  const page = Buffer.alloc(PAGE_BYTES);
  for (let at = 0, read = 1; read > 0; at += read) {
    read = readSync(table, page, 0, PAGE_BYTES, at);
    const [, waiting] = row.exec(page.toString('latin1', 0, read)) ?? [];
    if (waiting !== undefined) return Number.parseInt(waiting, 16) > 0;
  }
  return false;
}
