import { createHash } from 'node:crypto';

/** The SHA-256, in hex, of a JSON value with sorted keys. We sort because `jsonb` does not keep the order of keys. */
export function canonicalDigest(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner));
  return createHash('sha256').update(text).digest('hex');
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
