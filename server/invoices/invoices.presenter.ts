import type { InvoiceRow, LoadedInvoice } from '#contract/invoices/schema.ts';
import { fromMinor } from '#contract/money.ts';
import { overdueOf } from '#contract/payments/overdue.ts';
import type { InvoicePageRow } from './invoice-filter.ts';
import type { InvoiceRecord } from './invoices.queries.ts';

/** Presents an invoice for `GET /invoices/{tag}`. */
export function presentInvoice(invoice: InvoiceRecord): LoadedInvoice {
  const { application } = invoice;
  return {
    tag: invoice.tag,
    version: invoice.version,
    businessTag: invoice.businessTag,
    invoiceNumber: invoice.invoiceNumber,
    date: invoice.invoiceDate,
    currencyId: invoice.currencyId,
    buyerId: invoice.buyerId,
    amount: fromMinor(invoice.faceValue),
    paymentDueOn: invoice.paymentDueOn,
    vat: amountOf(invoice.vat),
    discountApplication: {
      tag: application?.tag ?? null,
      version: application?.version ?? null,
      reference: application?.reference ?? null,
      status: { name: invoice.status },
      financingPeriodId: application?.financingPeriodId ?? null,
      applicationDate: application?.date ?? null,
      amountAppliedFor: amountOf(application?.advance),
      feesCharged: amountOf(application?.discountFee),
      amountReceived: amountOf(application?.netProceeds),
    },
  };
}

/**
 * Presents a page of the list for a day in Kampala (YYYY-MM-DD); its first row carries the total. Staff also get the
 * tags of the two businesses, which lead to their pages.
 */
export function presentInvoicePage(rows: readonly InvoicePageRow[], today: string, forStaff: boolean): InvoiceRow[] {
  return rows.map((row, index) => ({
    tag: row.tag,
    invoice_number: row.invoice_number,
    amount: fromMinor(row.face_value),
    currency: row.currency,
    owner: row.owner,
    status: row.status,
    application_date: row.application_date,
    amount_applied_for: amountOf(row.advance),
    amount_received: amountOf(row.net_proceeds),
    fees_charged: amountOf(row.discount_fee),
    buyer: row.buyer,
    ...(forStaff ? { owner_tag: row.owner_tag, buyer_tag: row.buyer_tag } : {}),
    ...presentOverdue(row, today),
    ...(index === 0 ? { total: row.total } : {}),
  }));
}

function presentOverdue({ status, due_on: dueOn, outstanding }: InvoicePageRow, today: string) {
  const overdue = overdueOf({ status, dueOn, outstanding }, today);
  return overdue === null ? {} : { overdue };
}

function amountOf(minor: number | null | undefined): number | null {
  return minor === null || minor === undefined ? null : fromMinor(minor);
}
