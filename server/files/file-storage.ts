import type { Readable } from 'node:stream';
import { codeOf } from '#server/machine/error-codes.ts';
import type { ReceivedFile } from './inbox.ts';

/** A file being read: its size in bytes and its content, which the reader must consume or destroy. */
export interface StoredFile {
  readonly size: number;
  readonly content: Readable;
}

/** A storage of files by key: a folder or a bucket. */
export interface FileStorage {
  /** Stores a received file durably and atomically: readers of the key find all of it or nothing. */
  put(received: ReceivedFile, key: string): Promise<void>;
  /** Throws if the file does not exist or cannot be read. */
  read(key: string): Promise<StoredFile>;
  /** Removes the file; a missing one is no error. */
  remove(key: string): Promise<void>;
  /** All keys, unordered. */
  list(): AsyncIterable<string>;
  check(): Promise<void>;
}

/** Whether an error of `read` means that there is no such file; an unreachable store is something else. */
export function isAbsence(error: unknown): boolean {
  return (error instanceof Error && error.name === 'NoSuchKey') || ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
}

/** Returns undefined where {@link isAbsence}, and throws every other error as it came. */
export function unlessAbsent(error: unknown): undefined {
  if (!isAbsence(error)) throw error;
  return undefined;
}
