import { useDocumentCheck, useListedDocuments } from '#web/applications/documents/documents.api.ts';
import { checkTyped, type Typed, whatKeepsItUnsaved } from '#web/applications/draft/draft.ts';
import { savingStatus } from '#web/applications/draft/saving-status.ts';
import type { ApplicationDraft } from '#web/applications/draft/use-application-draft.ts';
import { countDone, findBlockers } from './blockers.ts';
import { showChangedElsewhere } from './draft-notice.tsx';
import type { Obstacles } from './use-obstacles.ts';

/** What a draft still needs before it can be submitted (docs/specification-coverage.md, 4). */
export function useWhatIsMissing(application: ApplicationDraft, obstacles: Obstacles) {
  const { invoiceForm, applicationForm, saving, state, stale, unsaved, keeping, draft } = application;
  const invoiceTag = draft.invoice?.tag;
  const { listed } = useListedDocuments(invoiceTag);
  const check = useDocumentCheck(invoiceTag);
  const typed: Typed = { invoice: invoiceForm.values, application: applicationForm.values };
  const found = { wrong: checkTyped(typed), documents: listed ?? [], obstacles };
  const blockers = findBlockers(typed, found);
  const saved = draft.application !== undefined && !unsaved && !stale && state.phase === 'quiet';
  return {
    blockers,
    /** Undefined until the documents that the application needs are known. */
    count: listed && countDone(found),
    saveStatus: savingStatus({
      state,
      stale,
      unsaved,
      keeping,
      exists: invoiceTag !== undefined,
      problem: whatKeepsItUnsaved(draft, typed),
      retry: saving.autosave.retry,
      choose: showChangedElsewhere,
    }),
    /** Everything is typed, saved and uploaded: the application can be submitted. */
    ready: blockers.length === 0 && saved && check.data?.success === true,
    /** Asks the server again, if it could not say whether the documents are complete. */
    checkAgain: saved && check.isError ? () => void check.refetch() : undefined,
    /** Why it is not ready although nothing is missing on the screen. */
    waitingFor: saved ? describeCheck(check) : 'You can submit once everything is saved.',
  };
}

function describeCheck({ data, isError }: ReturnType<typeof useDocumentCheck>): string {
  if (data !== undefined) return `Missing: ${data.missing.join(', ')}`;
  return isError ? 'We could not check your documents.' : 'Checking your documents…';
}
