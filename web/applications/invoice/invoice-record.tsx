import { Skeleton } from '@mantine/core';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Fact, Facts } from '#web/ui/text/figure.tsx';
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
  const currency = currencies.data?.find(({ id }) => id === invoice.currencyId)?.code ?? '';
  return (
    <Facts>
      {client !== undefined && (
        <Fact label="Client" wide text>
          {client}
        </Fact>
      )}
      <Fact label={invoiceLabels.invoiceNumber} text>
        {invoice.invoiceNumber}
      </Fact>
      <Fact label={invoiceLabels.date}>{formatFormDate(invoice.date)}</Fact>
      <Fact label={invoiceLabels.amount}>{formatAmount(toMinor(invoice.amount), 2)}</Fact>
      <Fact label={invoiceLabels.currencyId}>{currency}</Fact>
      <Fact label={invoiceLabels.buyerId} wide text>
        {buyer ?? (namesLoading ? <Skeleton height={20} width="60%" mt={4} /> : '-')}
      </Fact>
      {invoice.paymentDueOn !== null && (
        <Fact label={invoiceLabels.paymentDueOn}>{formatFormDate(invoice.paymentDueOn)}</Fact>
      )}
      {invoice.vat !== null && <Fact label={invoiceLabels.vat}>{formatAmount(toMinor(invoice.vat), 2)}</Fact>}
    </Facts>
  );
}
