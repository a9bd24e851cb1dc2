import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BackupError } from './backup-error.ts';
import { readBack } from './durable-file.ts';
import {
  DOCUMENT_LIST,
  type DocumentCopy,
  documentCopy,
  documentFile,
  type Manifest,
  readManifest,
  tableFile,
} from './manifest.ts';

/** A backup that was read from its first byte to its last. */
export interface VerifiedBackup {
  readonly manifest: Manifest;
  readonly text: string;
  readonly seal: string;
}

/** Reads every file of a backup and compares it with the manifest. Throws {@link BackupError} naming the first that differs. */
export async function verifyBackup(folder: string): Promise<VerifiedBackup> {
  const read = await readManifest(folder);
  const { tables, documents } = read.manifest;
  for (const { name, sha256 } of tables) await verifyFile(folder, tableFile(name), sha256);
  await verifyFile(folder, DOCUMENT_LIST, documents.sha256);
  let count = 0;
  for await (const { key, sha256 } of listDocuments(folder)) {
    await verifyFile(folder, documentFile(key), sha256);
    count += 1;
  }
  if (count !== documents.count) throw damaged(DOCUMENT_LIST);
  return read;
}

/** The documents of a backup, in its own order. */
export async function* listDocuments(folder: string): AsyncGenerator<DocumentCopy> {
  const input = createReadStream(join(folder, DOCUMENT_LIST));
  for await (const line of createInterface({ input })) yield documentCopy.parse(JSON.parse(line));
}

async function verifyFile(folder: string, file: string, sha256: string): Promise<void> {
  const found = await readBack(join(folder, file)).catch((error: unknown) => {
    throw new BackupError(`${file} cannot be read (${error instanceof Error ? error.message : String(error)}).`);
  });
  if (found.sha256 !== sha256) throw damaged(file);
}

function damaged(file: string): BackupError {
  return new BackupError(`${file} is damaged: it is not as it was written. Take another backup.`);
}
