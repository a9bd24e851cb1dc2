import { createHash } from 'node:crypto';

const names = new Map<string, string>();
const NAMES_KEPT = 2000;

/** Names a statement by a hash of its text, so that PostgreSQL plans each one only once per connection. */
export function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  if (names.size < NAMES_KEPT) names.set(text, name);
  return name;
}
