import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { unlessCode } from '#server/machine/error-codes.ts';

/**
 * The external witness of the audit log's anchors (docs/decisions/0015-audit-chain.md): an append-only file or bucket.
 * Removing the newest anchors from the database doesn't remove them there.
 */

/** An anchor as the witness stores it; `seal` in hexadecimal. */
export interface Testimony {
  readonly number: number;
  readonly seal: string;
}

/**
 * Thrown if the witness has an entry that was never sent, so somebody wrote into it. Not the same as a witness that
 * can't be read.
 */
export class AlteredWitnessError extends Error {}

export interface Witness {
  /** Throws if a file isn't writable; a bucket may be unreachable at the start. */
  prepare(): Promise<void>;
  /** Adds an anchor; resolves once it is durable. */
  append(anchor: Testimony): Promise<void>;
  /** The anchors from that number on, unordered, possibly with duplicates. Throws if they can't be read. */
  read(from: number): AsyncIterable<Testimony>;
}

/** Opens the witness in `AUDIT_WITNESS`: `s3://bucket/prefix?region=…&endpoint=…`, or the path of a file. */
export async function openWitness(place: string): Promise<Witness> {
  if (!place.startsWith('s3:')) return fileWitness(place);
  // Only loaded if the witness is a bucket (docs/decisions/0028-benches.md).
  const { openObjects } = await import('#server/files/files-on-s3.ts');
  return bucketWitness(openObjects(new URL(place)));
}

const SEAL_DIGITS = 64;
const ENTRY = new RegExp(`^(\\d+)[ -]([0-9a-f]{${SEAL_DIGITS}})$`);
/** A line cut off by a power cut. The anchor is sent again. */
const TORN = new RegExp(`^\\d*( [0-9a-f]{0,${SEAL_DIGITS - 1}})?$`);

function fileWitness(path: string): Witness {
  return {
    prepare: async () => {
      await (await open(path, 'a+', 0o600)).close();
    },
    append: async ({ number, seal }) => {
      const file = await open(path, 'a+', 0o600);
      try {
        const { size } = await file.stat();
        const { buffer: last } = await file.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) });
        const isTorn = size > 0 && last.toString() !== '\n';
        await file.appendFile(`${isTorn ? '\n' : ''}${number} ${seal}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    read: (from) => readFile(path, from),
  };
}

async function* readFile(path: string, from: number): AsyncGenerator<Testimony> {
  const file = await open(path, 'r').catch(unlessCode('ENOENT'));
  if (file === undefined) return;
  let line = 0;
  for await (const text of createInterface({ input: file.createReadStream() })) {
    line += 1;
    const entry = readEntry(text);
    if (entry === undefined && !TORN.test(text))
      throw new AlteredWitnessError(`line ${line} of ${path} was not written by Kasente`);
    if (entry !== undefined && entry.number >= from) yield entry;
  }
}

function readEntry(text: string): Testimony | undefined {
  const [, number, seal] = ENTRY.exec(text) ?? [];
  return number === undefined || seal === undefined ? undefined : { number: Number(number), seal };
}

/** The bucket's operations that a witness needs. */
interface Objects {
  put(key: string, text: string): Promise<void>;
  /** The keys that come after one, in their order. */
  list(after: string): AsyncIterable<string>;
}

/**
 * One object per anchor. Its key contains the whole anchor, so listing is enough to read them, and no object is
 * overwritten.
 */
function bucketWitness({ put, list }: Objects): Witness {
  const place = (number: number): string => String(number).padStart(10, '0');
  return {
    prepare: async () => undefined,
    append: ({ number, seal }) => put(`${place(number)}-${seal}`, `${number} ${seal}\n`),
    async *read(from) {
      for await (const key of list(place(from))) {
        const entry = readEntry(key);
        if (entry === undefined) throw new AlteredWitnessError(`the object ${key} was not written by Kasente`);
        yield entry;
      }
    },
  };
}
