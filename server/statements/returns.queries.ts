import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** Proposals to send money back. */

/** The open proposals to send back money of these lines. */
export function selectOpenReturns(connection: Connection, lineIds: readonly number[]) {
  return connection
    .selectFrom('suspense_returns as proposal')
    .innerJoin('persons', 'persons.id', 'proposal.proposed_by')
    .where(sql<boolean>`proposal.line_id = any(${lineIds})`)
    .where('proposal.confirmed_at', 'is', null)
    .where('proposal.dropped_at', 'is', null)
    .select(['proposal.id', 'proposal.tag', 'proposal.line_id as lineId', 'proposal.amount', 'proposal.reason'])
    .select(['proposal.proposed_at as proposedAt', 'proposal.proposed_by as proposedBy'])
    .select(personName('persons').as('proposedByName'))
    .execute();
}

export type OpenReturn = Awaited<ReturnType<typeof selectOpenReturns>>[number];

/** Stores a proposal. */
export function insertReturn(
  change: Change,
  proposal: {
    readonly tag: string;
    readonly line_id: number;
    readonly amount: string;
    readonly reason: string;
    readonly proposed_at: Date;
    readonly proposed_by: number;
  },
): void {
  change.send(change.insertInto('suspense_returns').values(proposal));
}

/** Closes a proposal, because the money was sent back or the proposal was dropped. */
export function endReturn(
  change: Change,
  id: number,
  how:
    | { readonly confirmed_at: Date; readonly confirmed_by: number; readonly entry_tag: string }
    | { readonly dropped_at: Date; readonly dropped_by: number },
): void {
  change.send(change.updateTable('suspense_returns').set(how).where('id', '=', id));
}
