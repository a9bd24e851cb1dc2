import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile();

async function databaseKeys(references: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select reference_key(given) as key
    from unnest(${references}::text[]) with ordinality as one (given, place) order by place`.execute(app.platform.db);
  return rows.map(({ key }) => key);
}

it('PostgreSQL and TypeScript give every character the same key', async () => {
  // PostgreSQL stores neither NUL nor half of a surrogate pair.
  const isStored = (code: number): boolean => code !== 0 && (code < 0xd800 || code > 0xdfff);
  const codes = Array.from({ length: 0x11_00_00 }, (_, code) => code).filter(isStored);
  const characters = codes.map((code) => String.fromCodePoint(code));
  const keys = await databaseKeys(characters);
  const differing = characters.filter((one, place) => keys[place] !== referenceKey(one));
  expect(differing.map((one) => one.codePointAt(0)?.toString(16))).toEqual([]);
});

it('PostgreSQL and TypeScript give every reference the same key', async () => {
  const odd = fc.constantFrom(
    ...['İ', 'ı', 'ẞ', 'ß', 'Σ', 'ς', 'É', 'E\u0301', 'K', 'ﬁ', '가', '１', 'Ｍ', '²', '½', '№', '℡', '𝐀'],
    ...['\u00a0', '\u2003', '\ufeff', '\u200b', '\u202e', '\ufe0f', '\u00ad', '\u3164', ' ', '\t', '\r\n'],
    ...['-', '–', '—', '−', '‐', '_', '.', '/', '(', ')', "'", '’', 'Ab'],
  );
  const unit = fc.oneof(odd, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }));
  const reference = fc
    .array(unit, { maxLength: 12 })
    .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());
  const given = fc.sample(reference, { numRuns: 5_000 });
  expect(await databaseKeys(given)).toEqual(given.map(referenceKey));
});
