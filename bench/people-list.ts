import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Compilable, sql } from 'kysely';
import pg from 'pg';
import { migrate } from '#server/migrations/migrate.ts';
import { selectPageOfCommonSearch, selectPageOfSearch, selectPeoplePage } from '#server/people/people-list.queries.ts';
import { type PeopleSearch, readSearch } from '#server/people/people-search.ts';
import { type Database, openDatabase } from '#server/platform/database.ts';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts';

/**
 * How the users list answers with very many people: makes them in an embedded database of its own, then prints for
 * each case the plan and the times of the statements the server sends (docs/decisions/0005-people-search.md).
 *
 * `node bench/people-list.ts [people, 1000000 unless told]`
 */

const people = Number(process.argv[2] ?? 1_000_000);
const businesses = 5_000;
/** A name that one person has and nobody else's contains. */
const RARE_NAME = 'Qzxander';

const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-'));

await chmod(dataDir, 0o711); // PostgreSQL runs as another user when this is root, and has to get in
const postgres = await startEmbeddedPostgres({ dataDir });
const { db, close } = openDatabase(postgres.connection, () => undefined);
const client = new pg.Client(postgres.connection);
try {
  await client.connect();
  await migrate(db);
  await makePeople(db);
  for (const [name, query] of cases(db)) await report(name, query);
} finally {
  await client.end();
  await close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** One in 20 each is Verified, Pending and Deactivated; three in ten have an e-mail; a sign-up every 90 seconds. */
async function makePeople(db: Database): Promise<void> {
  const first = 'Sarah,Moses,Grace,Peter,Aisha,Ronald,Brenda,Ivan,Esther,Joseph,Doreen,Isaac,Ritah,Samuel,Juliet,Denis';
  const last = 'Nabirye,Waiswa,Namukasa,Okello,Nakato,Mugisha,Akello,Ochieng,Tumusiime,Byaruhanga,Kato,Opio,Atim,Auma';
  const towns = 'Nakasero,Jinja,Mbarara,Gulu,Entebbe,Kampala,Lira,Arua,Masaka,Soroti';
  const began = performance.now();
  await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at)
    select town.names[1 + i % cardinality(town.names)] || ' Traders ' || i || ' Ltd', 1, 1, true, false, true, now()
    from generate_series(1, ${sql.lit(businesses)}) as i, (select string_to_array(${towns}, ',') as names) as town`.execute(
    db,
  );
  await sql`insert into persons (username, username_kind, password_hash, status, permissions, first_name, last_name, gender,
      phone, email, business_id, industry_id, district_id, created_at)
    select phone, 'phone', 'none', status, case status when 'Active' then array['BIDA'] else '{}' end,
      case when i = ${sql.lit(Math.round(people / 3))} then ${RARE_NAME}
           else first.names[1 + floor(random() * cardinality(first.names))] end,
      last.names[1 + floor(random() * cardinality(last.names))], 'female', phone,
      case when random() < 0.3 then 'user' || i || '@example.ug' end,
      case status when 'Active' then 1 + floor(random() * ${sql.lit(businesses)}) end, 1, 1,
      timestamptz '2024-01-01' + i * interval '90 seconds'
    from (select i, '07' || lpad((i::bigint * 7919 % 100000000)::text, 8, '0') as phone,
            (array['Verified', 'Pending', 'Deactivated'])[1 + i % 20] as rarely
          from generate_series(1, ${sql.lit(people)}) as i) as made
      cross join lateral (select coalesce(rarely, 'Active') as status) as standing,
      (select string_to_array(${first}, ',') as names) as first, (select string_to_array(${last}, ',') as names) as last`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
  console.log(`${people} people made in ${Math.round((performance.now() - began) / 1000)} s\n`);
}

function cases(db: Database): [string, Compilable][] {
  const page = (offset: number) => ({ size: 10, offset });
  const all = { status: undefined, sort: undefined };
  const common = (typed: string, offset = 0) => selectPageOfCommonSearch(db, search(typed), all, page(offset));
  const found = (typed: string) => selectPageOfSearch(db, search(typed), all, page(0));
  return [
    ['list, first page', selectPeoplePage(db, all, page(0))],
    ['list, middle page', selectPeoplePage(db, all, page(people / 2))],
    ['list, last page', selectPeoplePage(db, all, page(people - 10))],
    ['list of Deactivated, first page', selectPeoplePage(db, { ...all, status: 'Deactivated' }, page(0))],
    ['list of Active, page 1,000', selectPeoplePage(db, { ...all, status: 'Active' }, page(9_990))],
    ['list, who joined first', selectPeoplePage(db, { ...all, sort: 'joined' }, page(0))],
    ['list, who joined last, page 1,000', selectPeoplePage(db, { ...all, sort: '-joined' }, page(9_990))],
    ['rare name: qzxander', found(RARE_NAME)],
    ['nobody: nabireqz', found('nabireqz')],
    ['a whole phone number: 0700 007 919', found('0700 007 919')],
    ['part of phone numbers: 07000', found('07000')],
    ['one business: Traders 1234', found('Traders 1234')],
    ['common name, gathered in vain: sarah', found('sarah')],
    ['common name, read in order: sarah', common('sarah')],
    ['common name, page 1,000: sarah', common('sarah', 9_990)],
    ['nearly everybody, gathered in vain: traders', found('traders')],
    ['nearly everybody, read in order: traders', common('traders')],
    ['two letters, common, gathered in vain: 07', found('07')],
    ['two letters, rare: qz', found('qz')],
  ];
}

function search(typed: string): PeopleSearch {
  const read = readSearch(typed);
  if (read === undefined) throw new Error('an empty phrase is no search');
  return read;
}

/** The plan made for these values, and the times with it and with one made once for all values. */
async function report(name: string, query: Compilable): Promise<void> {
  const { sql: text, parameters } = query.compile();
  const values = parameters.map((value) => pg.escapeLiteral(String(value))).join(', ');
  await client.query(`prepare page as ${text}`);
  const explain = async (mode: string): Promise<string[]> => {
    await client.query(`set plan_cache_mode = ${mode}`);
    const statement = `explain (analyze, buffers, costs off) execute page${values === '' ? '' : `(${values})`}`;
    await client.query(statement);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(statement);
    return rows.map((row) => row['QUERY PLAN']);
  };
  const ownPlan = await explain('force_custom_plan');
  const sharedPlan = await explain('force_generic_plan');
  await client.query('deallocate page');
  console.log(
    `== ${name}\n   own plan: ${timeOf(ownPlan)}; shared plan: ${timeOf(sharedPlan)}\n${ownPlan.join('\n')}\n`,
  );
}

function timeOf(plan: readonly string[]): string {
  return plan.at(-1)?.trim() ?? '';
}
