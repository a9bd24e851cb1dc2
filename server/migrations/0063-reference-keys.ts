import { type Kysely, sql } from 'kysely';

/**
 * One normal form for payment references (docs/decisions/0050-money-that-comes.md). The columns and functions of the last
 * release stay: two lines that it told apart by a dash or an apostrophe were counted both, and may have one key now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index journal_entries_reference`.execute(db);
  await sql`alter function reference_key(text) rename to spaceless_reference`.execute(db);
  await sql`create function reference_key(reference text) returns text language sql immutable strict parallel safe as $$
    select lower(regexp_replace(
      regexp_replace(normalize(regexp_replace(reference, ${sql.lit(NEWER)}, '', 'g'), NFKD), ${sql.lit(LEFT_OUT)}, '', 'g'),
      '^0+(?=[0-9]+$)', '') collate "C") $$`.execute(db);
  await sql`create index journal_entries_reference on journal_entries (method, (reference_key(reference)))
    where reference is not null`.execute(db);
  await sql`alter table statement_lines
    add column reference_key text not null generated always as (reference_key(provider_id)) stored`.execute(db);
  await sql`create index statement_lines_reference on statement_lines (rail, currency_id, reference_key)`.execute(db);
  await renameExplained(db);
}

/** Everything but letters, digits and parentheses, as contract/payments/reference-key.ts. */
const LEFT_OUT = [
  '[',
  String.raw`\u0001-\u0027\u002a-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u02b9-\u036f\u055a-`,
  String.raw`\u055f\u058a\u05be\u0600-\u0605\u060c\u061b-\u061f\u066a-\u066d\u06dd\u070f\u0890-\u0891\u08e2`,
  String.raw`\u115f-\u1160\u1400\u1680\u17b4-\u17b5\u1806\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u206f`,
  String.raw`\u20d0-\u20ff\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u30a0\ue000-\uf8ff\ufe00-`,
  String.raw`\ufe0f\ufe20-\ufe6f\ufeff\ufff0-\ufffd\U00010d6e\U00010ead\U000110bd\U000110cd\U00013430-\U0001343f`,
  String.raw`\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff`,
  ']',
].join('');

/** Characters since Unicode 15, which PostgreSQL 15 does not decompose yet. */
const NEWER = String.raw`[\ua7f1\U000105c9\U000105e4\U00011383\U00011385\U0001138e\U00011391\U000113c5\U000113c7-\U000113c8\U00016d68-\U00016d6a\U0001ccd6-\U0001ccf9\U0001e030-\U0001e06d]`;

/** Explanations are found by the difference, which has the key: without this, explained differences would be open again. */
async function renameExplained(db: Kysely<unknown>): Promise<void> {
  const key =
    '^((?:provider |imports )?(?:missingHere|missingThere|amount|twice|late|contradicted|elsewhere) )([^ ]+)( .*)$';
  const wholeDay = String.raw`^late \d{4}-\d{2}-\d{2} -?\d+ -?\d+$`;
  await sql`alter table explained_differences disable trigger explained_differences_append_only`.execute(db);
  await sql`with renamed as (
      select id, rail, currency_id, day, part[1] || reference_key(part[2]) || part[3] as difference
      from explained_differences, regexp_match(difference, ${key}) as part
      where part is not null and difference !~ ${wholeDay}),
    first as (select distinct on (rail, currency_id, day, difference) id, difference from renamed as one
      where not exists (select from explained_differences as other where
        (other.rail, other.currency_id, other.day, other.difference) = (one.rail, one.currency_id, one.day, one.difference))
      order by rail, currency_id, day, difference, id)
    update explained_differences set difference = first.difference from first
    where explained_differences.id = first.id`.execute(db);
  await sql`alter table explained_differences enable trigger explained_differences_append_only`.execute(db);
}
