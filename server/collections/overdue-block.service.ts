import { sql } from 'kysely';
import { describeLateAdvances, type LateAdvance } from '#contract/applications/submission/late-advances.ts';
import { sayHowToPay } from '#contract/payments/how-to-pay.ts';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { accountsIn } from '#server/config/setting-groups.ts';
import type { Connection } from '#server/db/database.ts';
import { lost } from '#server/invoices/due.ts';
import type { Platform } from '#server/platform/platform.ts';

/** A client's advance that was written off, or that is later than the setting allows. Minor units. */
interface BlockingOverdue extends LateAdvance {
  readonly tag: string;
  readonly reference: string;
}

/** The client's blocking advances, the most overdue first. A written-off one blocks at once. */
export async function findBlockingOverdue(
  { config, clock }: Pick<Platform, 'config' | 'clock'>,
  connection: Connection,
  businessId: number,
): Promise<readonly BlockingOverdue[]> {
  const dueBefore = addDays(kampalaDate(clock.now()), -config.repayment.blocksAfterDays);
  const rows = await connection
    .selectFrom('invoices')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .where('invoices.business_id', '=', businessId)
    .where('invoices.status', '=', sql.lit('Disbursed'))
    .where((where) => where.or([where('invoices.due_on', '<', dueBefore), sql<boolean>`${lost} > 0`]))
    .orderBy('invoices.due_on')
    .orderBy('invoices.id')
    .select(['invoices.tag', 'invoices.invoice_number as invoiceNumber', 'currencies.code as currencyCode'])
    .select(['invoices.outstanding', lost.as('lost')])
    .select(['invoices.due_on as dueOn', 'invoices.repayment_reference as reference'])
    .execute();
  return rows.map(({ lost: writtenOff, outstanding, dueOn, ...row }) => ({
    ...row,
    outstanding: (outstanding ?? 0) + writtenOff,
    isWrittenOff: writtenOff > 0,
    dueOn: dueOn ?? dueBefore, // never null once paid out: the constraint invoices_disbursed_whole
  }));
}

/** The first advance that blocks the client, and all of them in words with how to pay that one; undefined if none do. */
export async function findOverdue(
  platform: Pick<Platform, 'config' | 'clock'>,
  connection: Connection,
  businessId: number,
): Promise<{ readonly tag: string; readonly text: string } | undefined> {
  const [first, ...others] = await findBlockingOverdue(platform, connection, businessId);
  if (first === undefined) return undefined;
  const { config } = platform;
  const how = sayHowToPay(
    { accounts: accountsIn(config, first.currencyCode), reference: first.reference },
    config.support,
  );
  const which = others.length === 0 ? '' : `Begin with ${first.invoiceNumber}. `;
  const text = `${describeLateAdvances([first, ...others])}. ${which}${how}`.replace(/\.$/, '');
  return { tag: first.tag, text };
}
