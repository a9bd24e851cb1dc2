import { createHash, randomBytes } from 'node:crypto';

/** An opaque 256-bit token as base64url, for a cookie or a handle. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a token: its SHA-256. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
