import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/**
 * Where the seals of the audit log's anchors are told outside the database (docs/decisions/0015-audit-chain.md): a file, or
 * a bucket, that is only added to. Whoever takes the newest anchors away cannot take them from there.
 */

/** What is told of an anchor; `seal` as hexadecimal digits. */
export interface Testimony {
  readonly number: number;
  readonly seal: string;
}

/** The witness holds what was never told: somebody wrote into it, which is something else than one that cannot be read. */
export class AlteredWitnessError extends Error {}

export interface Witness {
  /** Adds an anchor; resolves once it survives a power cut. */
  tell(anchor: Testimony): Promise<void>;
  /** The anchors from that number on, in no order; one may be told twice. Throws where they cannot be read. */
  told(from: number): AsyncIterable<Testimony>;
}

/** Opens what `AUDIT_WITNESS` names: `s3://bucket/prefix?region=…&endpoint=…`, or the path of a file. */
export async function openWitness(place: string): Promise<Witness> {
  if (!place.startsWith('s3:')) return fileWitness(place);
  // Loaded only where there is a bucket (docs/decisions/0028-benches.md).
  const { openObjects } = await import('#server/files/files-on-s3.ts');
  return bucketWitness(openObjects(new URL(place)));
}

const SEAL_DIGITS = 64;
const ENTRY = new RegExp(`^(\\d+)[ -]([0-9a-f]{${SEAL_DIGITS}})$`);
/** What a power cut leaves of a line; the anchor is told again. */
const TORN = new RegExp(`^\\d*( [0-9a-f]{0,${SEAL_DIGITS - 1}})?$`);

function fileWitness(path: string): Witness {
  return {
    tell: async ({ number, seal }) => {
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
    told: (from) => readFile(path, from),
  };
}

async function* readFile(path: string, from: number): AsyncGenerator<Testimony> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return;
  let line = 0;
  for await (const text of createInterface({ input: file.createReadStream() })) {
    line += 1;
    const entry = readEntry(text);
    if (entry === undefined && !TORN.test(text))
      throw new AlteredWitnessError(`line ${line} of ${path} is none of Kasente's`);
    if (entry !== undefined && entry.number >= from) yield entry;
  }
}

function readEntry(text: string): Testimony | undefined {
  const [, number, seal] = ENTRY.exec(text) ?? [];
  return number === undefined || seal === undefined ? undefined : { number: Number(number), seal };
}

/** The objects of a bucket, as far as a witness needs them. */
interface Objects {
  put(key: string, text: string): Promise<void>;
  /** The keys that come after one, in their order. */
  list(after: string): AsyncIterable<string>;
}

/** An object for each anchor, whose name says all of it: listing reads them, and none is ever written over. */
function bucketWitness({ put, list }: Objects): Witness {
  const place = (number: number): string => String(number).padStart(10, '0');
  return {
    tell: ({ number, seal }) => put(`${place(number)}-${seal}`, `${number} ${seal}\n`),
    async *told(from) {
      for await (const key of list(place(from))) {
        const entry = readEntry(key);
        if (entry === undefined) throw new AlteredWitnessError(`the object ${key} is none of Kasente's`);
        yield entry;
      }
    },
  };
}
