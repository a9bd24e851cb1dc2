import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { searchForm } from '#contract/text/search.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile();

it('the database computes the same search form as the contract for every text', async () => {
  const unit = fc.oneof(
    fc.integer({ min: 1, max: 0x2fff }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom('é', 'e\u0301', 'Ａ', "'", '’', '-', '\u2011', '\u202a', '\ufeff', 'ß', 'İ', 'ŋ', '٠', '\n', ' '),
  );
  const texts = fc.sample(fc.string({ unit, maxLength: 40 }), 500);
  const { rows } = await sql<{ form: string }>`select search_form(text) as form
    from unnest(${texts}::text[]) with ordinality as given (text, place) order by place`.execute(app.platform.db);
  expect(rows.map(({ form }) => form)).toEqual(texts.map(searchForm));
});
