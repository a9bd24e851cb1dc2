import type { CaseReply } from '#contract/desk/schema.ts';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { invoiceLabels } from '#web/applications/invoice/invoice-values.ts';
import { applicationLabels, figureLabels } from '#web/applications/terms/application-values.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { Copyable } from '#web/ui/text/copyable.tsx';
import { Facts } from '#web/ui/text/figure.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';

interface CaseRecordProps {
  readonly subject: CaseReply;
  readonly invoice: LoadedInvoice;
}

/** What was submitted and is not on top of the case: the price, the dates and the reference. */
export function CaseRecord({ subject, invoice: { date, vat, discountApplication } }: CaseRecordProps) {
  const { applicationDate, reference } = discountApplication;
  const { feesCharged, feeRatePercentage, currency } = subject;
  return (
    <SectionCard title="Application Detail" padding="md">
      <Facts
        facts={[
          { label: figureLabels.feesCharged, value: <Amount value={feesCharged} currency={currency} /> },
          { label: figureLabels.feeRate, value: `${feeRatePercentage}%` },
          { label: invoiceLabels.date, value: formatFormDate(date) },
          { label: invoiceLabels.vat, value: vat === null ? null : <Amount value={vat} currency={currency} /> },
          { label: applicationLabels.applicationDate, value: formatFormDate(applicationDate) },
          {
            label: figureLabels.reference,
            isText: true,
            value: reference && (
              <Copyable name="reference" quiet>
                {reference}
              </Copyable>
            ),
          },
        ]}
      />
    </SectionCard>
  );
}
