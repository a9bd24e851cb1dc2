import { closeSync, openSync, readSync } from 'node:fs';
import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Of each Internet protocol: the sockets of this process's network, those that listen first. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** What one read gives: far more than all that listen on a machine. */
const READ_BYTES = 64 * 1024;
const LISTENING = '0A';

/**
 * Waits for a turn of the event loop at whose end no connection waits to be accepted, for so many turns at most. Closed in
 * that moment, without a wait in between, a server drops none: what the kernel has taken and the process has not is reset
 * by a close, and a proxy that has sent a POST into it may not try again. Elsewhere than on Linux it waits for nothing.
 */
export async function emptyAcceptQueue(server: Server, turns: number): Promise<void> {
  const bound = server.address();
  if (process.platform !== 'linux' || typeof bound !== 'object' || bound === null) return;
  for (let turn = 0; turn < turns && waiting(bound.port) > 0; turn += 1) await nextTurn();
}

/** How many connections to a port of this machine the kernel has taken and nobody has accepted; 0 where it does not say. */
function waiting(port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return TABLES.flatMap(rowsOf)
    .filter(([, local, , state]) => state === LISTENING && local?.endsWith(suffix))
    .reduce((sum, [, , , , queues = '']) => sum + Number.parseInt(queues.split(':')[1] ?? '0', 16), 0);
}

function rowsOf(table: string): string[][] {
  try {
    const file = openSync(table);
    try {
      const text = Buffer.alloc(READ_BYTES);
      const rows = text.toString('latin1', 0, readSync(file, text)).split('\n');
      return rows.map((row) => row.trim().split(/ +/));
    } finally {
      closeSync(file);
    }
  } catch {
    return []; // no such protocol, or a sandbox that hides it
  }
}
