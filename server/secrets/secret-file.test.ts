import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSecret, readSecret, SecretError } from './secret-file.ts';

describe('the secret of a data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kasente-secret-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is created once, readable only by its owner, without leftover files', async () => {
    expect(await readSecret(folder)).toBeUndefined();
    const secret = await makeSecret(folder);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await readSecret(folder)).toBe(secret);
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret.key']);
  });

  it('is the same for all concurrent creators', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => makeSecret(folder)));
    expect(new Set(made).size).toBe(1);
    expect(await readdir(folder)).toEqual(['secret.key']);
  });

  /** Runs a script in a process that cannot write a byte to any file, as on a full disk. */
  function withoutRoom(script: string): void {
    const { status, signal } = spawnSync(
      '/bin/sh',
      ['-c', 'ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { env: { PATH: process.env.PATH ?? '' } },
    );
    expect(status === 0 && signal === null).toBe(false);
  }

  it('gets its name only once it is complete: a full disk leaves none, and with space again it is created', async () => {
    const module = join(import.meta.dirname, 'secret-file.ts');
    withoutRoom(`const { makeSecret } = await import('${module}'); await makeSecret('${folder}')`);
    expect(await readdir(folder)).not.toContain('secret.key');
    expect(await makeSecret(folder)).toMatch(/^[\w-]{43}$/);
    await rm(join(folder, 'secret.key'));
    // As earlier releases wrote it: under its final name from the first byte.
    withoutRoom(
      `const { writeFile } = await import('node:fs/promises'); await writeFile('${folder}/secret.key', 'x'.repeat(43))`,
    );
    await expect(readSecret(folder)).rejects.toThrow('is empty or cut off (0 characters');
  });

  it.each([
    ['', 0],
    ['x'.repeat(31), 31],
    [' '.repeat(40), 0],
  ])('is refused as %j', async (content, length) => {
    await writeFile(join(folder, 'secret.key'), content);
    await expect(readSecret(folder)).rejects.toThrow(SecretError);
    await expect(makeSecret(folder)).rejects.toThrow(`is empty or cut off (${length} characters`);
  });
});
