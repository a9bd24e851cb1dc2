import type { Connection } from '#server/db/database.ts';
import { personName } from '#server/sessions/person-name.ts';

/** The steps of an application, oldest first, with the people who took them; null for the server itself. */
export function selectSteps(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('application_steps as step')
    .leftJoin('persons as person', 'person.id', 'step.by_person')
    .where('step.invoice_id', '=', invoiceId)
    .orderBy('step.id')
    .select(['step.step', 'step.to_status', 'step.at', 'step.note'])
    .select(personName('person').$castTo<string | null>().as('by'))
    .execute();
}

export type StepRow = Awaited<ReturnType<typeof selectSteps>>[number];

/** The names of the two businesses of an invoice. */
export function selectBusinessNames(
  connection: Connection,
  { businessId, buyerId }: { readonly businessId: number; readonly buyerId: number },
): Promise<{ client: string; buyer: string }> {
  return connection
    .selectFrom(['businesses as client', 'businesses as buyer'])
    .where('client.id', '=', businessId)
    .where('buyer.id', '=', buyerId)
    .select(['client.name as client', 'buyer.name as buyer'])
    .executeTakeFirstOrThrow();
}

/** Whether the key facts of an application have been accepted. */
export async function hasAcceptedKeyFacts(connection: Connection, invoiceId: number): Promise<boolean> {
  const row = await connection
    .selectFrom('key_facts_acceptances')
    .select('invoice_id')
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst();
  return row !== undefined;
}
