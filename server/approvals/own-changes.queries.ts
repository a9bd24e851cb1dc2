import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { DEACTIVATED, LEFT_BUSINESS } from '#server/people/standing/colleagues.queries.ts';

/** The case and the officer. */
interface CaseAndOfficer {
  readonly officerId: number;
  readonly invoice: Pick<InvoiceRecord, 'tag' | 'businessId' | 'buyerId' | 'case'>;
}

/**
 * Whether an officer, after another one's approval, activated a business of the case or changed who acts for its
 * client. Changes before that don't count, because an approver who prepares a payout has seen them. False if nobody
 * else approved. Reads the audit log through its index over subjects.
 */
export async function selectChangedSince(
  connection: Connection,
  { officerId, invoice }: CaseAndOfficer,
): Promise<boolean> {
  const { tag, businessId, buyerId, case: approvers } = invoice;
  const { rows } = await sql<{ found: boolean }>`select exists (
    select from audit_events as change
    where change.actor_tag = (select tag from persons where id = ${officerId})
      and change.subject_tag in (
        select tag from businesses where id in (${businessId}, ${buyerId})
        union all select tag from persons where business_id = ${businessId})
      and change.id > (
        select max(approval.id) from audit_events as approval
        join persons on persons.tag = approval.actor_tag
        where approval.subject_tag = ${tag} and persons.id <> ${officerId}
          and persons.id in (${approvers.firstApprovedBy}, ${approvers.decidedBy})
          and approval.action in
            ('application.approveFirst', 'application.approve', 'application.approveAgain', 'payout.prepared'))
      and case change.action
        when 'business.edited' then change.before @> '{"active": false}' and change.after @> '{"active": true}'
        when 'person.updated' then change.before -> 'businessId' <> change.after -> 'businessId'
        else change.action in (${DEACTIVATED}, ${LEFT_BUSINESS}, 'person.activated', 'person.roles-set') end
    ) as found`.execute(connection);
  return rows[0]?.found ?? false;
}
