import type { SupportingDocument } from '#contract/documents/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { QuestionDialog } from '#web/ui/forms/question.tsx';
import { useDeleteDocument } from './documents.api.ts';
import { whyGone } from './gone.ts';

interface DeleteModalProps {
  readonly document: SupportingDocument;
  readonly onClose: () => void;
  /** Called if the application was submitted elsewhere, or the document was deleted. */
  readonly onGone: () => void;
}

/** Asks before a document is deleted. */
export function DeleteModal({ document, onClose, onGone }: DeleteModalProps) {
  const remove = useDeleteDocument();
  const { documentTag, type } = document;

  function confirm(): void {
    if (documentTag === undefined) return;
    remove.mutate(documentTag, {
      onSuccess: () => {
        notify(notices.documentDeleted(type));
        onClose();
      },
      onError: (error) => {
        const gone = whyGone(error);
        if (gone === undefined) return;
        notify(notices.actionFailed(gone));
        onGone();
      },
    });
  }

  return (
    <QuestionDialog
      title={`Delete ${type}?`}
      yes="Delete"
      failed="Not deleted"
      mutation={remove}
      onYes={confirm}
      onClose={onClose}
      returnFocus={false}
    >
      We remove the file from this application. You can upload another one.
    </QuestionDialog>
  );
}
