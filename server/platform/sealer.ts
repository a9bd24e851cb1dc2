import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Keeps what the database must not hold in the clear: codes are stored as a keyed digest (5 digits would fall to
 * a bare hash at once), messages that wait to be sent are encrypted.
 */
export interface Sealer {
  digest(text: string): Buffer;
  seal(text: string): Buffer;
  /** Throws where the text was sealed with another key or has been altered. */
  unseal(sealed: Buffer): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const AUTH_TAG_BYTES = 16;

/** A {@link Sealer} with keys derived from the server's secret. */
export function createSealer(secret: string): Sealer {
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'kasente', purpose, 32));
  const digestKey = derive('digest');
  const sealKey = derive('seal');
  return {
    digest: (text) => createHmac('sha256', digestKey).update(text).digest(),
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealKey, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    unseal: (sealed) => {
      const decipher = createDecipheriv(CIPHER, sealKey, sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + AUTH_TAG_BYTES));
      const body = sealed.subarray(NONCE_BYTES + AUTH_TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
  };
}

/** The server's secret: the setting, or a file in the data folder that the first start writes for its owner only. */
export async function loadSecret(setting: string | undefined, dataDir: string): Promise<string> {
  if (setting !== undefined) return setting;
  const path = join(dataDir, 'secret.key');
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(randomBytes(32).toString('base64url'));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFile(path, 'utf8');
}
