import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { codeOf } from '#server/machine/error-codes.ts';
import { type Account, spawnAs } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';

/**
 * The shell between Kasente and PostgreSQL. Its stdin is a pipe that only Kasente holds. When Kasente ends for whatever
 * reason, the pipe closes and the shell stops PostgreSQL. SIGTERM gives connections that are closing a second; then
 * SIGINT ends the rest. Both stop PostgreSQL in an orderly way. SIGINT is repeated because PostgreSQL ignores it early
 * in its start. The shell's own stderr is discarded: its message about a killed job would go to a pipe that nobody
 * reads any more, and end the shell before it has cleaned up. $0 is a folder to remove at the end ('' for none).
 */
const GUARD = `
exec 4<&0
"$@" 4<&- </dev/null &
guarded=$!
exec 2>/dev/null
( read -r _ <&4; kill -TERM $guarded; sleep 1; while kill -INT $guarded; do sleep 0.2; done ) 3>&- &
watch=$!
wait $guarded
status=$?
kill $watch
rm -rf "$0"
exit $status`;

/**
 * Prepended if there is a lock file, which is descriptor 3. The lock is held until the last PostgreSQL process is gone,
 * however it ended, and works across containers. Without flock (macOS), PostgreSQL's own lock must suffice.
 */
const LOCK = `
flock -n 3 2>/dev/null
[ $? -eq 1 ] && { rm -rf "$0"; exit 75; }`;
const LOCKED = 75;

/** Only part of the socket's name; nothing listens on the network. */
export const PORT = 5432;

const READY = 'database system is ready to accept connections';
/** Socket folders are short, because a socket's path may have at most 107 characters. */
const SOCKET_PARENTS = ['/tmp', '/var/tmp'] as const;
const LINES_KEPT = 30;
const LAST_WORDS_MS = 200;

/** Settings of every cluster. A caller can't override the last group, because the launcher relies on it. */
const DEFAULTS = { timezone: 'UTC', log_timezone: 'UTC', log_checkpoints: 'off' } as const;
const REQUIRED = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: String(PORT),
  cluster_name: 'kasente',
  lc_messages: 'C', // the launcher parses its log
  log_min_messages: 'log', // not 'error': the values of a failed statement must not be logged
  log_min_error_statement: 'panic', // nor the statement itself
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '',
} as const;

/** The program to start, its account, and the location of its lock file. */
export interface Launch {
  readonly program: string;
  readonly clusterFolder: string;
  readonly account: Account | undefined;
  readonly settings: Readonly<Record<string, string>>;
  /** The process id in `postmaster.pid`, if we found that another process has it now. */
  readonly stalePid: number | undefined;
  /** Gets every line that PostgreSQL writes. */
  readonly hear: (line: string) => void;
}

export interface RunningPostgres {
  readonly socketFolder: string;
  /** Settles with the last reason once PostgreSQL has ended. */
  readonly ended: Promise<string>;
  /** Stops it in an orderly way: open transactions are rolled back, committed data is on disk. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and waits until it accepts connections. 'taken' means that another process holds the folder. Throws
 * {@link StartFailure} with PostgreSQL's own reason if it can't start.
 */
export async function launchPostgres(launch: Launch): Promise<RunningPostgres | 'taken'> {
  const socketFolder = await makeSocketFolder(launch.account);
  const settings = Object.entries({ ...DEFAULTS, ...launch.settings, ...REQUIRED });
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { lifeline, ready, exited, closed, reason } = await spawnGuarded({
    command: [launch.program, '-D', launch.clusterFolder, '-k', socketFolder, ...flags],
    account: launch.account,
    lockFile: `${launch.clusterFolder}.lock`,
    removeAtEnd: socketFolder,
    env: launch.stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(launch.stalePid) },
    hear: launch.hear,
  });
  const ended = exited
    .then(() => Promise.race([closed, setTimeout(LAST_WORDS_MS, undefined, { ref: false })])) // a lingering backend may keep the output open
    .then(reason);
  const code = await Promise.race([ready, closed]);
  if (code === LOCKED || (code !== 'ready' && /lock file ".*" already exists/.test(reason()))) return 'taken';
  if (code !== 'ready') throw new StartFailure(reason());
  return {
    socketFolder,
    ended,
    stop: async () => {
      lifeline.end();
      await ended;
    },
  };
}

/** PostgreSQL ended before it was ready. The message is the reason it gave. */
export class StartFailure extends Error {}

/** Runs a program to its end with the same guard. Returns its error message, or undefined if it succeeded. */
export async function runGuarded(
  command: readonly string[],
  account: Account | undefined,
): Promise<string | undefined> {
  const { closed, reason } = await spawnGuarded({ command, account });
  return (await closed) === 0 ? undefined : reason();
}

interface Guarded {
  readonly command: readonly string[];
  readonly account: Account | undefined;
  readonly lockFile?: string;
  readonly removeAtEnd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly hear?: (line: string) => void;
}

interface Child {
  /** Closing it, or our own end, stops the guarded program. */
  readonly lifeline: Writable;
  readonly ready: Promise<'ready'>;
  readonly exited: Promise<unknown>;
  /** The exit code, once the output has been read completely. */
  readonly closed: Promise<number>;
  /** The last fatal message with its detail, or else the last message. */
  reason(): string;
}

/**
 * Runs it in a session of its own, so that Ctrl-C reaches only Kasente, which then stops PostgreSQL when it is ready
 * to.
 */
async function spawnGuarded({ command, account, lockFile, removeAtEnd = '', env, hear }: Guarded): Promise<Child> {
  const lock = lockFile === undefined ? undefined : await open(lockFile, 'a');
  try {
    const child = spawn('/bin/sh', ['-c', lock === undefined ? GUARD : LOCK + GUARD, removeAtEnd, ...command], {
      ...spawnAs(account),
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', ...env },
      stdio: ['pipe', 'ignore', 'pipe', lock?.fd ?? 'ignore'],
    });
    const { stdin, stderr } = child;
    await once(child, 'spawn');
    const [exited, closed] = [once(child, 'exit'), once(child, 'close')];
    if (stdin === null || stderr === null) throw new TypeError('a guarded program has pipes');
    stdin.on('error', () => {}); // it closes when PostgreSQL ends, which 'exit' reports
    const lines: string[] = [];
    const ready = new Promise<'ready'>((resolve) => {
      createInterface({ input: stderr }).on('line', (line) => {
        lines.push(line);
        if (lines.length > LINES_KEPT) lines.shift();
        hear?.(line);
        if (line.endsWith(READY)) resolve('ready');
      });
    });
    return {
      lifeline: stdin,
      ready,
      exited,
      closed: closed.then(([code]) => Number(code)),
      reason: () => reasonIn(lines),
    };
  } finally {
    await lock?.close();
  }
}

/** A private folder with a short name, accessible only to the account. */
async function makeSocketFolder(account: Account | undefined): Promise<string> {
  for (const parent of SOCKET_PARENTS) {
    try {
      const folder = await mkdtemp(`${parent}/kasente-`);
      if (account !== undefined) await chown(folder, account.uid, account.gid);
      return folder;
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL needs a place for its socket, and neither ${SOCKET_PARENTS.join(' nor ')} can be written to: make one of them writable.`,
  );
}

function reasonIn(lines: readonly string[]): string {
  const fatal = lines.findLastIndex((line) => /(FATAL|PANIC|error): /.test(line));
  if (fatal === -1) return lines.at(-1) ?? 'it gave no reason';
  const detail = lines.slice(fatal + 1).find((line) => line.startsWith('DETAIL: '));
  return [lines[fatal], detail]
    .filter((line) => line !== undefined)
    .map((line) => line.replace(/^.*?(FATAL|PANIC|error|DETAIL): +/, '').replace(/\.$/, ''))
    .join('; ');
}
