import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import tar from 'tar-stream';
import { codeOf } from '#server/machine/error-codes.ts';
import { explainDiskError } from './backup.service.ts';
import { BackupError } from './backup-error.ts';
import { writeDurably } from './durable-file.ts';

/**
 * Encrypted backups: the folder of a backup as one tar archive, encrypted with age (https://age-encryption.org/v1), so
 * that `age --decrypt` and `tar` can open it without Kasente.
 */

/**
 * Creates a key in a new private file, in the format of `age-keygen`. Returns its recipient. Throws {@link
 * BackupError}.
 */
export async function writeNewKey(file: string): Promise<string> {
  const key = await generateIdentity();
  const recipient = await identityToRecipient(key);
  await writeDurably(file, [`# public key: ${recipient}\n${key}\n`]).catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') throw new BackupError(`${file} already exists: name a new file.`);
    throw explainDiskError(error, file);
  });
  return recipient;
}

/** The keys in a file by `age-keygen` or {@link writeNewKey}. Throws {@link BackupError}. */
export async function readKeys(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new BackupError(`the key file ${file} cannot be read (${codeOf(error)}).`);
  });
  const keys = text.split(/\r?\n/).filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (keys.length === 0) throw new BackupError(`${file} has no key: its line begins with AGE-SECRET-KEY-.`);
  return keys.map((key) => key.trim());
}

/**
 * Encrypts a folder's archive as a stream, for several recipients. Each of them can open it. Throws {@link
 * BackupError}.
 */
export async function encryptFolder(folder: string, recipients: readonly string[]): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new BackupError(
        `BACKUP_RECIPIENTS: ${recipient} is no recipient of age. Copy it again from the key's file.`,
      );
    }
  }
  const archive = tar.pack();
  packInto(archive, folder).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return Readable.fromWeb(await encrypter.encrypt(webStream(Readable.from(archive))));
}

async function packInto(archive: tar.Pack, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const path of paths.sort()) {
    const { size } = await stat(path);
    await pipeline(createReadStream(path), archive.entry({ name: relative(folder, path), size, mode: 0o600 }));
  }
  archive.finalize();
}

/**
 * Decrypts an archive into an empty folder. Throws {@link BackupError} if no identity opens it, or if it is damaged or
 * truncated: age authenticates every byte.
 */
export async function decryptInto(folder: string, source: Readable, identities: readonly string[]): Promise<void> {
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch {
    throw new BackupError('the key is incomplete: use the key file unchanged.');
  }
  const plain = await decrypter.decrypt(webStream(source)).catch(() => {
    throw new BackupError(
      'none of the keys opens it, or it is no encrypted backup: name the file of its key with --key.',
    );
  });
  const archive = tar.extract();
  const unpacked = unpackInto(folder, archive).catch((error: unknown) => {
    archive.destroy(); // otherwise the source would wait forever
    throw error;
  });
  const ends = await Promise.allSettled([unpacked, pipeline(Readable.fromWeb(plain), archive)]);
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return;
  const { reason: error }: { reason: unknown } = failed;
  if (error instanceof BackupError) throw error;
  const why = error instanceof Error ? error.message : String(error);
  throw new BackupError(`it is damaged or cut off (${why}): use another backup.`);
}

async function unpackInto(folder: string, archive: tar.Extract): Promise<void> {
  for await (const entry of archive) {
    const { name, type } = entry.header;
    const path = join(folder, name);
    if (type !== 'file' || relative(folder, path).startsWith('..'))
      throw new BackupError(`it contains ${name}, which is not part of a backup.`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeDurably(path, Readable.from(entry));
  }
}

/** Node's and the browser's types of streams differ, but the streams are the same. */
function webStream(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}
