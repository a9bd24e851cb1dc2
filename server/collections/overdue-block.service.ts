import { sql } from 'kysely';
import { formatAmount } from '#contract/money.ts';
import { sayHowToPay } from '#contract/payments/how-to-pay.ts';
import { addDays, kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { accountsIn } from '#server/config/setting-groups.ts';
import type { Connection } from '#server/db/database.ts';
import { lost } from '#server/invoices/due.ts';
import type { Platform } from '#server/platform/platform.ts';

/** A client's advance that was written off, or that is later than the setting allows. Minor units. */
interface BlockingOverdue {
  readonly tag: string;
  readonly invoiceNumber: string;
  readonly currencyCode: string;
  readonly outstanding: number;
  /** The written-off part. */
  readonly lost: number;
  readonly dueOn: string;
  readonly reference: string;
}

/** The client's most overdue blocking advance, or undefined. A written-off one blocks at once. */
export async function findBlockingOverdue(
  { config, clock }: Pick<Platform, 'config' | 'clock'>,
  connection: Connection,
  businessId: number,
): Promise<BlockingOverdue | undefined> {
  const dueBefore = addDays(kampalaDate(clock.now()), -config.repayment.blocksAfterDays);
  const row = await connection
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
    .executeTakeFirst();
  // Never null once paid out: the constraint invoices_disbursed_whole.
  return row && { ...row, outstanding: (row.outstanding ?? 0) + row.lost, dueOn: row.dueOn ?? dueBefore };
}

/** A sentence about the overdue or written-off amount, and how to pay it. */
function sayOverdue(
  { config }: Pick<Platform, 'config'>,
  { invoiceNumber, currencyCode, outstanding, lost: writtenOff, dueOn, reference }: BlockingOverdue,
): string {
  const sum = `${currencyCode} ${formatAmount(outstanding)}`;
  const how = sayHowToPay({ accounts: accountsIn(config, currencyCode), reference }, config.support);
  const why = writtenOff > 0 ? 'We wrote it off, and you still owe it' : `It was due ${sayDate(dueOn)}`;
  return `Pay back ${sum} for invoice ${invoiceNumber}. ${why}. ${how}`.replace(/\.$/, '');
}

/** The advance that blocks the client, in words; undefined if there is none. */
export async function findOverdue(
  platform: Pick<Platform, 'config' | 'clock'>,
  connection: Connection,
  businessId: number,
): Promise<{ readonly tag: string; readonly text: string } | undefined> {
  const overdue = await findBlockingOverdue(platform, connection, businessId);
  return overdue && { tag: overdue.tag, text: sayOverdue(platform, overdue) };
}
