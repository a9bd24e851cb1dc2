import { closeSync, openSync, readSync } from 'node:fs';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The TCP sockets of this process's network, one a row; those that listen come first. */
const TABLES = { IPv4: '/proc/self/net/tcp', IPv6: '/proc/self/net/tcp6' } as const;
/** What the kernel gives at once. */
const PAGE_BYTES = 4_096;
/** A turn accepts one connection: with more than that there is no empty moment to wait for. */
const TURNS = 1_000;

/**
 * Stops listening in a turn of the event loop at whose end no connection waits to be accepted. What the kernel has taken and
 * the process has not is reset by a close, and a proxy that has sent a POST into it may not try again. Between the look and
 * the close nothing else is done, idle connections are left to others. Elsewhere than on Linux, where a sandbox hides the
 * table, and after a thousand turns that were never empty, it closes whoever waits.
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

/** Whether the row of the port says that the kernel has taken what nobody has accepted. */
function someWait(table: number, row: RegExp): boolean {
  const page = Buffer.alloc(PAGE_BYTES);
  for (let at = 0, read = 1; read > 0; at += read) {
    read = readSync(table, page, 0, PAGE_BYTES, at);
    const [, waiting] = row.exec(page.toString('latin1', 0, read)) ?? [];
    if (waiting !== undefined) return Number.parseInt(waiting, 16) > 0;
  }
  return false;
}
