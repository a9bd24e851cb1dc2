import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Protects data that the database must not hold in clear text: codes as keyed digests (5 digits would not survive a
 * plain hash), and waiting messages encrypted.
 */
export interface Sealer {
  digest(text: string): Buffer;
  /** The {@link digest} under the current and the previous secret, to compare with values stored long ago. */
  digests(text: string): Buffer[];
  seal(text: string): Buffer;
  /** Throws if the text was sealed with an unknown key, or was altered. */
  unseal(sealed: Buffer): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const AUTH_TAG_BYTES = 16;

interface Keys {
  readonly digest: Buffer;
  readonly seal: Buffer;
}

/**
 * A {@link Sealer} with keys derived from the server's secret. While changing the secret, the operator also sets the
 * previous one (docs/security.md), so that values sealed under it can still be read.
 */
export function createSealer(secret: string, previous?: string): Sealer {
  const current = keysOf(secret);
  const all = previous === undefined ? [current] : [current, keysOf(previous)];
  return {
    digest: (text) => digestWith(current, text),
    digests: (text) => all.map((keys) => digestWith(keys, text)),
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.seal, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    unseal: (sealed) => {
      try {
        return unsealWith(current, sealed);
      } catch (error) {
        const earlier = all.at(1);
        if (earlier === undefined) throw error;
        return unsealWith(earlier, sealed);
      }
    },
  };
}

function keysOf(secret: string): Keys {
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'kasente', purpose, 32));
  return { digest: derive('digest'), seal: derive('seal') };
}

function digestWith(keys: Keys, text: string): Buffer {
  return createHmac('sha256', keys.digest).update(text).digest();
}

function unsealWith(keys: Keys, sealed: Buffer): string {
  const decipher = createDecipheriv(CIPHER, keys.seal, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + AUTH_TAG_BYTES));
  const body = sealed.subarray(NONCE_BYTES + AUTH_TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
