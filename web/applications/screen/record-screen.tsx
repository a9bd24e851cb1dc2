import { Anchor } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { mayUpload } from '#contract/applications/lifecycle.ts';
import type { InformationRequest, ProgressReply } from '#contract/applications/progress.ts';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { focusRow } from '#web/applications/documents/document-row.tsx';
import { useDocuments } from '#web/applications/documents/documents.api.ts';
import { DocumentsAwaited } from '#web/applications/documents/documents-awaited.tsx';
import { DocumentsTable } from '#web/applications/documents/documents-table.tsx';
import { InvoiceRecord } from '#web/applications/invoice/invoice-record.tsx';
import { History } from '#web/applications/progress/history.tsx';
import { useProgress, useRefresh, useStatement } from '#web/applications/progress/progress.api.ts';
import { ProgressPanel } from '#web/applications/progress/progress-panel.tsx';
import { receivedText } from '#web/applications/terms/application-figures.ts';
import { ApplicationRecord } from '#web/applications/terms/application-record.tsx';
import { useTerms } from '#web/applications/terms/use-terms.ts';
import { UploadModal } from '#web/applications/upload/upload-modal.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Later } from '#web/ui/loading/later.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import classes from './application-screen.module.css';
import { FloatingMenu } from './floating-menu.tsx';
import { InvoiceMark } from './invoice-mark.tsx';
import { LoadingScreen, ScreenLayout, SubSection } from './screen-layout.tsx';

/** The document being uploaded, and the button that opened the upload. */
interface Uploading {
  readonly typeId: number;
  readonly type: string;
  readonly from: 'answer' | 'table';
}

interface RecordScreenProps {
  readonly invoice: LoadedInvoice;
  /** The application was just submitted here: the heading says so and gets the focus. */
  readonly justSubmitted: boolean;
  /** The reader is the client who owns it, not staff. */
  readonly own: boolean;
  readonly userTag: string;
}

/** The screen as a read-only record: submitted, or opened by staff (docs/specification-coverage.md, 4). */
export function RecordScreen({ invoice, justSubmitted, own, userTag }: RecordScreenProps) {
  const progress = useProgress(invoice.tag);
  const status = progress.data?.status ?? invoice.discountApplication.status.name;
  const statement = useStatement(invoice.tag, own ? status : 'Draft');
  const heading = useRef<HTMLHeadingElement>(null);
  const [uploading, setUploading] = useState<Uploading>();
  const terms = useTerms(invoice);
  const refresh = useRefresh();
  useEffect(() => {
    if (justSubmitted) goTo(heading.current);
  }, [justSubmitted]);
  // The progress comes first and would push everything else down, so we wait for it. A person who has just submitted
  // stays where they are.
  if (own && progress.isPending && !justSubmitted) return <LoadingScreen />;
  const asked = own ? askedDocuments(progress.data) : [];
  const upload = (typeId: number, from: Uploading['from']): void => {
    const wanted = asked.find((each) => each.typeId === typeId);
    if (wanted !== undefined) setUploading({ ...wanted, from });
  };
  return (
    <ScreenLayout
      kind="Invoice"
      title={invoice.invoiceNumber}
      status={status}
      overdue={progress.data?.overdue}
      currency={terms.currency}
      headingRef={heading}
      menu={
        own ? (
          <Later>
            <FloatingMenu losesTyping={() => false} onNew={() => []} />
          </Later>
        ) : undefined
      }
      notice={
        own && (
          <ProgressPanel
            tag={invoice.tag}
            invoiceNumber={invoice.invoiceNumber}
            userTag={userTag}
            progress={progress}
            currency={terms.currency ?? ''}
            received={receivedText(terms.figures, terms.currency)}
            onUpload={(typeId) => upload(typeId, 'answer')}
            onStep={() => goTo(heading.current)}
          />
        )
      }
    >
      <SectionCard title="Invoice Details" mark={<InvoiceMark status={status} />} className={classes.invoiceCard}>
        <InvoiceRecord
          invoice={invoice}
          buyer={progress.data?.buyer}
          client={own ? undefined : progress.data?.client}
          namesLoading={progress.isPending}
        />
        {!own && status !== 'Draft' && (
          <Anchor component={Link} to={paths.deskCase(invoice.tag)}>
            Open in the Decision Desk
          </Anchor>
        )}
      </SectionCard>
      <SectionCard title="Application Detail" className={classes.applicationCard}>
        <ApplicationRecord
          application={invoice.discountApplication}
          {...terms}
          own={own}
          status={status}
          isPartPaid={(statement.data?.restOwed ?? 0) > 0}
        />
        <SubSection title="Supporting Documents">
          <DocumentsTable
            invoiceTag={invoice.tag}
            actions={
              asked.length === 0
                ? undefined
                : {
                    onUpload: ({ typeId }) => upload(typeId, 'table'),
                    onUploaded: () => void refresh(),
                    onGone: () => {
                      void refresh();
                      goTo(heading.current);
                    },
                    isOpen: ({ typeId }) =>
                      mayUpload(
                        status,
                        asked.some((each) => each.typeId === typeId),
                      ),
                  }
            }
          />
        </SubSection>
      </SectionCard>
      {own && progress.data !== undefined && (
        <History tag={invoice.tag} progress={progress.data} onWithdrawn={() => goTo(heading.current)} />
      )}
      {uploading && (
        <AskedUpload
          invoiceTag={invoice.tag}
          {...uploading}
          onClose={() => setUploading(undefined)}
          onGone={() => goTo(heading.current)}
        />
      )}
    </ScreenLayout>
  );
}

/** Moves the focus to the heading once the form has gone. */
function goTo(heading: HTMLElement | null): void {
  window.scrollTo({ top: 0 });
  heading?.focus({ preventScroll: true });
}

/** The documents that the client can add or replace now. */
function askedDocuments(progress: ProgressReply | undefined): InformationRequest['documents'] {
  if (progress?.status !== 'Info Requested') return [];
  return progress.requests[0]?.documents ?? [];
}

/** Returns the focus to where a document was requested, when its dialog closes. */
function focusAsked(typeId: number): void {
  document.querySelector<HTMLElement>(`[data-asked-document="${typeId}"]`)?.focus();
}

interface AskedUploadProps extends Uploading {
  readonly invoiceTag: string;
  readonly onClose: () => void;
  /** Called if the request is no longer open. */
  readonly onGone: () => void;
}

/** Uploads a requested document; afterwards request and documents are up to date. */
function AskedUpload({ invoiceTag, typeId, type, from, onClose, onGone }: AskedUploadProps) {
  const documents = useDocuments(invoiceTag);
  const refresh = useRefresh();
  const known = documents.data?.find((each) => each.typeId === typeId);
  function close(thenFocus: () => void): void {
    onClose();
    void refresh();
    // Runs after the dialog has released the focus.
    setTimeout(thenFocus);
  }
  const leave = () => close(() => (from === 'answer' ? focusAsked(typeId) : focusRow(typeId)));
  if (known === undefined) return <DocumentsAwaited invoiceTag={invoiceTag} type={type} onClose={leave} />;
  return <UploadModal invoiceTag={invoiceTag} document={known} onClose={leave} onGone={() => close(onGone)} />;
}
