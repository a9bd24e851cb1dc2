import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables/tables.ts';
import { isAbsence, unlessAbsent } from '#server/files/file-storage.ts';
import { syncFolder } from '#server/machine/atomic-folder.ts';
import type { Platform } from '#server/platform/platform.ts';
import { BackupError } from './backup-error.ts';
import { writeDurably } from './durable-file.ts';
import { DOCUMENT_LIST, type DocumentCopy, documentFile, type LostDocument, type Manifest } from './manifest.ts';
import { listDocuments } from './verification.ts';

/** The files of a snapshot's documents. */

const PAGE = 500;
/** Concurrent files, because a remote store is slow. */
const AT_ONCE = 8;

export interface DocumentCopies {
  readonly list: Manifest['documents'];
  readonly lost: LostDocument[];
}

interface Stored {
  readonly id: number;
  readonly key: string;
  readonly sha256: string;
}

/** Copies every document's file into the backup and writes the list of them. */
export async function copyDocuments(
  platform: Platform,
  snapshot: Kysely<Tables>,
  folder: string,
): Promise<DocumentCopies> {
  const lost: LostDocument[] = [];
  const folders = new Set([join(folder, 'documents')]);
  await mkdir(join(folder, 'documents'), { mode: 0o700 });
  let count = 0;
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const stored of pages(snapshot)) {
      for (const { key } of stored) folders.add(dirname(join(folder, documentFile(key))));
      for (const below of folders) await mkdir(below, { recursive: true, mode: 0o700 });
      for (let start = 0; start < stored.length; start += AT_ONCE) {
        const some = stored.slice(start, start + AT_ONCE);
        for (const copied of await Promise.all(some.map((one) => copyDocument(platform, one, folder)))) {
          if ('finding' in copied) lost.push(copied);
          else {
            count += 1;
            yield Buffer.from(`${JSON.stringify(copied)}\n`);
          }
        }
      }
    }
  }
  const { sha256 } = await writeDurably(join(folder, DOCUMENT_LIST), lines());
  for (const below of folders) await syncFolder(below);
  return { list: { count, sha256 }, lost };
}

/** Accepts the columns of every version: earlier ones had one digest instead of two. */
async function* pages(snapshot: Kysely<Tables>): AsyncGenerator<readonly Stored[]> {
  for (let after = 0; ; ) {
    const { rows } = await sql<Stored>`select id, storage_key as key,
        substr(coalesce(to_jsonb(documents) ->> 'stored_sha256', to_jsonb(documents) ->> 'sha256'), 3) as sha256
      from documents where id > ${after} order by id limit ${PAGE}`.execute(snapshot);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}

async function copyDocument(
  { files }: Platform,
  { key, sha256 }: Stored,
  folder: string,
): Promise<DocumentCopy | LostDocument> {
  const path = join(folder, documentFile(key));
  const stored = await files.read(key).catch(unlessAbsent);
  if (stored === undefined) return { key, finding: 'missing' };
  const written = await writeDurably(path, stored.content);
  if (written.sha256 === sha256) return { key, ...written };
  await rm(path);
  return { key, finding: 'altered' };
}

/** Restores every document into the store. If a file exists already, it must be identical, and stays. */
export async function restoreDocuments({ files }: Platform, backup: string): Promise<void> {
  const restore = async ({ key, sha256 }: DocumentCopy): Promise<void> => {
    const there = await digestOf(files, key);
    if (there === sha256) return;
    if (there !== undefined)
      throw new BackupError(`the store already has a different ${key}: nothing was overwritten.`);
    const received = await files.receive(createReadStream(join(backup, documentFile(key))));
    try {
      if (received.sha256.toString('hex') !== sha256) throw new BackupError(`${documentFile(key)} is damaged.`);
      await files.keep(received, key);
    } finally {
      await files.forget(received);
    }
  };
  let some: DocumentCopy[] = [];
  for await (const document of listDocuments(backup)) {
    some.push(document);
    if (some.length < AT_ONCE) continue;
    await Promise.all(some.map(restore));
    some = [];
  }
  await Promise.all(some.map(restore));
}

async function digestOf(files: Platform['files'], key: string): Promise<string | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of (await files.read(key)).content) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
