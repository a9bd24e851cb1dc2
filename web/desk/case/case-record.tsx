import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { InvoiceRecord } from '#web/applications/invoice/invoice-record.tsx';
import { SectionCard } from '#web/applications/screen/screen-layout.tsx';
import { ApplicationRecord } from '#web/applications/terms/application-record.tsx';
import { useTerms } from '#web/applications/terms/use-terms.ts';
import classes from './case-page.module.css';

/** Invoice and application as they were submitted, to read. */
export function CaseRecord({ invoice, buyer }: { readonly invoice: LoadedInvoice; readonly buyer: string }) {
  const terms = useTerms(invoice);
  return (
    <>
      <SectionCard title="Application Detail" className={classes.card}>
        <ApplicationRecord application={invoice.discountApplication} {...terms} own={false} />
      </SectionCard>
      <SectionCard title="Invoice Details" className={classes.card}>
        <InvoiceRecord invoice={invoice} buyer={buyer} />
      </SectionCard>
    </>
  );
}
