import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type TestServer } from '#e2e/support/server.ts';
import { freePort } from '#server/testing/free-port.ts';

/** As the demonstration's clients log in. */
export const CLIENT = { username: '0700000001', password: 'Kasente-demo-1' } as const;

/** A server in production's way, on the demonstration's data: a first one fills the folder, the second is measured. */
export async function startProduction(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-'));
  // PostgreSQL runs as another user when this is root, and has to get in.
  await chmod(dataDir, 0o755);
  const filling = await startServer({ DATA_DIR: dataDir });
  await filling.stop();
  const port = await freePort();
  const server = await startServer({
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    EMBEDDED_DATABASE: 'allow',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'error',
  });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...server, stop };
}
