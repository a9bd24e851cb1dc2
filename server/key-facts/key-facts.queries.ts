import { type Insertable, sql } from 'kysely';
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

/** Old acceptances also contain a comparison with other periods, which is dropped. */
const shownFacts = z.object(keyFactsReply.omit({ version: true, accepted: true }).shape);

/**
 * The newest acceptance of a submitted invoice: of a counter-offer, or else of the submission; undefined if there is
 * none.
 */
export async function selectAcceptance(connection: Connection, invoiceId: number): Promise<Acceptance | undefined> {
  const ofOffers = connection
    .selectFrom('counter_offer_acceptances')
    .innerJoin('counter_offers', 'counter_offers.id', 'offer_id')
    .where('invoice_id', '=', invoiceId)
    .select(['version', 'facts', 'accepted_at', 'accepted_by', sql.lit(true).as('of_offer')]);
  const row = await connection
    .selectFrom(
      connection
        .selectFrom('key_facts_acceptances')
        .where('invoice_id', '=', invoiceId)
        .select(['version', 'facts', 'accepted_at', 'accepted_by', sql.lit(false).as('of_offer')])
        .unionAll(ofOffers)
        .as('accepted'),
    )
    .innerJoin('persons', 'persons.id', 'accepted.accepted_by')
    .orderBy('of_offer', 'desc')
    .orderBy('accepted_at', 'desc')
    .limit(1)
    .select(['version', 'facts', 'accepted_at as acceptedAt', personName('persons').as('acceptedBy')])
    .executeTakeFirst();
  return row && { ...row, facts: shownFacts.parse(row.facts) };
}
