import { type Insertable, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { isOfficer } from '#server/sessions/officers.ts';
import { personName } from '#server/sessions/person-name.ts';

/** The most open proposals that are listed. Officers handle them one by one. */
const LISTED = 100;

/** Open proposals, with client and proposer. Amounts in minor units. */
function selectOpen(connection: Connection) {
  return connection
    .selectFrom('limit_proposals')
    .innerJoin('businesses', 'businesses.id', 'limit_proposals.business_id')
    .innerJoin('currencies', 'currencies.id', 'limit_proposals.currency_id')
    .innerJoin('persons as officer', 'officer.id', 'limit_proposals.proposed_by')
    .leftJoin('funding_limits', (join) =>
      join
        .onRef('funding_limits.business_id', '=', 'limit_proposals.business_id')
        .onRef('funding_limits.currency_id', '=', 'limit_proposals.currency_id'),
    )
    .where('limit_proposals.closed_at', 'is', null)
    .select([
      'limit_proposals.id',
      'limit_proposals.tag',
      'limit_proposals.business_id as businessId',
      'limit_proposals.currency_id as currencyId',
      'limit_proposals.replaces',
      'limit_proposals.amount',
      'limit_proposals.reason',
      'limit_proposals.proposed_at as proposedAt',
      'limit_proposals.proposed_by as proposedBy',
      'businesses.tag as businessTag',
      'businesses.name as business',
      'currencies.code as currency',
      'officer.tag as officerTag',
      'funding_limits.amount as limit',
    ])
    .select(personName('officer').as('officerName'))
    .select(
      sql<boolean>`${isOfficer('officer')} and officer.business_id is distinct from businesses.id`.as('byOfficer'),
    );
}

export type ProposalRow = Awaited<ReturnType<ReturnType<typeof selectOpen>['execute']>>[number];

/** Open proposals, oldest first; only those of one client if given. */
export function selectProposals(connection: Connection, businessId?: number): Promise<ProposalRow[]> {
  return selectOpen(connection)
    .$if(businessId !== undefined, (query) => query.where('limit_proposals.business_id', '=', businessId ?? 0))
    .orderBy('limit_proposals.proposed_at')
    .orderBy('limit_proposals.id')
    .limit(LISTED)
    .execute();
}

/** The open proposal with that tag. */
export function selectProposal(connection: Connection, tag: string): Promise<ProposalRow | undefined> {
  return selectOpen(connection).where('limit_proposals.tag', '=', tag).executeTakeFirst();
}

/** Whether the proposal exists, open or closed. */
export async function proposalExists(connection: Connection, tag: string): Promise<boolean> {
  const found = connection.selectFrom('limit_proposals').select('id').where('tag', '=', tag);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Stores a proposal; the unique index `limit_proposals_open` allows one for a client and a currency. */
export async function insertProposal(connection: Connection, values: Insertable<Tables['limit_proposals']>) {
  await connection.insertInto('limit_proposals').values(values).execute();
}

/** A proposal to close, with who closes it and how. */
export interface Closing {
  readonly businessId: number;
  readonly currencyId: number;
  readonly outcome: 'confirmed' | 'declined' | 'replaced';
  readonly at: Date;
  readonly by: number;
}

/** Closes the open proposal for a client's limit in a currency, if there is one. */
export async function closeProposal(connection: Connection, { businessId, currencyId, outcome, at, by }: Closing) {
  await connection
    .updateTable('limit_proposals')
    .set({ outcome, closed_at: at, closed_by: by })
    .where('business_id', '=', businessId)
    .where('currency_id', '=', currencyId)
    .where('closed_at', 'is', null)
    .execute();
}
