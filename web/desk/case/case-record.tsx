import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { toMinor } from '#contract/money.ts';
import { InvoiceRecord } from '#web/applications/invoice/invoice-record.tsx';
import { useCurrencies } from '#web/applications/invoice/invoices.api.ts';
import { SectionCard } from '#web/applications/screen/screen-layout.tsx';
import { figuresOf } from '#web/applications/terms/application-figures.ts';
import { ApplicationRecord } from '#web/applications/terms/application-record.tsx';
import { useFinancingPeriods } from '#web/applications/terms/applications.api.ts';
import classes from './case-page.module.css';

/** Invoice and application as they were submitted, to read. */
export function CaseRecord({ invoice, buyer }: { readonly invoice: LoadedInvoice; readonly buyer: string }) {
  const currencies = useCurrencies();
  const periods = useFinancingPeriods();
  const { discountApplication: application } = invoice;
  const period = periods.data?.find(({ id }) => id === application.financingPeriodId);
  const figures = figuresOf({
    faceValue: toMinor(invoice.amount),
    amountAppliedFor: application.amountAppliedFor,
    tenorDays: period?.days,
  });
  return (
    <>
      <SectionCard title="Application Detail" className={classes.card}>
        <ApplicationRecord
          application={application}
          figures={figures}
          currency={currencies.data?.find(({ id }) => id === invoice.currencyId)?.code}
          period={period?.name}
          own={false}
        />
      </SectionCard>
      <SectionCard title="Invoice Details" className={classes.card}>
        <InvoiceRecord invoice={invoice} buyer={buyer} />
      </SectionCard>
    </>
  );
}
