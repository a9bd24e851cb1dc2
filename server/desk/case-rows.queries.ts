import type { Connection } from '#server/db/database.ts';
import { personName } from '#server/sessions/person-name.ts';

/** The columns that queue and case share, with names. Amounts in minor units. */
export function selectCaseRows(connection: Connection) {
  return connection
    .selectFrom('invoices')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .innerJoin('businesses as client', 'client.id', 'invoices.business_id')
    .innerJoin('businesses as buyer', 'buyer.id', 'invoices.buyer_id')
    .leftJoin('persons as assignee', 'assignee.id', 'invoices.holder_id')
    .leftJoin('persons as first', 'first.id', 'invoices.first_approved_by')
    .leftJoin('persons as decider', 'decider.id', 'invoices.decided_by')
    .select([
      'invoices.id',
      'invoices.tag',
      'invoices.invoice_number',
      'client.name as client',
      'client.tag as client_tag',
      'buyer.name as buyer',
      'buyer.tag as buyer_tag',
      'currencies.code as currency',
      'invoices.face_value',
      'invoices.advance',
      'invoices.net_proceeds',
      'invoices.status',
      'invoices.submitted_at',
      'invoices.decision_target_ms',
      'invoices.clock_runs_since',
      'invoices.clock_used_ms',
      'invoices.decide_by',
      'invoices.promise_missed_at',
      'invoices.decided_at',
      'invoices.due_on',
      'invoices.outstanding',
      'invoices.surplus_owed',
      'invoices.settled_at',
      'invoices.repayment_reference',
      'assignee.tag as assignee_tag',
      'first.tag as first_tag',
      'decider.tag as decider_tag',
    ])
    .select(personName('assignee').as('assignee_name'))
    .select(personName('first').as('first_name'))
    .select(personName('decider').as('decider_name'));
}

export type CaseRow = Awaited<ReturnType<ReturnType<typeof selectCaseRows>['execute']>>[number];
