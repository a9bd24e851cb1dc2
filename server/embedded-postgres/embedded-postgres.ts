import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { codeOf, unlessCode } from '#server/machine/error-codes.ts';
import { type Binaries, binariesFor, findPackage } from './binaries.ts';
import { EmbeddedPostgresError } from './error.ts';
import {
  type ClusterPlace,
  checkCluster,
  createCluster,
  HOW_TO_RESTORE,
  placeCluster,
  rememberPlace,
} from './folder.ts';
import {
  connectToHolder,
  heldByAnother,
  holds,
  isPassing,
  type LockFile,
  readLockFile,
  removeUnreadableLockFile,
  SUPERUSER,
} from './holder.ts';
import { launchPostgres, PORT, StartFailure } from './process.ts';

export { EmbeddedPostgresError };

/** Connection settings for `pg.Pool`. `host` is the folder of the Unix socket. */
export interface EmbeddedPostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface EmbeddedPostgres {
  readonly connection: EmbeddedPostgresConnection;
  connectionFor(database: string): EmbeddedPostgresConnection;
  /** Stops PostgreSQL in an orderly way or, if we joined a server, only disconnects. Committed data is never lost. */
  stop(): Promise<void>;
  /** False if a live Kasente server holds the cluster and this process, a tool, joined it. */
  readonly owner: boolean;
}

export interface EmbeddedPostgresOptions {
  /** The cluster lives in its folder `postgres`. */
  readonly dataDir: string;
  /** Created if missing; default `kasente`. */
  readonly database?: string;
  /** Additional settings of postgresql.conf, such as `max_connections`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with log lines for people: where the data is, and PostgreSQL's reports. */
  readonly log?: (line: string) => void;
  /** Whether it may join a server that holds the cluster, as tools do; default true. */
  readonly mayJoin?: boolean;
  /**
   * Called once if PostgreSQL goes away without `stop()`: it crashed or, if we joined, its owner stopped. Connections
   * fail from then on, so the process should log the message and exit.
   */
  readonly onExit?: (error: EmbeddedPostgresError) => void;
  /** Why no new cluster may be created, or undefined. Called before anything is created. */
  readonly refuseNew?: () => Promise<string | undefined>;
  /** Where root stores what can't be in a closed folder; for tests. */
  readonly openFolders?: readonly string[];
}

const OPEN_FOLDERS = ['/var/lib/kasente', '/var/tmp/kasente'] as const;
const DATABASE = 'kasente';
const POLL_MS = 5;
/** How long a server waits for an earlier one that is stopping. */
const STOPPING_WAIT_MS = 3_000;
/** How long a tool waits for a crash recovery. */
const HOLDER_WAIT_MS = 60_000;
/** How long the folder may be locked without a visible process, such as by another container. */
const UNSEEN_WAIT_MS = 10_000;
/** PostgreSQL writes its lock file in one step. If the file has no process number for this long, it was left behind. */
const UNREADABLE_WAIT_MS = 500;

/**
 * Starts the embedded PostgreSQL 18 on `dataDir/postgres`, and creates the cluster at the first start. If a live
 * Kasente server of this machine already runs it and `mayJoin` is set, joins that server instead. PostgreSQL never
 * outlives this process, even after SIGKILL, and listens only on a private Unix socket. Throws {@link
 * EmbeddedPostgresError} without having changed anything if the folder is damaged, of another version, held by another
 * program or inaccessible (docs/decisions/0001-embedded-postgresql.md).
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    if (
      ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error) ?? '')
    ) {
      throw new EmbeddedPostgresError(
        `The data folder ${options.dataDir} cannot be used (${error instanceof Error ? error.message : ''}): make room and give the user that runs Kasente the right to write there, or set DATA_DIR to another folder.`,
        { cause: error },
      );
    }
    throw error;
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const openFolders = options.openFolders ?? OPEN_FOLDERS;
  const source = await findPackage();
  let place = await placeCluster(options.dataDir, openFolders);
  const refusal = place.exists ? undefined : await options.refuseNew?.();
  // A concurrent server may have created it.
  if (refusal !== undefined) place = await placeCluster(options.dataDir, openFolders);
  if (refusal !== undefined && !place.exists) throw new EmbeddedPostgresError(refusal);
  const binaries = await binariesFor(place.account, source, openFolders, log);
  if (place.exists) await checkCluster(place, binaries.version);
  else await createCluster(place, binaries);
  await rememberPlace(place);
  if (place.pointer !== undefined) {
    log(
      `The database is in ${place.folder}, because ${resolve(options.dataDir)} is closed to the user that PostgreSQL runs under.`,
    );
  }
  let running = false;
  const opened = await openWithDatabase(place, binaries, options, (line) => {
    if (running) log(`PostgreSQL: ${line}`); // its output while starting is in the error, or irrelevant
  });
  running = true;
  void opened.lost.then((error) => {
    if (error !== undefined) options.onExit?.(error);
  });
  return {
    connection: connectionTo(opened, options.database ?? DATABASE),
    connectionFor: (database) => connectionTo(opened, database),
    stop: () => {
      running = false;
      return opened.stop();
    },
    owner: opened.owner,
  };
}

interface Opened {
  readonly owner: boolean;
  readonly socketFolder: string;
  readonly port: number;
  /** Settles with the reason if PostgreSQL goes away, or with undefined after `stop()`. */
  readonly lost: Promise<EmbeddedPostgresError | undefined>;
  stop(): Promise<void>;
}

function connectionTo({ socketFolder, port }: Opened, database: string): EmbeddedPostgresConnection {
  return { host: socketFolder, port, user: SUPERUSER, database };
}

/** Opens the cluster and ensures that the database exists. Retries after joining a server that was just stopping. */
async function openWithDatabase(
  place: ClusterPlace,
  binaries: Binaries,
  options: EmbeddedPostgresOptions,
  hear: (line: string) => void,
): Promise<Opened> {
  for (;;) {
    const opened = await open(place, binaries, options, hear);
    try {
      await ensureDatabase(connectionTo(opened, options.database ?? DATABASE), connectionTo(opened, 'postgres'));
      return opened;
    } catch (error) {
      await opened.stop();
      if (!opened.owner && isPassing(error)) continue;
      throw error instanceof Error ? cannotStart(place.folder, error.message) : error;
    }
  }
}

/**
 * Becomes the cluster's holder or joins the present holder. Retries while another process starts or stops the cluster.
 */
async function open(
  place: ClusterPlace,
  binaries: Binaries,
  { settings = {}, mayJoin = true }: EmbeddedPostgresOptions,
  hear: (line: string) => void,
): Promise<Opened> {
  const { folder } = place;
  const began = performance.now();
  for (;;) {
    const waitedMs = performance.now() - began;
    const lock = await readLockFile(folder);
    if (lock === 'unreadable') {
      if (waitedMs > UNREADABLE_WAIT_MS) await removeUnreadableLockFile(folder);
    } else if (lock !== undefined && (await holds(lock.pid, folder))) {
      const client = await connectToHolder(lock, folder, binaries.version);
      if (client !== undefined && mayJoin) return joined(client, lock);
      await client?.end();
      if (client !== undefined && waitedMs > STOPPING_WAIT_MS) throw heldByServer(folder);
      if (waitedMs > HOLDER_WAIT_MS) throw await heldByAnother(lock.pid, folder);
    } else {
      const launched = await launch(place, binaries, settings, lock?.pid, hear);
      if (launched !== 'taken') return launched;
      if (waitedMs > UNSEEN_WAIT_MS) {
        throw new EmbeddedPostgresError(
          `The database in ${folder} is in use by another program, perhaps in another container: stop it, or set DATA_DIR to another folder.`,
        );
      }
    }
    await setTimeout(POLL_MS);
  }
}

async function launch(
  place: ClusterPlace,
  binaries: Binaries,
  settings: Readonly<Record<string, string>>,
  stalePid: number | undefined,
  hear: (line: string) => void,
): Promise<Opened | 'taken'> {
  const running = await launchPostgres({
    program: binaries.postgres,
    clusterFolder: place.folder,
    account: place.account,
    settings,
    stalePid,
    hear,
  }).catch((error: unknown) => {
    throw error instanceof StartFailure ? cannotStart(place.folder, error.message) : error;
  });
  if (running === 'taken') return 'taken';
  return opened({
    owner: true,
    socketFolder: running.socketFolder,
    port: PORT,
    stop: running.stop,
    ended: running.ended.then(
      (reason) =>
        `PostgreSQL ended while Kasente was running (it said last: ${reason}): start Kasente again, everything committed is kept.`,
    ),
  });
}

/** A tool that joined keeps one connection open to notice when the owner ends. */
function joined(client: pg.Client, { pid, port, socketFolder }: LockFile): Opened {
  return opened({
    owner: false,
    socketFolder,
    port,
    stop: () => client.end(),
    ended: new Promise((resolve) => client.once('end', resolve)).then(
      () => `The Kasente server that held the database (PostgreSQL's process ${pid}) has stopped: run this again.`,
    ),
  });
}

/** `stop` is idempotent, and a requested end is not reported as a loss. */
function opened({ ended, ...held }: Omit<Opened, 'lost'> & { readonly ended: Promise<string> }): Opened {
  let stopping: Promise<void> | undefined;
  return {
    ...held,
    lost: ended.then((reason) => (stopping === undefined ? new EmbeddedPostgresError(reason) : undefined)),
    stop: () => {
      stopping ??= held.stop();
      return stopping;
    },
  };
}

function heldByServer(folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Another Kasente server uses the database in ${folder}: stop it, set DATA_DIR to another folder, or set DATABASE_URL for both servers.`,
  );
}

/** PostgreSQL's own reason with a remedy. Errors about files mean damage; others are about the machine. */
function cannotStart(folder: string, reason: string): EmbeddedPostgresError {
  const machine = /No space left|permission|memory|too many|semaphore|parameter|connect/i.test(reason);
  return new EmbeddedPostgresError(
    machine
      ? `PostgreSQL cannot start on ${folder} (${reason}): put that right and start again.`
      : `The database in ${folder} is damaged (PostgreSQL says: ${reason}): ${HOW_TO_RESTORE}.`,
  );
}

/** Creates the database if it is missing. If its files are lost, it is not recreated: the query fails. */
async function ensureDatabase(
  wanted: EmbeddedPostgresConnection,
  maintenance: EmbeddedPostgresConnection,
): Promise<void> {
  await ask(maintenance, (client) =>
    // The second code: a concurrent server created it.
    client.query(`create database ${client.escapeIdentifier(wanted.database)}`).catch(unlessCode('42P04', '23505')),
  );
  await ask(wanted, (client) => client.query('select'));
}

async function ask(connection: EmbeddedPostgresConnection, question: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client(connection);
  client.on('error', () => {}); // running statements fail with the connection
  try {
    await client.connect();
    await question(client);
  } finally {
    await client.end().catch(() => {});
  }
}
