import { constants, publicEncrypt } from 'node:crypto';
import type { AirtelSettings, KeyBits } from './settings.ts';

/**
 * How to encrypt a PIN: Airtel's first encryption has keys of 1024 bits and RSA's plain padding, its second 2048 bits
 * and OAEP with SHA-256 (docs/decisions/0049-providers.md).
 */
const paddings = {
  1024: { padding: constants.RSA_PKCS1_PADDING },
  2048: { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
} as const satisfies Record<KeyBits, object>;

/** The PIN, encrypted for a disbursement. */
export function encryptedPin({ pin, publicKey, keyBits }: AirtelSettings): string {
  return publicEncrypt({ key: publicKey, ...paddings[keyBits] }, Buffer.from(pin)).toString('base64');
}
