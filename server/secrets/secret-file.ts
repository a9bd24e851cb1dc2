import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '#server/machine/atomic-folder.ts';
import { unlessCode } from '#server/machine/error-codes.ts';

/** The secret in the data folder, used if SECRET_KEY is not set. */

/** A shorter secret is truncated or invalid. */
export const SECRET_LENGTH = 32;

/** The secret file cannot be used; the message says what to do. */
export class SecretError extends Error {}

/** The path of a data folder's secret. */
export function secretPath(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** The data folder's secret; undefined if there is none. Throws {@link SecretError} for an empty or truncated one. */
export async function readSecret(dataDir: string): Promise<string | undefined> {
  const path = secretPath(dataDir);
  const secret = await readFile(path, 'utf8').catch(unlessCode('ENOENT'));
  if (secret === undefined || secret.trim().length >= SECRET_LENGTH) return secret;
  throw new SecretError(
    `the secret in ${path} is empty or cut off (${secret.trim().length} characters, not ${SECRET_LENGTH} or more). Put it back from where you keep it, or set SECRET_KEY to it; nothing was changed.`,
  );
}

/**
 * Creates the data folder's secret, readable only by its owner, and returns it. The file gets its name once its content
 * is on the disk, so a full disk or a power cut leaves no partial file. If two processes create it at the same time,
 * the first wins.
 */
export async function makeSecret(dataDir: string): Promise<string> {
  const path = secretPath(dataDir);
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.unfinished`;
  try {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(randomBytes(SECRET_LENGTH).toString('base64url'));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(unfinished, path).catch(unlessCode('EEXIST'));
  } finally {
    await rm(unfinished, { force: true });
  }
  await syncFolder(dirname(path)); // makes the file's name durable, too
  const secret = await readSecret(dataDir);
  if (secret === undefined) throw new SecretError(`the secret in ${path} vanished while it was made. Start again.`);
  return secret;
}
