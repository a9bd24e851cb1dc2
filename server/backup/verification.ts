import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { migrationNames } from '#server/migrations/migrate.ts';
import { sinceBaseline } from '#server/migrations/record.ts';
import { expectedSchema, nameParts } from '#server/migrations/schema.ts';
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

/** A completely read backup. */
export interface VerifiedBackup {
  readonly manifest: Manifest;
  readonly text: string;
  readonly seal: string;
}

/**
 * Reads every file of a backup and compares it with the manifest, and the tables with the schema of a restore. Throws
 * {@link BackupError}, which describes the difference.
 */
export async function verifyBackup(folder: string): Promise<VerifiedBackup> {
  const read = await readManifest(folder);
  if (isOurVersion(read.manifest.migrations)) refuseOtherColumns(read.manifest);
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

/** Whether a schema is this version's. */
export function isOurVersion(migrations: readonly string[]): boolean {
  return sinceBaseline(migrations).join() === migrationNames.join();
}

/** Rows are restored into the columns of a new schema. Other columns can't be restored. */
function refuseOtherColumns({ tables }: Manifest): void {
  const copied = tables.flatMap(({ name, columns }) => columns.map((column) => `column ${name}.${column}`));
  const known = Object.keys(expectedSchema).filter((part) => part.startsWith('column ') && isWritten(part));
  const differing = [
    ...known.filter((column) => !copied.includes(column)).map((column) => `${column} is missing`),
    ...copied.filter((column) => !known.includes(column)).map((column) => `${column} is not ours`),
  ];
  if (differing.length === 0) return;
  throw new BackupError(
    `it could not be restored, because its tables differ from those of its version (${nameParts(differing)}): somebody changed them by hand. Put that back as docs/upgrading.md says; tables of your own belong into another schema.`,
  );
}

/** Generated columns are computed from the others, and views from tables. */
function isWritten(column: string): boolean {
  const table = column.slice('column '.length).split('.')[0] ?? '';
  const isOfTable = expectedSchema[`table ${table}`]?.startsWith('r') === true;
  return isOfTable && !/^(generated|virtual) /.test(expectedSchema[column] ?? '');
}

/** The documents of a backup, in order. */
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
  return new BackupError(`${file} is damaged: its content has changed. Use another backup.`);
}
