import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

const BUCKET = 'documents';

/** A private S3 server over real HTTP, with one bucket. */
export interface TestS3 {
  /** The value for `STORAGE_URL`, with a prefix. */
  readonly storageUrl: string;
  /** The keys of all objects, with their prefix. */
  keys(): Promise<string[]>;
  /** Stops serving; the stored objects stay until `close`. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a {@link TestS3} on a free port. */
export async function startS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'kasente-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (!isStopped) await server.close();
    isStopped = true;
  };
  return {
    storageUrl: `s3://S3RVER:S3RVER@${BUCKET}/some/prefix?region=us-east-1&endpoint=http://127.0.0.1:${port}`,
    keys: async () => {
      const names = await readdir(join(directory, BUCKET), { recursive: true });
      return names
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.replace('._S3rver_object', ''));
    },
    stop,
    close: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
