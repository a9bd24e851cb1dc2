import type { Readable } from 'node:stream';
import type { ReceivedFile } from './inbox.ts';

/** What is read back: its size in bytes and its content, which the reader must consume or destroy. */
export interface StoredFile {
  readonly size: number;
  readonly content: Readable;
}

/** A place for files by key: a folder of the disk, or a bucket. */
export interface FileStorage {
  /** Takes a received file over, durably and as a whole: whoever reads the key finds all of it or nothing. */
  put(received: ReceivedFile, key: string): Promise<void>;
  /** Throws where there is no such file or it cannot be read. */
  read(key: string): Promise<StoredFile>;
  /** Removes the file; one that is not there is no error. */
  remove(key: string): Promise<void>;
  /** The keys of everything that is kept, in any order. */
  list(): AsyncIterable<string>;
  check(): Promise<void>;
}

/** Whether an error of `read` is the disk's or S3's way to say that there is no such file; a store that does not answer is something else. */
export function isAbsence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'NoSuchKey' || ('code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'));
}
