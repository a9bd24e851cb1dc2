import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { greetedAddress } from '#testing/servers/greeting.ts';

/** A server with a fresh demonstration, as `npm start` runs it, with its own port and folder. */
export interface TestServer {
  readonly address: string;
  readonly pid: number;
  /** The page that plays a provider's phones; undefined if none is played. */
  readonly phonesOf: (provider: 'MTN' | 'Airtel') => string | undefined;
  /** Runs a statement on its database, for changes that no call makes, such as letting days pass. */
  readonly change: (statement: string, values: readonly unknown[]) => Promise<void>;
  /** Runs a query on its database, for facts that no call shows, such as whether anything changed. */
  readonly look: <Row extends pg.QueryResultRow>(statement: string) => Promise<readonly Row[]>;
  /** Locks rows of its database until the returned function is called. */
  readonly hold: (statement: string, values: readonly unknown[]) => Promise<() => Promise<void>>;
  /** Runs a sweep now (server/background.ts) instead of at its next time. */
  readonly sweep: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * The environment variable that names a folder with a ready demonstration: servers start with a copy instead of making
 * their own.
 */
const READY_MADE = 'KASENTE_READY_MADE';

/**
 * Playwright's global set-up: makes one demonstration for all servers of the run; returns a function that deletes it.
 */
export default async function makeDemonstration(): Promise<() => Promise<void>> {
  const folder = await dataFolder();
  const { server } = await start(folder, {});
  await stop(server);
  process.env[READY_MADE] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** Starts a {@link TestServer} with its own settings; rejects with its output if it exits before it is ready. */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const dataDir = await dataFolder();
  const readyMade = process.env[READY_MADE];
  // Keeps owners and modes: PostgreSQL refuses a folder that belongs to another user.
  if (readyMade !== undefined) await promisify(execFile)('cp', ['-a', `${readyMade}/.`, dataDir]);
  const { server, address, phones } = await start(dataDir, settings);
  const connect = async () => {
    const [, , , port, host] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    const database = new pg.Client({ host, port: Number(port), user: 'kasente', database: 'kasente' });
    await database.connect();
    return database;
  };
  const query = async <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[]) => {
    const database = await connect();
    try {
      return (await database.query<Row>(statement, [...values])).rows;
    } finally {
      await database.end();
    }
  };
  return {
    address,
    pid: server.pid ?? 0,
    phonesOf: (provider) => phones[provider === 'MTN' ? 0 : 1],
    change: async (statement, values) => void (await query(statement, values)),
    look: (statement) => query(statement, []),
    hold: async (statement, values) => {
      const database = await connect();
      await database.query('begin');
      await database.query(statement, [...values]);
      return () => database.end();
    },
    sweep: async (name) => {
      const executeSql = async (text: string, values: unknown[] = []) => ({ rows: await query(text, values) });
      await new PgBoss({ db: { executeSql } }).send(`sweep-${name}`, {});
    },
    stop: async () => {
      await stop(server);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-e2e-'));
  // When this is root, PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o755);
  return folder;
}

async function start(dataDir: string, settings: Readonly<Record<string, string>>) {
  const server = spawn(process.execPath, ['server/main.mjs'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      // The demonstration's clients are above the usual threshold already.
      SECOND_APPROVAL_ABOVE: 'UGX:80000000,USD:5000',
      // Journeys share two clients, and let one officer record their repayments.
      RECEIPTS_ALONE_UP_TO: 'UGX:1000000000,USD:1000000',
      // Journeys let an advance become late and submit again; the demonstration's late client may not.
      OVERDUE_BLOCKS_AFTER_DAYS: '60',
      // Otherwise a reminder could become a client's newest message in the middle of a journey.
      REMINDER_DAYS: '365',
      // A journey removes a role and restores it; the server's tests cover what a new officer may do.
      NEW_OFFICER_HOURS: '0',
      // Journeys record payments by hand, except those about a provider.
      SIMULATORS: 'none',
      // Journeys type fixed dates.
      INVOICE_MAXIMUM_AGE_DAYS: '3650',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { server, ...(await greetingOf(server)) };
}

async function stop(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

/** Waits for the line that the server prints when it is ready. */
function greetingOf(server: ChildProcess): Promise<{ readonly address: string; readonly phones: readonly string[] }> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const address = greetedAddress(output);
      const phones = [...output.matchAll(/http\S+\/phone\b/g)].map(([found]) => found);
      if (address !== undefined) resolve({ address, phones });
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready:\n${output}`)));
  });
}
