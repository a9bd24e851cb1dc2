import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { FileStorage } from './file-storage.ts';
import type { ReceivedFile } from './inbox.ts';

const CONNECT_LIMIT_MS = 3_000;
const CHECK_LIMIT_MS = 5_000;
/** A connection without traffic for this long counts as dead. */
const SILENCE_LIMIT_MS = MINUTE_MS;
/** S3 accepts 10,000 parts, so an object may have 312 GiB. */
const PART_BYTES = 32 * 1024 * 1024;
/** Every document being read needs one until its reader is done. */
const CONNECTIONS = 200;

/** Objects of an S3-compatible bucket: `s3://bucket/prefix?region=…&endpoint=…`. */
export function createS3Storage(url: URL): FileStorage {
  const client = createClient(url);
  const Bucket = url.hostname;
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  const keyOf = (key: string): string => (prefix === '' ? key : `${prefix}/${key}`);
  return {
    put: (received, key) => putObject(client, Bucket, keyOf(key), received),
    read: async (key) => {
      const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(key) }));
      if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error(`no content for ${key}`);
      return { size: ContentLength, content: Body };
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(key) }));
    },
    list: () => listObjects(client, Bucket, prefix),
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket }), { abortSignal: AbortSignal.timeout(CHECK_LIMIT_MS) });
    },
  };
}

/** Small append-only objects of a bucket, by name. */
export function openObjects(url: URL) {
  const client = createClient(url);
  const Bucket = url.hostname;
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    put: async (key: string, text: string): Promise<void> => {
      const Key = prefix === '' ? key : `${prefix}/${key}`;
      await client.send(new PutObjectCommand({ Bucket, Key, Body: text }), {
        abortSignal: AbortSignal.timeout(CHECK_LIMIT_MS),
      });
    },
    list: (after: string): AsyncIterable<string> => listObjects(client, Bucket, prefix, after),
  };
}

/** A single object of any size: `s3://bucket/key?region=…&endpoint=…`. */
export function openObject(url: URL) {
  const client = createClient(url);
  const place = { Bucket: url.hostname, Key: decodeURIComponent(url.pathname.slice(1)) };
  return {
    exists: async (): Promise<boolean> => {
      const head = client.send(new HeadObjectCommand(place), { abortSignal: AbortSignal.timeout(CHECK_LIMIT_MS) });
      const found = await head.catch((error: unknown) => {
        if (error instanceof Error && error.name === 'NotFound') return undefined;
        throw error;
      });
      return found !== undefined;
    },
    /** The object becomes visible only when it is complete. */
    write: async (content: Readable): Promise<void> => {
      await new Upload({ client, params: { ...place, Body: content }, partSize: PART_BYTES, queueSize: 2 }).done();
    },
    read: async (): Promise<Readable> => {
      const { Body } = await client.send(new GetObjectCommand(place));
      if (!(Body instanceof Readable)) throw new Error(`no content for ${place.Key}`);
      return Body;
    },
    remove: async (): Promise<void> => {
      await client.send(new DeleteObjectCommand(place));
    },
  };
}

/** Throws if neither the URL nor the AWS environment has a key. */
export async function findCredentials(url: URL): Promise<void> {
  const client = createClient(url);
  try {
    await client.config.credentials();
  } finally {
    client.destroy();
  }
}

/** The keys under a prefix in order. With `after`, only keys that start with the prefix and come after it. */
async function* listObjects(client: S3Client, Bucket: string, prefix: string, after = ''): AsyncGenerator<string> {
  const Prefix = prefix === '' ? '' : `${prefix}/`;
  const from = after === '' ? {} : { StartAfter: `${Prefix}${after}` };
  for await (const { Contents } of paginateListObjectsV2({ client }, { Bucket, Prefix, ...from })) {
    for (const { Key } of Contents ?? []) if (Key !== undefined) yield Key.slice(Prefix.length);
  }
}

async function putObject(client: S3Client, Bucket: string, Key: string, received: ReceivedFile): Promise<void> {
  const file = await open(received.path, 'r');
  const content = file.createReadStream();
  const unreadable = new AbortController();
  content.once('error', (error) => unreadable.abort(error)); // otherwise the request would wait forever for the rest
  try {
    await client.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: content,
        ContentLength: received.size,
        // The store refuses content with a different checksum.
        ChecksumSHA256: received.sha256.toString('base64'),
      }),
      { abortSignal: unreadable.signal },
    );
  } finally {
    content.destroy();
  }
}

/** Credentials come from the URL's user and password, or else from the usual AWS environment. */
function createClient(url: URL): S3Client {
  const endpoint = url.searchParams.get('endpoint');
  const credentials = {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
  return new S3Client({
    region: url.searchParams.get('region') ?? 'us-east-1',
    ...(url.username === '' ? {} : { credentials }),
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    // Only the requested checksums: not every S3-compatible store supports the newer ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Callers get and log failures; the client itself would also warn on the console.
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: {
      connectionTimeout: CONNECT_LIMIT_MS,
      socketTimeout: SILENCE_LIMIT_MS,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
}

function silent(): void {}
