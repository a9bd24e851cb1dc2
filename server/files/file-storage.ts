import type { Readable } from 'node:stream';
import { codeOf } from '#server/machine/error-codes.ts';
import type { ReceivedFile } from './inbox.ts';

/** A file being read: its size in bytes, and its content, which the reader must consume or destroy. */
export interface StoredFile {
  readonly size: number;
  readonly content: Readable;
}

/** Stores files by key, in a folder or a bucket. */
export interface FileStorage {
  /** Stores a received file durably and atomically: readers of the key get the whole file or none. */
  put(received: ReceivedFile, key: string): Promise<void>;
  /** Throws if the file does not exist or cannot be read. */
  read(key: string): Promise<StoredFile>;
  /** Removes the file; a missing one is not an error. */
  remove(key: string): Promise<void>;
  /** All keys, unordered. */
  list(): AsyncIterable<string>;
  check(): Promise<void>;
}

/** Whether an error of `read` means that the file doesn't exist. An unreachable store doesn't count. */
export function isAbsence(error: unknown): boolean {
  return (error instanceof Error && error.name === 'NoSuchKey') || ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
}

/** Returns undefined if {@link isAbsence}, and rethrows every other error. */
export function unlessAbsent(error: unknown): undefined {
  if (!isAbsence(error)) throw error;
  return undefined;
}
