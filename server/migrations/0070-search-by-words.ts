import { type Kysely, sql } from 'kysely';

/**
 * Names are searched by words, without accents and punctuation (docs/decisions/0005-people-search.md): `search_form` is
 * `searchForm` of contract/text/search.ts. The columns and indexes of 0002 stay for servers of 1.1.0.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function search_form(plain text) returns text language sql immutable strict parallel safe as ${sql.raw(
    `$$
      select pg_catalog.regexp_replace(pg_catalog.lower(pg_catalog.regexp_replace(pg_catalog.normalize(
        pg_catalog.regexp_replace(plain, '${APOSTROPHES}', '', 'g'), 'NFKD'), '${ACCENTS}', '', 'g')), '${PUNCTUATION}', '', 'g')
    $$`,
  )}`.execute(db);
  await sql`alter table persons add column search_form text not null generated always as (
    search_form(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(10) || coalesce(phone, '') || chr(10) ||
      coalesce(email, ''))) stored`.execute(db);
  await sql`create index persons_search_form on persons using gin (search_form gin_trgm_ops)`.execute(db);
  await sql`alter table businesses
    add column search_form text not null generated always as (search_form(name)) stored`.execute(db);
  await sql`create index businesses_search_form on businesses using gin (search_form gin_trgm_ops)`.execute(db);
  // Like buyers_named of 0013, which stays for servers of 1.1.0. Words of a search form have no wildcards.
  await sql`create function buyers_with_words(words text[]) returns setof integer
    language sql stable rows 100 as $$
      select id from businesses
      where ever_buyer and search_form like all (select '%' || word || '%' from unnest(words) as word)
    $$`.execute(db);
  await sql`do $$ begin
    alter function buyers_with_words(text[]) security definer;
    execute format('alter function buyers_with_words(text[]) set search_path to %I, pg_temp', current_schema());
  end $$`.execute(db);
}

/** Bracket expressions as PostgreSQL reads them, within a quoted string. */
const APOSTROPHES = String.raw`[''"\u0060\u00b4\u02b9-\u02bf\u2018-\u201f\u2032-\u2036\uff07]`;
const ACCENTS = String.raw`[\u0300-\u036f]`;
const PUNCTUATION = [
  String.raw`[\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u0080-\u009f\u00a1-\u00bf\u00d7\u00f7\u02b0-\u02ff`,
  String.raw`\u200b-\u200f\u2010-\u2027\u202a-\u206f\u20a0-\u20cf\u2100-\u2bff\u3001-\u303f\ufeff]`,
].join('');
