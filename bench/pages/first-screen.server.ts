import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type TestServer } from '#e2e/support/server.ts';
import { DEMONSTRATION_PASSWORD } from '#server/config/demonstration-people.ts';
import { freePort } from '#testing/free-port.ts';

/** The login of one of the demonstration's clients. */
export const CLIENT = { username: '0700000001', password: DEMONSTRATION_PASSWORD } as const;

/** Starts a production server on the demonstration's data, which a first server creates. */
export async function startProduction(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-'));
  // If this runs as root, PostgreSQL runs as another user and needs access.
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
