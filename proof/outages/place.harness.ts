import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { seedDemonstration } from '#server/demonstration/seed.ts';
import { migrate } from '#server/migrations/migrate.ts';
import { createLog } from '#server/observability/logging.ts';
import { openPlatform } from '#server/open-platform.ts';
import type { Platform } from '#server/platform/platform.ts';
import { type ServerProcess, SHARED_SECRET, startServerProcess } from '#testing/servers/server-process.ts';

/** Servers whose data outlives them, and access to their database and files from outside. */

/** A folder that PostgreSQL's user can enter; removed after the test. */
export async function proofFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-proof-'));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}

/** A server's data folder, and its database unless that is the embedded one. */
export interface Place {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** Sends mails to this SMTP server; sends none if absent. */
  readonly smtpUrl?: string;
}

function settingsOf({ dataDir, databaseUrl, smtpUrl }: Place): Record<string, string> {
  return {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl ?? '',
    SMTP_URL: smtpUrl ?? '',
    DEMONSTRATION: smtpUrl === undefined ? '' : 'others',
    SECRET_KEY: SHARED_SECRET,
    LOG_LEVEL: 'fatal',
  };
}

/** Opens a server's platform beside the running server, to read stored data. */
export async function withPlatform<Result>(
  place: Place,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  const { platform, close } = await openPlatform(readConfig(settingsOf(place)), createLog('silent'), () => undefined);
  try {
    return await work(platform);
  } finally {
    await close();
  }
}

/** Seeds the demonstration, because a server only does so in the embedded database. */
export function seed(place: Place): Promise<unknown> {
  return withPlatform(place, async (platform) => {
    await migrate(platform.db);
    await seedDemonstration(platform);
  });
}

/** Starts a server there, and waits until it serves; killed after the test. */
export function startAt(place: Place): Promise<ServerProcess> {
  return startServerProcess({ name: 'unused' }, { env: settingsOf(place) });
}
