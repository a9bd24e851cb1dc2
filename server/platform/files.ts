import type { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { S3Driver } from 'flydrive/drivers/s3';

/** Where documents are kept, by keys that the server chooses. */
export interface FileStore {
  write(key: string, content: Readable): Promise<void>;
  read(key: string): Promise<Readable>;
  remove(key: string): Promise<void>;
  /** Throws where the store cannot be reached or written to. */
  check(): Promise<void>;
}

/** The store that `STORAGE_URL` names (`s3://bucket/prefix?region=…&endpoint=…`), or a folder of the disk. */
export function openFileStore(storageUrl: string | undefined, folder: string): FileStore {
  const disk = new Disk(storageUrl === undefined ? diskDriver(folder) : s3Driver(new URL(storageUrl)));
  const prefix = storageUrl === undefined ? '' : new URL(storageUrl).pathname.replace(/^\/|\/$/g, '');
  const path = (key: string): string => (prefix === '' ? key : `${prefix}/${key}`);
  return {
    write: (key, content) => disk.putStream(path(key), content),
    read: (key) => disk.getStream(path(key)),
    remove: (key) => disk.delete(path(key)),
    check: async () => {
      await disk.put(path('health'), 'ok');
    },
  };
}

function diskDriver(folder: string): FSDriver {
  return new FSDriver({ location: folder, visibility: 'private' });
}

/** Credentials come from the URL's user and password or, without them, from the usual AWS environment. */
function s3Driver(url: URL): S3Driver {
  const endpoint = url.searchParams.get('endpoint');
  const credentials = {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
  const client = new S3Client({
    region: url.searchParams.get('region') ?? 'us-east-1',
    ...(url.username === '' ? {} : { credentials }),
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
  });
  return new S3Driver({ client, bucket: url.hostname, visibility: 'private', supportsACL: false });
}
