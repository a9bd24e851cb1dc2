import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { startServer } from '#server/start.ts';
import { runAnnounced } from './tool.harness.ts';

/** `npm run files:verify` on the documents of a demonstration. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-verify-'));
  await chmod(folder, 0o755); // if this runs as root, PostgreSQL runs as another user and needs access
  const config = readConfig({ NODE_ENV: 'development', PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const server = await startServer(config, () => undefined);
  await server.stop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const verify = (env: Record<string, string> = {}) =>
  runAnnounced('verify-files', [], { NODE_ENV: 'development', DATA_DIR: folder, ...env });

describe('npm run files:verify', () => {
  it('ends with 0 if all files are correct, otherwise with 3 and their names', async () => {
    const store = join(folder, 'documents', 'demonstration');
    const [first = '', second = '', ...rest] = (await readdir(store)).sort();
    const whole = await verify();
    expect([whole.code, whole.error]).toEqual([0, '']);
    const files = rest.length + 2;
    expect(whole.out).toBe(
      `${files} documents read, ${files} files in the store: 0 missing, 0 altered, 0 without a document.\n`,
    );

    await rm(join(store, first));
    await writeFile(join(store, second), 'something else');
    await writeFile(join(store, 'left-over'), 'nobody knows me');
    const damaged = await verify();
    expect(damaged.code).toBe(3);
    expect(damaged.out.split('\n').slice(0, 3).sort()).toEqual([
      `altered  demonstration/${second}`,
      `missing  demonstration/${first}`,
      'orphan   demonstration/left-over',
    ]);
    expect(damaged.out).toContain(
      `${files} documents read, ${files} files in the store: 1 missing, 1 altered, 1 without`,
    );
  });

  it('ends with 1 after an error', async () => {
    const { code, error } = await verify({ STORAGE_URL: 'http://nowhere' });
    expect([code, error]).toEqual([
      1,
      'The files could not be verified: STORAGE_URL must be an address such as s3://bucket/prefix?region=af-south-1.\n',
    ]);
  });
});
