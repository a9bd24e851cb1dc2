import { type Insertable, sql, type Updateable } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** Serialises the requests of one business. */
export async function lockAskingBusiness(change: Change, businessId: number) {
  return change
    .selectFrom('businesses')
    .select(['tag', 'name'])
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** A business's open requests, a handful at most. */
export function selectOpenOfBusiness(change: Change, businessId: number) {
  return change
    .selectFrom('buyer_requests')
    .select(['tag', 'name'])
    .where('business_id', '=', businessId)
    .where('closed_at', 'is', null)
    .execute();
}

/** Whether an active buyer has this name and so is already offered in the select. */
export async function isOffered(connection: Connection, name: string): Promise<boolean> {
  const buyer = await connection
    .selectFrom('businesses')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('is_buyer', '=', true)
    .where('active', '=', true)
    .executeTakeFirst();
  return buyer !== undefined;
}

export function insertRequest(change: Change, values: Insertable<Tables['buyer_requests']>) {
  return change.insertInto('buyer_requests').values(values).returning('tag').executeTakeFirstOrThrow();
}

/** A business's open requests, and recently answered ones whose buyer is not on an invoice yet, newest first. */
export function selectRequestsOfBusiness(
  connection: Connection,
  businessId: number,
  answeredSince: Date,
  limit: number,
) {
  return (
    connection
      .selectFrom('buyer_requests')
      .leftJoin('businesses as buyer', 'buyer.id', 'buyer_requests.buyer_id')
      .select(['buyer_requests.tag', 'buyer_requests.name', 'buyer_id', 'buyer.name as buyer', 'refusal'])
      .where('buyer_requests.business_id', '=', businessId)
      // A buyer that was added but deactivated since cannot be chosen.
      .where((where) => where.or([where('buyer_id', 'is', null), where('buyer.active', '=', true)]))
      .where((where) => where.or([where('closed_at', 'is', null), where('closed_at', '>', answeredSince)]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('invoices')
              .select('invoices.id')
              .whereRef('invoices.business_id', '=', 'buyer_requests.business_id')
              .whereRef('invoices.buyer_id', '=', 'buyer_requests.buyer_id'),
          ),
        ),
      )
      .orderBy('requested_at', 'desc')
      .orderBy('buyer_requests.id', 'desc')
      .limit(limit)
      .execute()
  );
}

/** A page of all open requests, oldest first, each with the existing business of that name. */
export function selectOpenPage(connection: Connection, { size, offset }: { size: number; offset: number }) {
  return connection
    .selectFrom('buyer_requests as request')
    .innerJoin('businesses as business', 'business.id', 'request.business_id')
    .innerJoin('persons as person', 'person.id', 'request.requested_by')
    .leftJoin('businesses as match', (join) => join.on(sql`lower(match.name)`, '=', sql`lower(request.name)`))
    .select(['request.tag', 'request.name', 'request.requested_at'])
    .select(['business.name as business', 'business.tag as business_tag'])
    .select(['match.id as match_id', 'match.active as match_active', 'request.business_id'])
    .select(personName('person').as('asked_by'))
    .select(sql<number>`(select count(*)::integer from buyer_requests where closed_at is null)`.as('total'))
    .where('request.closed_at', 'is', null)
    .orderBy('request.requested_at')
    .orderBy('request.id')
    .limit(size)
    .offset(offset)
    .execute();
}

export async function countOpen(connection: Connection): Promise<number> {
  const { rows } = await connection
    .selectFrom('buyer_requests')
    .where('closed_at', 'is', null)
    .select((count) => count.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}

/** A request with the person who made it, locked. */
export function lockRequest(change: Change, tag: string) {
  return change
    .selectFrom('buyer_requests as request')
    .innerJoin('businesses as business', 'business.id', 'request.business_id')
    .innerJoin('persons as person', 'person.id', 'request.requested_by')
    .select(['request.id', 'request.tag', 'request.name', 'request.business_id', 'request.closed_at'])
    .select(['business.tag as business_tag', 'person.username', 'person.status'])
    .where('request.tag', '=', tag)
    .forNoKeyUpdate('request')
    .executeTakeFirst();
}

/** Closes a locked request. */
export async function closeRequest(change: Change, id: number, values: Updateable<Tables['buyer_requests']>) {
  await change.updateTable('buyer_requests').set(values).where('id', '=', id).execute();
}
