import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';

/**
 * The manifest of a backup (docs/decisions/0018-backup.md). `manifest.json` lists every file with its digest;
 * `manifest.sums` has the manifest's digest, sealed with the server's secret.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().regex(/^[a-z][a-z0-9_]*$/);
const count = z.int().min(0);

const tableCopy = z.strictObject({ name, columns: z.array(name).min(1), rows: count, sha256 });
const sequence = z.strictObject({ table: name, column: name, last: z.string().regex(/^\d+$/), isCalled: z.boolean() });

const manifest = z.strictObject({
  format: z.literal(1),
  /** The version and commit of Kasente that made it, such as '1.2.0+3f2a9c1b04de'; before 1.2.0 only the version. */
  kasente: z.string(),
  /** The database's time of the snapshot. */
  madeAt: z.iso.datetime(),
  /** Every migration of the rows' schema, in order. */
  migrations: z.array(z.string()).min(1),
  /** The schema's fingerprint, and its differences from this version's. Missing in backups from before 1.0.0. */
  schema: z.strictObject({ fingerprint: sha256, differs: z.array(z.string()) }).optional(),
  tables: z.array(tableCopy),
  sequences: z.array(sequence),
  /** Describes `documents.jsonl`, which has a line for each file in `documents/`. */
  documents: z.strictObject({ count, sha256 }),
  /** Documents whose file was lost or altered before the backup, and which the backup therefore lacks. */
  lost: z.array(z.strictObject({ key: z.string(), finding: z.enum(['missing', 'altered']) })),
});
export type Manifest = z.output<typeof manifest>;
export type TableCopy = z.output<typeof tableCopy>;
export type SequenceCopy = z.output<typeof sequence>;
export type LostDocument = Manifest['lost'][number];

const sums = z.strictObject({ sha256, seal: sha256 });
export type Sums = z.output<typeof sums>;

/** A line of `documents.jsonl`. Keys are the store's own (files/files.ts). */
export const documentCopy = z.strictObject({
  key: z.string().regex(/^[a-z\d][a-z\d-]*(\/[a-z\d][a-z\d-]*)*(\.[a-z\d]+)?$/),
  bytes: count,
  sha256,
});
export type DocumentCopy = z.output<typeof documentCopy>;

export const MANIFEST = 'manifest.json';
export const SUMS = 'manifest.sums';
export const DOCUMENT_LIST = 'documents.jsonl';

/** The path of a table's copy. */
export function tableFile(table: string): string {
  return join('tables', `${table}.copy`);
}

/** The path of a document's copy. */
export function documentFile(key: string): string {
  return join('documents', ...key.split('/'));
}

/** Reads a manifest, and the text that its seal covers. Throws {@link BackupError}. */
export async function readManifest(folder: string): Promise<{ manifest: Manifest; text: string; seal: string }> {
  const [text, sumsText] = await Promise.all([readPart(folder, MANIFEST), readPart(folder, SUMS)]);
  const expected = parse(sums, sumsText, SUMS);
  if (createHash('sha256').update(text).digest('hex') !== expected.sha256) {
    throw new BackupError(`${MANIFEST} is damaged: its content has changed. Use another backup.`);
  }
  return { manifest: parse(manifest, text, MANIFEST), text, seal: expected.seal };
}

async function readPart(folder: string, file: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${folder} is an incomplete backup: ${file} cannot be read (${reason}).`);
  }
}

function parse<Shape>(schema: z.ZodType<Shape>, text: string, file: string): Shape {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new BackupError(`${file} cannot be parsed: it is damaged, or from another version of Kasente.`);
  }
}
