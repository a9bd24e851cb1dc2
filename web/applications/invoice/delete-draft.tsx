import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { useNavigate } from '#web/platform/router/router.tsx';
import { useDeleteInvoice } from './invoices.api.ts';

interface DeleteDraftProps {
  readonly invoiceTag: string;
  /** It is gone; what is typed into it is to be forgotten. */
  readonly onDeleted: () => void;
}

/** Deletes the draft, after asking, and leads to the others. */
export function DeleteDraft({ invoiceTag, onDeleted }: DeleteDraftProps) {
  const navigate = useNavigate();
  const [asking, question] = useDisclosure(false);
  const remove = useDeleteInvoice(invoiceTag);

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
      <Modal opened={asking} onClose={question.close} title="Delete this draft?" centered={false}>
        <Stack>
          <Text>We delete the invoice, its application and its documents for good.</Text>
          {remove.isError && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {remove.error.message}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={question.close} data-autofocus>
              Keep it
            </Button>
            <Button color="red" loading={remove.isPending} onClick={confirm}>
              Delete
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
