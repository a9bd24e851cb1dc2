import { Skeleton } from '@mantine/core';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { formatFormDate } from '#web/ui/dates.ts';
import { Fact, Facts } from '#web/ui/figure.tsx';
import { BUYER_NOT_OFFERED } from './invoice-form.tsx';
import { invoiceLabels } from './invoice-values.ts';
import { useBuyers, useCurrencies } from './invoices.api.ts';

/** 'Invoice Details' as a record to read: for staff always, for the client once it is submitted. */
export function InvoiceRecord({ invoice }: { readonly invoice: LoadedInvoice }) {
  const currencies = useCurrencies();
  const buyers = useBuyers();
  const currency = currencies.data?.find(({ id }) => id === invoice.currencyId)?.code ?? '';
  const buyer = buyers.data?.find(({ id }) => id === invoice.buyerId)?.name ?? BUYER_NOT_OFFERED;
  return (
    <Facts>
      <Fact label={invoiceLabels.invoiceNumber} text>
        {invoice.invoiceNumber}
      </Fact>
      <Fact label={invoiceLabels.date}>{formatFormDate(invoice.date)}</Fact>
      <Fact label={invoiceLabels.amount}>{formatAmount(toMinor(invoice.amount), 2)}</Fact>
      <Fact label={invoiceLabels.currencyId}>{currency}</Fact>
      <Fact label={invoiceLabels.buyerId} wide text>
        {buyers.isPending ? <Skeleton height={20} width="60%" mt={4} /> : buyer}
      </Fact>
    </Facts>
  );
}
