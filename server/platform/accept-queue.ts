import { closeSync, openSync, readSync } from 'node:fs';
import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The TCP sockets of this process's network, one a row; those that listen come first. */
const TABLES = { IPv4: '/proc/self/net/tcp', IPv6: '/proc/self/net/tcp6' } as const;
/** What the kernel gives at once. */
const PAGE_BYTES = 4_096;
const LISTENING = '0A';

/**
 * Waits for a turn of the event loop at whose end no connection waits to be accepted, for so many turns at most. Closed in
 * that moment, without a wait in between, a server drops none: what the kernel has taken and the process has not is reset
 * by a close, and a proxy that has sent a POST into it may not try again. Elsewhere than on Linux it waits for nothing.
 */
export async function emptyAcceptQueue(server: Server, turns: number): Promise<void> {
  const bound = server.address();
  if (process.platform !== 'linux' || typeof bound !== 'object' || bound === null) return;
  const table = bound.family === 'IPv6' ? TABLES.IPv6 : TABLES.IPv4;
  for (let turn = 0; turn < turns && waiting(table, bound.port) > 0; turn += 1) await nextTurn();
}

/** How many connections to a port the kernel has taken and nobody has accepted; 0 where a sandbox hides the table. */
function waiting(table: string, port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  try {
    return listening(table)
      .filter(([, local]) => local?.endsWith(suffix))
      .reduce((sum, [, , , , queues = '']) => sum + Number.parseInt(queues.split(':')[1] ?? '0', 16), 0);
  } catch {
    return 0;
  }
}

/** The rows of sockets that listen: the rest of the table can be long, and time passes while it is read. */
function listening(table: string): string[][] {
  const file = openSync(table, 'r');
  try {
    const page = Buffer.alloc(PAGE_BYTES);
    const rows: string[][] = [];
    for (let read = readSync(file, page); read > 0; read = readSync(file, page)) {
      const all = page.toString('latin1', 0, read).trimEnd().split('\n');
      rows.push(...all.map((row) => row.trim().split(/ +/)));
      if (rows.at(-1)?.[3] !== LISTENING) break;
    }
    return rows.filter(([, , , state]) => state === LISTENING);
  } finally {
    closeSync(file);
  }
}
