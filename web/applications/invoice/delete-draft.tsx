import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { callApi } from '#web/platform/api/api.ts';
import { navigate } from '#web/platform/router/history.ts';
import { QuestionDialog } from '#web/ui/forms/question.tsx';

interface DeleteDraftProps {
  readonly invoiceTag: string;
  /** Called when the draft is deleted: discards what was typed into it. */
  readonly onDeleted: () => void;
}

/** Deletes the draft after a confirmation, and opens the list of the others. */
export function DeleteDraft({ invoiceTag, onDeleted }: DeleteDraftProps) {
  const [asking, question] = useDisclosure(false);
  const remove = useMutation({
    mutationFn: () => callApi(applicationEndpoints.deleteInvoice, undefined, { params: { tag: invoiceTag } }),
  });

  function confirm(): void {
    remove.mutate(undefined, {
      onSuccess: () => {
        onDeleted();
        notify(notices.invoiceDeleted);
        void navigate(paths.myApplications, { replace: true });
      },
    });
  }

  return (
    <>
      <Button
        variant="transparent"
        size="sm"
        color="gray"
        px={0}
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={question.open}
        style={{ alignSelf: 'flex-start' }}
      >
        Delete draft
      </Button>
      <QuestionDialog
        title="Delete this draft?"
        yes="Delete"
        failed="Not deleted"
        opened={asking}
        mutation={remove}
        onYes={confirm}
        onClose={question.close}
      >
        We delete the invoice, its application and its documents for good.
      </QuestionDialog>
    </>
  );
}
