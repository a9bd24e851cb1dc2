import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A server with a fresh demonstration, as `npm start` runs it, on a port and a folder of its own. */
export interface TestServer {
  readonly address: string;
  readonly pid: number;
  /** Runs a statement on its database: for what no call may do, such as to let days pass. */
  readonly change: (statement: string, values: readonly unknown[]) => Promise<void>;
  /** What a statement on its database finds: for what no call shows, such as whether anything changed at all. */
  readonly look: <Row extends pg.QueryResultRow>(statement: string) => Promise<readonly Row[]>;
  readonly stop: () => Promise<void>;
}

/** Starts a {@link TestServer}, with settings of its own; rejects with what it said when it ends before it is ready. */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-e2e-'));
  // PostgreSQL runs as another user when this is root, and has to get in.
  await chmod(dataDir, 0o755);
  const server = spawn(process.execPath, ['server/main.mjs'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  const query = async <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[]) => {
    const [, , , port, host] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    const database = new pg.Client({ host, port: Number(port), user: 'kasente', database: 'kasente' });
    await database.connect();
    try {
      return (await database.query<Row>(statement, [...values])).rows;
    } finally {
      await database.end();
    }
  };
  return {
    address: await addressOf(server),
    pid: server.pid ?? 0,
    change: async (statement, values) => void (await query(statement, values)),
    look: (statement) => query(statement, []),
    stop,
  };
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /Kasente runs at (\S+)/.exec(output);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready:\n${output}`)));
  });
}
