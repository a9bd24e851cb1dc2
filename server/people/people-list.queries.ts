import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { PersonSort, PersonStatus } from '#contract/people/schema.ts';
import { COUNTED_ROWS } from '#contract/product.ts';
import type { Connection } from '#server/db/database.ts';
import { hasWord, hasWords } from '#server/db/search-words.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { PeopleSearch } from './people-search.ts';

/**
 * The people that a list shows, and their order; by default people of every status, those who wait for activation
 * first.
 */
export interface PeopleFilter {
  readonly status: PersonStatus | undefined;
  readonly sort: PersonSort | undefined;
}

/** The page of a list. */
export interface PageOf {
  readonly size: number;
  readonly offset: number;
}

/** The rows of a list, with the names of what they refer to. */
function selectRows(connection: Pick<Connection, 'selectFrom'>) {
  return connection
    .selectFrom('persons')
    .leftJoin('businesses', 'businesses.id', 'persons.business_id')
    .leftJoin('districts', 'districts.id', 'persons.district_id')
    .select([
      'persons.tag',
      'persons.first_name',
      'persons.last_name',
      'persons.designation',
      'persons.status',
      'persons.gender',
      'persons.phone',
      'persons.email',
      'persons.business_id',
      'businesses.name as business',
      'businesses.tag as business_tag',
      'districts.name as district',
      'persons.username',
      'persons.permissions',
      'persons.created_at',
      'persons.last_login_at',
      'persons.stated_business',
      'persons.stated_tin',
      'persons.industry_id',
      'persons.district_id',
    ])
    .select((row) => jsonObjectFrom(businessStated(row)).as('stated_match'));
}

/** The business that a newcomer stated, by its TIN or else its name. */
function businessStated({ selectFrom }: ExpressionBuilder<Tables, 'persons'>) {
  return selectFrom('businesses as match')
    .select([
      'match.id',
      'match.tag',
      'match.name',
      sql<boolean>`match.is_client and match.active`.as('isActiveClient'),
    ])
    .where('persons.waiting', '=', true)
    .where((where) =>
      where.or([
        where('match.tin', '=', where.ref('persons.stated_tin')),
        where(sql`lower(match.name)`, '=', sql`lower(persons.stated_business)`),
      ]),
    )
    .orderBy(sql`match.tin is not distinct from persons.stated_tin`, 'desc')
    .limit(1);
}

export type PersonListRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];

/** The person with that id. */
export function selectPersonRow(connection: Connection, id: number): Promise<PersonListRow> {
  return selectRows(connection).where('persons.id', '=', id).executeTakeFirstOrThrow();
}

/** The people of a business, in list order. */
export function selectPeopleOfBusiness(connection: Connection, businessId: number): Promise<PersonListRow[]> {
  return selectRows(connection)
    .where('persons.business_id', '=', businessId)
    .orderBy('persons.waiting', 'desc')
    .orderBy('persons.created_at', 'desc')
    .orderBy('persons.id', 'desc')
    .execute();
}

/**
 * A page of the list: people who wait for activation first, then the newest. Picks the ids of the page from an index
 * alone, and looks up only those (docs/decisions/0005). Without a status, `total` comes from the counters; otherwise it
 * is counted up to {@link COUNTED_ROWS}.
 */
export function selectPeoplePage(connection: Connection, filter: PeopleFilter, page: PageOf) {
  const { status } = filter;
  const ofStatus = people(connection, filter);
  const total =
    status === undefined
      ? sql<number>`(select coalesce(sum(rows), 0)::int from row_counts where list = 'persons')`
      : sql<number>`(select count(*) from (${ofStatus.select('persons.id').limit(COUNTED_ROWS)}) as counted)`;
  return selectPage(connection, idsOfPage(ofStatus, filter, page), total, filter);
}

/**
 * A page of a search with at most {@link COUNTED_ROWS} matches, which are gathered through the indexes of both tables
 * and then sorted. A `total` above COUNTED_ROWS means that matches were left out and the page is wrong; call
 * {@link selectPageOfCommonSearch} instead.
 */
export function selectPageOfSearch(
  connection: Connection,
  search: PeopleSearch,
  filter: PeopleFilter,
  { size, offset }: PageOf,
) {
  const enough = COUNTED_ROWS + 1;
  const gathered = people(connection, filter)
    .select(['persons.id', 'persons.waiting', 'persons.created_at'])
    .limit(enough);
  const byText = gathered.where(textMatches(search));
  const byBusiness = gathered.where('persons.business_id', 'in', businessesNamed(connection, search));
  const found = connection
    .selectFrom(byText.as('by_text'))
    .selectAll()
    .union(connection.selectFrom(byBusiness.as('by_business')).selectAll());
  const ids = sql<{ id: number }>`(select id from found order by ${orderOf(filter, 'found')}
    limit ${sql.lit(size)} offset ${offset})`;
  return selectRows(
    connection.with(
      (cte) => cte('found').materialized(),
      () => found,
    ),
  )
    .innerJoin(ids.as<'page'>(sql.ref('page')), 'page.id', 'persons.id')
    .select(sql<number>`(select count(*) from found)`.as('total'))
    .orderBy(orderOf(filter, 'persons'));
}

/**
 * A page of a common search. It reads the list in its own order until the page is full, which is soon, because at least
 * one row in a hundred matches.
 */
export function selectPageOfCommonSearch(
  connection: Connection,
  search: PeopleSearch,
  filter: PeopleFilter,
  page: PageOf,
) {
  const found = people(connection, filter).where((where) =>
    where.or([textMatches(search), where('persons.business_id', 'in', businessesNamed(connection, search))]),
  );
  return selectPage(connection, idsOfPage(found, filter, page), sql<number>`${sql.lit(COUNTED_ROWS)}`, filter);
}

function people(connection: Connection, { status }: PeopleFilter) {
  const all = connection.selectFrom('persons');
  return status === undefined ? all : all.where('persons.status', '=', status);
}

/**
 * The order of a list. People of one status either all wait or none does, and the index of a status is ordered by age.
 */
function orderOf({ status, sort }: PeopleFilter, table: 'persons' | 'found'): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const direction = sql.raw(sort === 'joined' ? 'asc' : 'desc');
  const byAge = sql`${column('created_at')} ${direction}, ${column('id')} ${direction}`;
  return status === undefined && sort === undefined ? sql`${column('waiting')} desc, ${byAge}` : byAge;
}

/** The page size is a literal, so that PostgreSQL plans for a small page even in a generic plan. */
function idsOfPage(query: ReturnType<typeof people>, filter: PeopleFilter, { size, offset }: PageOf) {
  return query.select('persons.id').orderBy(orderOf(filter, 'persons')).limit(sql.lit(size)).offset(offset);
}

function selectPage(
  connection: Connection,
  ids: ReturnType<typeof idsOfPage>,
  total: RawBuilder<number>,
  filter: PeopleFilter,
) {
  return selectRows(connection)
    .innerJoin(ids.as('page'), 'page.id', 'persons.id')
    .select(total.as('total'))
    .orderBy(orderOf(filter, 'persons'));
}

function textMatches({ terms }: PeopleSearch): RawBuilder<boolean> {
  const found = terms.map(
    (writings) =>
      sql`(${sql.join(
        writings.map((writing) => hasWord('persons.search_form', writing)),
        sql` or `,
      )})`,
  );
  return sql<boolean>`(${sql.join(found, sql` and `)})`;
}

function businessesNamed(connection: Connection, { words }: PeopleSearch) {
  return connection.selectFrom('businesses').select('businesses.id').where(hasWords('businesses.search_form', words));
}
