import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely';
import type { BusinessSort, UsualTerms } from '#contract/businesses/schema.ts';
import type { Connection } from '#server/db/database.ts';
import { hasWords } from '#server/db/search-words.ts';
import type { Tables } from '#server/db/tables/tables.ts';

/** The unique index on business names, case-insensitive. */
export const NAME_INDEX = 'businesses_name';

/** The unique index on TINs. */
export const TIN_INDEX = 'businesses_tin';

/** The list's filter: words of the name or a whole tax number, if any, and a kind. */
export interface BusinessFilter {
  readonly words: readonly string[];
  readonly tin?: string | undefined;
  readonly kind: 'client' | 'buyer' | undefined;
}

function filtered(connection: Connection, { words, tin, kind }: BusinessFilter) {
  return connection
    .selectFrom('businesses')
    .$if(words.length > 0, (query) =>
      query.where(({ or, eb }) =>
        or([hasWords('businesses.search_form', words), ...(tin === undefined ? [] : [eb('businesses.tin', '=', tin)])]),
      ),
    )
    .$if(kind === 'client', (query) => query.where('businesses.is_client', '=', true))
    .$if(kind === 'buyer', (query) => query.where('businesses.is_buyer', '=', true));
}

const NAME = sql<string>`lower(businesses.name)`;
const APPLICATIONS = sql<number>`coalesce(
  (select rows from row_counts where row_counts.list = 'invoices' and row_counts.scope = businesses.id), 0)`;

const orders: Record<BusinessSort, { readonly by: RawBuilder<unknown>; readonly direction: 'asc' | 'desc' }> = {
  name: { by: NAME, direction: 'asc' },
  '-name': { by: NAME, direction: 'desc' },
  applications: { by: APPLICATIONS, direction: 'asc' },
  '-applications': { by: APPLICATIONS, direction: 'desc' },
};

/**
 * Businesses with their sector and district: `people` counts everyone who belongs to the business, `applications` is the
 * number of its invoices (kept by a trigger, not counted).
 */
function selectNamed(connection: Connection) {
  return connection
    .selectFrom('businesses')
    .innerJoin('sectors', 'sectors.id', 'businesses.industry_id')
    .innerJoin('districts', 'districts.id', 'businesses.district_id')
    .leftJoin('row_counts', (join) =>
      join.onRef('row_counts.scope', '=', 'businesses.id').on('row_counts.list', '=', 'invoices'),
    )
    .selectAll('businesses')
    .select(['sectors.name as sector', 'districts.name as district', 'row_counts.rows as applications'])
    .select((select) =>
      select
        .selectFrom('persons')
        .whereRef('persons.business_id', '=', 'businesses.id')
        .select((count) => count.fn.countAll<number>().as('people'))
        .as('people'),
    );
}

export type NamedBusiness = Awaited<ReturnType<ReturnType<typeof selectNamed>['execute']>>[number];

/** The business with that tag. */
export function selectBusiness(connection: Connection, tag: string): Promise<NamedBusiness | undefined> {
  return selectNamed(connection).where('businesses.tag', '=', tag).executeTakeFirst();
}

/** A sum in one currency. `outstanding` in minor units. */
export interface OutRow {
  readonly currency: string;
  readonly outstanding: number;
}

/** What is not paid back of advances on invoices to this buyer, from an index-only scan of `invoices_out_to_buyer`. */
export function selectOutToBuyer(connection: Connection, tag: string): Promise<OutRow[]> {
  return connection
    .selectFrom('invoices')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .where('invoices.buyer_id', '=', (select) =>
      select.selectFrom('businesses').select('businesses.id').where('businesses.tag', '=', tag),
    )
    .where('invoices.status', '=', sql.lit('Disbursed'))
    .select((sum) => ['currencies.code as currency', sum.fn.sum<number>('invoices.outstanding').as('outstanding')])
    .groupBy(['currencies.id', 'currencies.code'])
    .orderBy('currencies.id')
    .execute();
}

/** A page of businesses in one statement: `total` counts all matches. */
export function selectBusinessPage(
  connection: Connection,
  filter: BusinessFilter,
  sort: BusinessSort,
  { size, offset }: { readonly size: number; readonly offset: number },
) {
  const { by, direction } = orders[sort];
  const page = filtered(connection, filter)
    .select(['businesses.id', by.as('sorted')])
    .orderBy('sorted', direction)
    .orderBy('businesses.id', direction)
    .limit(size)
    .offset(offset);
  const total = filtered(connection, filter).select((count) => count.fn.countAll<number>().as('total'));
  return selectNamed(connection)
    .innerJoin(page.as('page'), 'page.id', 'businesses.id')
    .select(() => total.as('total'))
    .orderBy('page.sorted', direction)
    .orderBy('page.id', direction)
    .execute();
}

export type BusinessPageRow = Awaited<ReturnType<typeof selectBusinessPage>>[number];

/** The active businesses, or those of a kind, as options sorted by name. */
export function selectOptions(connection: Connection, kind: BusinessFilter['kind'], exceptId: number | null = null) {
  return filtered(connection, { words: [], kind })
    .where('businesses.active', '=', true)
    .$if(exceptId !== null, (query) => query.where('businesses.id', '<>', exceptId))
    .select(['businesses.id', 'businesses.name'])
    .orderBy(sql`lower(businesses.name)`)
    .execute();
}

/** The usual terms of active buyers that have any. */
export function selectUsualTerms(connection: Connection): Promise<UsualTerms[]> {
  return connection
    .selectFrom('businesses')
    .where('is_buyer', '=', true)
    .where('active', '=', true)
    .where('usual_terms_days', 'is not', null)
    .select(['id', 'usual_terms_days as days'])
    .$narrowType<UsualTerms>()
    .orderBy('id')
    .execute();
}

/** Locks the business with that tag; other rows may still refer to it. */
export function selectBusinessForUpdate(connection: Connection, tag: string) {
  return connection.selectFrom('businesses').selectAll().where('tag', '=', tag).forNoKeyUpdate().executeTakeFirst();
}

/** The id of the business with that tag. */
export async function selectBusinessId(connection: Connection, tag: string): Promise<number | undefined> {
  const row = await connection.selectFrom('businesses').select('id').where('tag', '=', tag).executeTakeFirst();
  return row?.id;
}

/** Locks the business with that tag if it is active, so that it stays active until the transaction ends. */
export async function lockActiveBusiness(connection: Connection, id: number) {
  return connection
    .selectFrom('businesses')
    .select(['id', 'tag', 'name', 'is_client', 'is_buyer'])
    .where('id', '=', id)
    .where('active', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Marks a business as a buyer, in addition to its other kinds. */
export async function markBuyer(connection: Connection, id: number): Promise<void> {
  await connection.updateTable('businesses').set({ is_buyer: true }).where('id', '=', id).execute();
}

/** The facts that decide whether a business is valid: taken names and TINs, known sectors and districts. */
export async function selectBusinessFacts(
  connection: Connection,
  asked: {
    readonly name: string;
    readonly tin: string | null;
    readonly industryId: number;
    readonly districtId: number;
    readonly exceptId?: number;
  },
) {
  const { rows } = await sql<{
    nameTaken: boolean;
    tinTaken: boolean;
    sectorKnown: boolean;
    districtKnown: boolean;
  }>`select
    exists (select from businesses where lower(name) = lower(${asked.name}) and id <> ${asked.exceptId ?? 0}) as "nameTaken",
    exists (select from businesses where tin = ${asked.tin} and id <> ${asked.exceptId ?? 0}) as "tinTaken",
    exists (select from sectors where id = ${asked.industryId}) as "sectorKnown",
    exists (select from districts where id = ${asked.districtId}) as "districtKnown"`.execute(connection);
  const [facts] = rows;
  if (facts === undefined) throw new Error('a select without a table answered no row');
  return facts;
}

/** The usernames of the active people of a business, the oldest first. */
export async function selectActiveUsernames(connection: Connection, businessId: number): Promise<string[]> {
  const people = await connection
    .selectFrom('persons')
    .select('username')
    .where('business_id', '=', businessId)
    .where('status', '=', 'Active')
    .orderBy('id')
    .execute();
  return people.map(({ username }) => username);
}

/** Stores a new business. */
export function insertBusiness(connection: Connection, values: Insertable<Tables['businesses']>) {
  return connection.insertInto('businesses').values(values).returning(['id', 'tag', 'name']).executeTakeFirstOrThrow();
}

/** Updates a locked business. */
export async function updateBusiness(connection: Connection, id: number, values: Updateable<Tables['businesses']>) {
  await connection.updateTable('businesses').set(values).where('id', '=', id).execute();
}
