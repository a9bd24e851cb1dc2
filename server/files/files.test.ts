import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '#server/config/config.ts';
import { startS3, type TestS3 } from '#testing/servers/s3-server.ts';
import { type FileStore, openFileStore } from './files.ts';

const KEY = '2026-11/0123456789abcdef';
const TEN_MEGABYTES = 10 * 1024 * 1024;

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'kasente-store-')), 'documents');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

/** Content in chunks of that size. */
function inPieces(content: Buffer, size: number): Readable {
  const pieces = Array.from({ length: Math.ceil(content.length / size) }, (_, index) =>
    content.subarray(index * size, (index + 1) * size),
  );
  return Readable.from(pieces);
}

async function* failingAfter(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
  throw new Error('the sender is gone');
}

async function readBack(store: FileStore, key: string): Promise<Buffer> {
  const { size, content } = await store.read(key);
  const bytes = await buffer(content);
  expect(size).toBe(bytes.length);
  return bytes;
}

const inbox = () => readdir(join(folder, 'inbox'));

describe.each(['disk', 's3'])('the file store on %s', (kind) => {
  let s3: TestS3;
  let store: FileStore;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3.close());
  beforeEach(async () => {
    store = await openFileStore(kind === 's3' ? s3.storageUrl : undefined, folder);
  });

  it('returns stored content byte for byte, and leaves nothing in the inbox', async () => {
    const content = randomBytes(300_000);
    const received = await store.receive(inPieces(content, 65_536));
    expect(await inbox()).toHaveLength(1);
    await store.keep(received, KEY);
    await store.forget(received);
    expect(await readBack(store, KEY)).toEqual(content);
    expect(await inbox()).toEqual([]);
  });

  it('stores the largest document', async () => {
    const content = randomBytes(TEN_MEGABYTES);
    await store.write(KEY, inPieces(content, 65_536));
    expect((await readBack(store, KEY)).equals(content)).toBe(true);
  });

  it.each([1, 1000, 4096, 5000, 65_536])('computes size, digest and both ends, in chunks of %i bytes', async (size) => {
    const content = randomBytes(9_001);
    const received = await store.receive(inPieces(content, size));
    expect(received.size).toBe(9_001);
    expect(received.sha256).toEqual(createHash('sha256').update(content).digest());
    expect(received.head).toEqual(content.subarray(0, 4096));
    expect(received.tail).toEqual(content.subarray(-4096));
  });

  it('receives an empty file', async () => {
    const received = await store.receive(Readable.from([]));
    expect(received).toMatchObject({ size: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) });
  });

  it('leaves nothing behind if the sender fails', async () => {
    await expect(store.receive(failingAfter(randomBytes(1000)))).rejects.toThrow('the sender is gone');
    await expect(store.write(KEY, failingAfter(randomBytes(1000)))).rejects.toThrow('the sender is gone');
    expect(await inbox()).toEqual([]);
  });

  it('deletes a received file, and of a stored one only the copy in the inbox', async () => {
    const received = await store.receive(Readable.from([Buffer.from('one')]));
    await store.forget(received);
    expect(await inbox()).toEqual([]);
    const kept = await store.receive(Readable.from([Buffer.from('two')]));
    await store.keep(kept, KEY);
    await store.forget(kept);
    expect(await readBack(store, KEY)).toEqual(Buffer.from('two'));
  });

  it('removes a file, and ignores a missing one', async () => {
    await store.write(KEY, Readable.from([Buffer.from('content')]));
    await store.remove(KEY);
    await expect(store.read(KEY)).rejects.toThrow();
    await store.remove(KEY);
    await store.remove('2026-11/never-there');
  });

  it.each(['', '.', '..', '../outside', 'a/../../b', '/etc/passwd', 'a//b', 'a\\..\\b', 'a/b\0c', 'A B', '.hidden'])(
    'refuses the key %j',
    async (key) => {
      await expect(store.write(key, Readable.from([Buffer.from('x')]))).rejects.toThrow('not a storage key');
      await expect(store.read(key)).rejects.toThrow('not a storage key');
      await expect(store.remove(key)).rejects.toThrow('not a storage key');
      expect(await inbox()).toEqual([]);
    },
  );

  it('sweeps old files out of the inbox, and only those', async () => {
    const old = await store.receive(Readable.from([Buffer.from('old')]));
    const fresh = await store.receive(Readable.from([Buffer.from('fresh')]));
    const [before, limit] = [new Date('2026-11-20T08:59:59Z'), new Date('2026-11-20T09:00:00Z')];
    await utimes(old.path, before, before);
    await utimes(fresh.path, limit, limit);
    await store.sweepInbox(limit);
    expect((await inbox()).map((name) => join(folder, 'inbox', name))).toEqual([fresh.path]);
  });

  it('checks that it is writable', async () => {
    await store.check();
    await rm(folder, { recursive: true });
    await expect(store.check()).rejects.toThrow();
  });
});

describe('the file store on disk', () => {
  it('is inaccessible to other users', async () => {
    const store = await openFileStore(undefined, folder);
    await store.write(KEY, Readable.from([Buffer.from('content')]));
    const modes = await Promise.all(
      ['', 'inbox', '2026-11', KEY].map(async (path) => (await stat(join(folder, path))).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
  });

  it('shows a file only once it is complete', async () => {
    const store = await openFileStore(undefined, folder);
    const received = await store.receive(Readable.from([Buffer.from('content')]));
    await expect(store.read(KEY)).rejects.toThrow('ENOENT');
    await store.keep(received, KEY);
    expect(await readdir(join(folder, '2026-11'))).toEqual(['0123456789abcdef']);
  });

  it('refuses to open a folder that is not writable, in one sentence', async () => {
    const occupied = join(folder, '..', 'occupied');
    await writeFile(occupied, 'a file');
    const open = () => openFileStore(undefined, join(occupied, 'documents'));
    await expect(open()).rejects.toThrow(ConfigError);
    await expect(open()).rejects.toThrow(
      /^DATA_DIR must be a folder that this user may write to; .*occupied.* is not \(\w+\)\.$/,
    );
  });
});

describe('the file store on S3', () => {
  let s3: TestS3;
  beforeEach(async () => {
    s3 = await startS3();
  });
  afterEach(() => s3.close());

  it('stores files under the prefix of STORAGE_URL', async () => {
    await (await openFileStore(s3.storageUrl, folder)).write(KEY, Readable.from([Buffer.from('content')]));
    expect(await s3.keys()).toEqual([`some/prefix/${KEY}`]);
  });

  it('reports a bucket that is missing or unreachable', async () => {
    const nowhere = await openFileStore(s3.storageUrl.replace('documents', 'nothing'), folder);
    await expect(nowhere.check()).rejects.toThrow();
    const store = await openFileStore(s3.storageUrl, folder);
    await store.write(KEY, Readable.from([Buffer.from('content')]));
    await s3.stop();
    await expect(store.check()).rejects.toThrow();
    await expect(store.read(KEY)).rejects.toThrow();
    await expect(store.write(KEY, Readable.from([Buffer.from('content')]))).rejects.toThrow();
    expect(await inbox()).toEqual([]);
  });

  it('does not wait forever for a file that can’t be read', async () => {
    const store = await openFileStore(s3.storageUrl, folder);
    const received = await store.receive(Readable.from([Buffer.from('content')]));
    await rm(received.path);
    await expect(store.keep(received, KEY)).rejects.toThrow('ENOENT');
    expect(await s3.keys()).toEqual([]);
  });
});
