import type { Insertable } from 'kysely';
import { z } from 'zod';
import { keyFactsReply } from '#contract/applications/key-facts.schema.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';
import type { Acceptance } from './key-facts.presenter.ts';

/** Stores an acceptance. */
export function insertAcceptance(change: Change, acceptance: Insertable<Tables['key_facts_acceptances']>): void {
  change.send(change.insertInto('key_facts_acceptances').values(acceptance));
}

/** Old acceptances also compare other periods; that part is dropped. */
const shownFacts = z.object(keyFactsReply.omit({ version: true, accepted: true }).shape);

/** The acceptance of a submitted invoice, or undefined. */
export async function selectAcceptance(connection: Connection, invoiceId: number): Promise<Acceptance | undefined> {
  const row = await connection
    .selectFrom('key_facts_acceptances')
    .innerJoin('persons', 'persons.id', 'key_facts_acceptances.accepted_by')
    .where('invoice_id', '=', invoiceId)
    .select(['version', 'facts', 'accepted_at as acceptedAt', personName('persons').as('acceptedBy')])
    .executeTakeFirst();
  return row && { ...row, facts: shownFacts.parse(row.facts) };
}
