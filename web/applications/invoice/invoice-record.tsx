import { Skeleton } from '@mantine/core';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Facts } from '#web/ui/text/figure.tsx';
import { invoiceLabels } from './invoice-values.ts';
import { useCurrencies } from './invoices.api.ts';

interface InvoiceRecordProps {
  readonly invoice: LoadedInvoice;
  /** The buyer's name on the server, even if the buyer is no longer offered. */
  readonly buyer: string | undefined;
  /** The client's name, for staff. */
  readonly client?: string | undefined;
  /** The names are loading. */
  readonly namesLoading?: boolean;
}

/** 'Invoice Details' as a read-only record: for staff always, for the client once the invoice is submitted. */
export function InvoiceRecord({ invoice, buyer, client, namesLoading = false }: InvoiceRecordProps) {
  const currencies = useCurrencies();
  const currency = currencies.data?.find(({ id }) => id === invoice.currencyId)?.code;
  const named = buyer ?? (namesLoading ? <Skeleton height={20} width="60%" mt="xxs" /> : '-');
  const { paymentDueOn, vat } = invoice;
  return (
    <Facts
      facts={[
        { label: 'Client', value: client, isWide: true, isText: true },
        { label: invoiceLabels.invoiceNumber, value: invoice.invoiceNumber, isText: true },
        { label: invoiceLabels.date, value: formatFormDate(invoice.date) },
        { label: invoiceLabels.amount, value: formatAmount(toMinor(invoice.amount), 2) },
        { label: invoiceLabels.currencyId, value: currency ?? <Skeleton height={20} width={48} /> },
        { label: invoiceLabels.buyerId, value: named, isWide: true, isText: true },
        { label: invoiceLabels.paymentDueOn, value: paymentDueOn && formatFormDate(paymentDueOn) },
        { label: invoiceLabels.vat, value: vat === null ? null : formatAmount(toMinor(vat), 2) },
      ]}
    />
  );
}
