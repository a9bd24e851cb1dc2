import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { toMinor } from '#contract/money.ts';
import { figuresOf } from '#web/applications/application-figures.ts';
import { ApplicationRecord } from '#web/applications/application-record.tsx';
import { useFinancingPeriods } from '#web/applications/applications.api.ts';
import { DocumentsTable } from '#web/documents/documents-table.tsx';
import { InvoiceRecord } from '#web/invoices/invoice-record.tsx';
import { useCurrencies } from '#web/invoices/invoices.api.ts';
import classes from './application-screen.module.css';
import { FloatingMenu } from './floating-menu.tsx';
import { InvoiceMark } from './invoice-mark.tsx';
import { ScreenLayout, SectionCard, SubSection } from './screen-layout.tsx';

interface RecordScreenProps {
  readonly invoice: LoadedInvoice;
  /** It has just been submitted here: say so where reading goes on. */
  readonly justSubmitted: boolean;
  /** It is read by the client whose it is, not by staff. */
  readonly own: boolean;
}

/** The screen as a record to read: submitted, or seen by staff (specification, section 4). */
export function RecordScreen({ invoice, justSubmitted, own }: RecordScreenProps) {
  const currencies = useCurrencies();
  const periods = useFinancingPeriods();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!justSubmitted) return;
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }, [justSubmitted]);
  const { discountApplication: application } = invoice;
  const status = application.status.name;
  const period = periods.data?.find(({ id }) => id === application.financingPeriodId);
  const figures = figuresOf({
    faceValue: toMinor(invoice.amount),
    amountAppliedFor: application.amountAppliedFor,
    tenorDays: period?.days,
  });
  return (
    <ScreenLayout kind="Invoice" title={invoice.invoiceNumber} status={status} headingRef={heading}>
      <SectionCard title="Invoice Details" mark={<InvoiceMark status={status} />} className={classes.invoiceCard}>
        <InvoiceRecord invoice={invoice} />
      </SectionCard>
      <SectionCard title="Application Detail">
        <ApplicationRecord
          application={application}
          figures={figures}
          currency={currencies.data?.find(({ id }) => id === invoice.currencyId)?.code}
          period={period?.name}
          own={own}
        />
        <SubSection title="Supporting Documents">
          <DocumentsTable invoiceTag={invoice.tag} />
        </SubSection>
        {own && (
          <Group className={classes.submitted}>
            <Button disabled>Submit Application</Button>
            <Text size="sm" c="dimmed">
              It has been submitted.
            </Text>
          </Group>
        )}
      </SectionCard>
      {own && <FloatingMenu losesTyping={() => false} onNew={() => undefined} />}
    </ScreenLayout>
  );
}
