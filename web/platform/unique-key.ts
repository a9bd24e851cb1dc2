const BYTES = 16;

/**
 * A unique key: 128 random bits in hexadecimal, for an Idempotency-Key (docs/decisions/0041). `crypto.randomUUID` does
 * not exist on a page served over plain http, for example to a phone on the local network.
 */
export function uniqueKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
