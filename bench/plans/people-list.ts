import type { Compilable } from 'kysely';
import pg from 'pg';
import { fillPeople, RARE_NAME } from '#bench/fills/people.fill.ts';
import type { Database } from '#server/db/database.ts';
import { selectPageOfCommonSearch, selectPageOfSearch, selectPeoplePage } from '#server/people/people-list.queries.ts';
import { type PeopleSearch, readSearch } from '#server/people/people-search.ts';
import { onFilledDatabase, ROWS } from './plans.ts';

/**
 * The users list with a million people: the plan of each statement, and its times with a custom and a generic plan
 * (docs/decisions/0005-people-search.md).
 *
 *   node bench/plans/people-list.ts [people]
 */

await onFilledDatabase(
  (db) => fillPeople(db, ROWS),
  async ({ db }, { connection }) => {
    const client = new pg.Client(connection);
    await client.connect();
    for (const [name, query] of cases(db)) await report(client, name, query);
    await client.end();
  },
);

function cases(db: Database): [string, Compilable][] {
  const page = (offset: number) => ({ size: 10, offset });
  const all = { status: undefined, sort: undefined };
  const common = (typed: string, offset = 0) => selectPageOfCommonSearch(db, search(typed), all, page(offset));
  const found = (typed: string) => selectPageOfSearch(db, search(typed), all, page(0));
  return [
    ['list, first page', selectPeoplePage(db, all, page(0))],
    ['list, middle page', selectPeoplePage(db, all, page(ROWS / 2))],
    ['list, last page', selectPeoplePage(db, all, page(ROWS - 10))],
    ['list of Deactivated, first page', selectPeoplePage(db, { ...all, status: 'Deactivated' }, page(0))],
    ['list of Active, page 1,000', selectPeoplePage(db, { ...all, status: 'Active' }, page(9_990))],
    ['list, who joined first', selectPeoplePage(db, { ...all, sort: 'joined' }, page(0))],
    ['list, who joined last, page 1,000', selectPeoplePage(db, { ...all, sort: '-joined' }, page(9_990))],
    ['rare name: qzxander', found(RARE_NAME)],
    ['nobody: nabireqz', found('nabireqz')],
    ['two words, surname first: okello qzxander', found(`okello ${RARE_NAME}`)],
    ['two common words: nabirye sarah', found('nabirye sarah')],
    ['two common words, read in order: nabirye sarah', common('nabirye sarah')],
    ['a word and a number: sarah 0700 007 919', found('sarah 0700 007 919')],
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

/** Prints the custom plan, and the times with the custom and the generic plan. */
async function report(client: pg.Client, name: string, query: Compilable): Promise<void> {
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
