import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { InvoiceRecord } from '#web/applications/invoice/invoice-record.tsx';
import { ApplicationRecord } from '#web/applications/terms/application-record.tsx';
import { useTerms } from '#web/applications/terms/use-terms.ts';
import { SectionCard } from '#web/ui/text/section-card.tsx';

/** Invoice and application as submitted, read-only. */
export function CaseRecord({ invoice, buyer }: { readonly invoice: LoadedInvoice; readonly buyer: string }) {
  const terms = useTerms(invoice);
  return (
    <>
      <SectionCard title="Application Detail" padding="md">
        <ApplicationRecord application={invoice.discountApplication} {...terms} own={false} />
      </SectionCard>
      <SectionCard title="Invoice Details" padding="md">
        <InvoiceRecord invoice={invoice} buyer={buyer} />
      </SectionCard>
    </>
  );
}
