import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { FileStorage } from './file-storage.ts';
import type { ReceivedFile } from './inbox.ts';

const CONNECT_LIMIT_MS = 3_000;
const CHECK_LIMIT_MS = 5_000;
/** A connection on which nothing moves for so long is dead. */
const SILENCE_LIMIT_MS = MINUTE_MS;
/** Each document being read holds one, for as long as its reader takes. */
const CONNECTIONS = 200;

/** Objects of a bucket on S3 or anything that speaks its language: `s3://bucket/prefix?region=…&endpoint=…`. */
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

/** Small objects of a bucket by name, for what is only added to and listed. */
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

/** The keys under a prefix, in their order; from one on, where `after` is its beginning. */
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
  content.once('error', (error) => unreadable.abort(error)); // or the request would wait for the rest for ever
  try {
    await client.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: content,
        ContentLength: received.size,
        // The store refuses what did not arrive as it was sent.
        ChecksumSHA256: received.sha256.toString('base64'),
      }),
      { abortSignal: unreadable.signal },
    );
  } finally {
    content.destroy();
  }
}

/** Credentials come from the URL's user and password or, without them, from the usual AWS environment. */
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
    // Only the checksums that are asked for: not every store that speaks S3 knows the newer ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Whoever calls hears what fails and logs it; by itself the client would warn on the console.
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
