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
 * The shell that stands between Kasente and PostgreSQL. Its stdin is a pipe that only Kasente holds: when Kasente ends,
 * however it ends, the pipe closes and PostgreSQL is stopped. SIGTERM lets connections that are just closing close;
 * SIGINT, a second later, ends the rest. Both are orderly. SIGINT is repeated because a PostgreSQL that is just starting does
 * not hear it yet. The shell's own stderr is dropped: its word on a killed job would go to a pipe that nobody reads any
 * more, and end it before it has tidied up. $0 is a folder to remove at the end ('' for none).
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
 * Comes first where there is a lock file, as descriptor 3. The lock lasts until the last process of PostgreSQL has gone,
 * whatever killed them, and holds between containers too. Where there is no flock (macOS), PostgreSQL's own must do.
 */
const LOCK = `
flock -n 3 2>/dev/null
[ $? -eq 1 ] && { rm -rf "$0"; exit 75; }`;
const LOCKED = 75;

/** Only a part of the socket's name: nothing listens on the network. */
export const PORT = 5432;

const READY = 'database system is ready to accept connections';
/** Socket folders are short: the path of a socket has room for 107 characters. */
const SOCKET_PARENTS = ['/tmp', '/var/tmp'] as const;
const LINES_KEPT = 30;
const LAST_WORDS_MS = 200;

/** Settings of every cluster; a caller cannot override the last group, which the launcher relies on. */
const DEFAULTS = { timezone: 'UTC', log_timezone: 'UTC', log_checkpoints: 'off' } as const;
const REQUIRED = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: String(PORT),
  cluster_name: 'kasente',
  lc_messages: 'C', // the launcher reads its log
  log_min_messages: 'log', // not 'error': the values of a failed statement belong in no log
  log_min_error_statement: 'panic', // nor does the statement
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '',
} as const;

/** Who starts what, and where its lock file is. */
export interface Launch {
  readonly program: string;
  readonly clusterFolder: string;
  readonly account: Account | undefined;
  readonly settings: Readonly<Record<string, string>>;
  /** A process number that `postmaster.pid` names and that is somebody else by now, as we found out. */
  readonly stalePid: number | undefined;
  /** Gets every line PostgreSQL writes. */
  readonly hear: (line: string) => void;
}

export interface RunningPostgres {
  readonly socketFolder: string;
  /** Settles when PostgreSQL has ended, with the reason it gave last. */
  readonly ended: Promise<string>;
  /** Stops it in order: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and waits until it takes connections. 'taken' means that another process holds the folder (or was
 * quicker). Throws {@link StartFailure} with PostgreSQL's own reason when it cannot start.
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
    .then(() => Promise.race([closed, setTimeout(LAST_WORDS_MS, undefined, { ref: false })])) // a lingering backend may hold the output open
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

/** PostgreSQL ended before it was ready; the message is the reason it gave. */
export class StartFailure extends Error {}

/** Runs a program to its end under the same guard; returns what it complained of, or undefined when all went well. */
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
  /** Closing it, or dying, stops what is guarded. */
  readonly lifeline: Writable;
  readonly ready: Promise<'ready'>;
  readonly exited: Promise<unknown>;
  /** The exit code, once all that was written is read. */
  readonly closed: Promise<number>;
  /** The last thing that was called fatal, with its detail; else the last thing that was said. */
  reason(): string;
}

/** In a session of its own, so that Ctrl-C reaches Kasente alone, which then stops PostgreSQL when it is ready to. */
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
    stdin.on('error', () => {}); // it closes when PostgreSQL ends, which 'exit' tells
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

/** A private folder with a short name, for the account alone. */
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
