import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server with a fresh demonstration, as `npm start` runs it, on a port and in a folder of its own. */
export interface RunningServer {
  readonly address: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Starts a {@link RunningServer}; rejects with what it said when it ends before it is ready. */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-'));
  // PostgreSQL runs as another user when this is root, and has to get in.
  await chmod(dataDir, 0o755);
  const server = spawn(process.execPath, ['server/main.ts'], {
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
  const ended = once(server, 'exit');
  let said = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (/Kasente runs at \S+\s/.test(said)) break;
  }
  const address = /Kasente runs at (\S+)/.exec(said)?.[1];
  if (address === undefined) throw new Error(`the server ended before it was ready:\n${said}`);
  server.stdout.resume();
  return {
    address,
    pid: server.pid ?? 0,
    stop: async () => {
      server.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
