import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { appOfFile } from '#server/testing/test-app.ts';

const app = appOfFile();

it('a reference has the same key in PostgreSQL, whatever letters and spaces it has', async () => {
  const odd = fc.constantFrom(
    'İ',
    'ı',
    'ẞ',
    'ß',
    'Σ',
    'ς',
    'É',
    'K',
    '\u00a0',
    '\u2003',
    '\ufeff',
    ' ',
    '\t',
    '\r\n',
    'Ab',
  );
  const unit = fc.oneof(odd, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }));
  // PostgreSQL stores no NUL and no half of a surrogate pair.
  const reference = fc
    .array(unit, { maxLength: 12 })
    .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());
  const given = fc.sample(reference, { numRuns: 2_000 });
  const { rows } = await sql<{ key: string }>`select reference_key(given) as key
    from unnest(${given}::text[]) with ordinality as one (given, place) order by place`.execute(app.platform.db);
  expect(rows.map(({ key }) => key)).toEqual(given.map(referenceKey));
});
