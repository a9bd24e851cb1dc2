import { useQueryClient } from '@tanstack/react-query';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { focusFile } from '#web/applications/documents/document-row.tsx';
import { checkTyped, type Owner } from '#web/applications/draft/draft.ts';
import type { OpenTyping } from '#web/applications/draft/kept-typing.ts';
import { type ApplicationDraft, useApplicationDraft } from '#web/applications/draft/use-application-draft.ts';
import { DeleteDraft } from '#web/applications/invoice/delete-draft.tsx';
import { InvoiceFields } from '#web/applications/invoice/invoice-form.tsx';
import { faceValueOf } from '#web/applications/invoice/invoice-values.ts';
import { useCurrencies } from '#web/applications/invoice/invoices.api.ts';
import { DraftPayee } from '#web/applications/payout-account/draft-payee.tsx';
import { figuresOf } from '#web/applications/terms/application-figures.ts';
import { ApplicationFields } from '#web/applications/terms/application-form.tsx';
import { useFinancingPeriods } from '#web/applications/terms/applications.api.ts';
import { useOwnLimits } from '#web/applications/terms/funding-limit.api.ts';
import { SubmitModal } from '#web/applications/terms/submit-modal.tsx';
import { invalidate } from '#web/platform/api/use-call.ts';
import { SaveState } from '#web/ui/forms/save-state.tsx';
import { Later } from '#web/ui/loading/later.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import classes from './application-screen.module.css';
import type { Blocker } from './blockers.ts';
import { DraftDocuments } from './draft-documents.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { FloatingMenu } from './floating-menu.tsx';
import { InvoiceMark } from './invoice-mark.tsx';
import { ObstaclesNotice, showObstacles } from './obstacles-notice.tsx';
import { ScreenLayout } from './screen-layout.tsx';
import { SubmitPanel } from './submit-panel.tsx';
import { useObstacles } from './use-obstacles.ts';
import { useSubmission } from './use-submission.ts';
import { useWhatIsMissing } from './use-what-is-missing.ts';

interface DraftScreenProps {
  readonly loaded: LoadedInvoice | undefined;
  /** Where this screen keeps its typing, including unsaved typing from an earlier visit. */
  readonly typing: OpenTyping;
  /** Other drafts that were left for this one. */
  readonly besides: readonly string[];
  /** Identifies the screen while it stays the same one. */
  readonly screen: string;
  readonly owner: Owner;
  readonly onCreated: (invoiceTag: string) => void;
  /** Opens the screen again with the server's current state. */
  readonly onReopen: (invoiceTag: string | undefined) => void;
  readonly onSubmitted: (invoiceTag: string) => void;
}

/** The invoice-and-application screen while it can be edited (docs/specification-coverage.md, 2). */
export function DraftScreen({ owner, besides, onReopen, onSubmitted, ...opened }: DraftScreenProps) {
  const application = useApplicationDraft({ ...opened, owner, onGone: onReopen });
  const { invoiceForm, applicationForm, saving, draft, reference } = application;
  const queryClient = useQueryClient();
  const invoiceTag = draft.invoice?.tag;
  const terms = useTerms(application);
  const obstacles = useObstacles(application, terms);
  const todo = useWhatIsMissing(application, obstacles);
  const submission = useSubmission(invoiceTag);
  const number = invoiceForm.values.invoiceNumber;

  function losesTyping(): boolean {
    const typed = { invoice: invoiceForm.getValues(), application: applicationForm.getValues() };
    return invoiceTag === undefined && application.unsaved && Object.keys(checkTyped(typed).invoice).length > 0;
  }

  /** Discards typing that cannot be saved. Returns the drafts that are left to be saved in the background. */
  function leaveForNew(): readonly string[] {
    if (invoiceTag !== undefined) return besides;
    if (losesTyping()) saving.discard();
    return [...besides, opened.typing.draftId];
  }

  function onDeleted(): void {
    saving.discard();
    void invalidate(queryClient, [invoiceEndpoints.listInvoices]);
  }

  return (
    <ScreenLayout
      {...(invoiceTag === undefined ? { title: 'New application' } : { kind: 'Invoice', title: number })}
      status={invoiceTag === undefined ? undefined : 'Draft'}
      aside={<SaveState status={todo.saveStatus} />}
      menu={
        <Later>
          <FloatingMenu losesTyping={losesTyping} onNew={leaveForNew} />
        </Later>
      }
      notice={
        <>
          <DraftNotice application={application} onReopen={onReopen} />
          <ObstaclesNotice obstacles={obstacles.general} />
        </>
      }
    >
      <SectionCard title="Invoice Details" mark={<InvoiceMark status="Draft" />} className={classes.invoiceCard}>
        <InvoiceFields form={invoiceForm} tag={invoiceTag} businessTag={owner.businessTag} />
      </SectionCard>
      <SectionCard title="Application Detail" className={classes.applicationCard}>
        <ApplicationFields form={applicationForm} reference={reference} obstacles={obstacles} {...terms} />
        <Later>
          <DraftDocuments invoiceTag={invoiceTag} onGone={() => onReopen(invoiceTag)} />
          {invoiceTag !== undefined && <DraftPayee tag={invoiceTag} />}
          {invoiceTag !== undefined && <DeleteDraft invoiceTag={invoiceTag} onDeleted={onDeleted} />}
        </Later>
      </SectionCard>
      <Later>
        <SubmitPanel
          figures={terms.figures}
          currency={terms.currency}
          blockers={todo.blockers}
          count={todo.count}
          onBlocker={(blocker) => showBlocker(blocker, application)}
          waitingFor={todo.waitingFor}
          checkAgain={todo.checkAgain}
          refusal={submission.refusal}
          ready={todo.ready}
          checking={submission.checking}
          onSubmit={submission.ask}
        />
      </Later>
      {invoiceTag !== undefined && (
        <SubmitModal
          opened={submission.asked}
          invoiceTag={invoiceTag}
          invoiceNumber={number}
          onClose={submission.close}
          onRefused={submission.refresh}
          onSubmitted={() => onSubmitted(invoiceTag)}
        />
      )}
    </ScreenLayout>
  );
}

/** Moves to the field or section that has to be corrected. */
function showBlocker(blocker: Blocker, { invoiceForm, applicationForm }: ApplicationDraft): void {
  if (blocker.kind === 'client') showObstacles();
  else if (blocker.kind === 'document') focusFile(blocker.document.typeId);
  else if (blocker.part === 'invoice') invoiceForm.getInputNode(blocker.field)?.focus();
  else applicationForm.getInputNode(blocker.field)?.focus();
}

/** The figures for the typed values, and the limits that they are checked against. */
function useTerms({ invoiceForm, applicationForm }: ApplicationDraft) {
  const currencies = useCurrencies();
  const periods = useFinancingPeriods();
  const currency = currencies.data?.find(({ id }) => String(id) === invoiceForm.values.currencyId)?.code;
  const period = periods.data?.find(({ id }) => String(id) === applicationForm.values.financingPeriodId);
  const faceValue = faceValueOf(invoiceForm.values);
  const { amountAppliedFor } = applicationForm.values;
  const figures = figuresOf({ faceValue, amountAppliedFor, tenorDays: period?.days });
  const limits = useOwnLimits();
  const fundingLimit = limits.data?.find(({ currencyId }) => String(currencyId) === invoiceForm.values.currencyId);
  return { figures, faceValue, currency, fundingLimit };
}
