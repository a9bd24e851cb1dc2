import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { useDeleteDocument } from './documents.api.ts';
import { whyGone } from './gone.ts';

interface DeleteModalProps {
  readonly invoiceTag: string;
  readonly document: SupportingDocument;
  readonly onClose: () => void;
  /** It was submitted elsewhere meanwhile, or deleted. */
  readonly onGone: () => void;
}

/** Asks before a document is deleted. */
export function DeleteModal({ invoiceTag, document, onClose, onGone }: DeleteModalProps) {
  const remove = useDeleteDocument(invoiceTag);
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

  /** While it is being deleted, the outcome would be told to nobody. */
  function close(): void {
    if (!remove.isPending) onClose();
  }

  return (
    <Modal
      opened
      onClose={close}
      title={`Delete ${type}?`}
      centered={false}
      withCloseButton={!remove.isPending}
      returnFocus={false}
    >
      <Stack>
        <Text>We remove the file from this application. You can upload another one.</Text>
        {remove.isError && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {remove.error.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={remove.isPending} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={remove.isPending} onClick={confirm}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
