const BYTES = 16;

/**
 * A key that nobody else has: 128 random bits in hexadecimal, for an Idempotency-Key (docs/decisions/0041).
 * `crypto.randomUUID` does not exist on a page that came over plain http, such as from a phone on the local network.
 */
export function uniqueKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
