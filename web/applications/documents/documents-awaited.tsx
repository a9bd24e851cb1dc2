import { Modal, Text } from '@mantine/core';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { useDocuments } from './documents.api.ts';

interface DocumentsAwaitedProps {
  readonly invoiceTag: string;
  /** The document type to be uploaded. */
  readonly type: string;
  readonly onClose: () => void;
}

/** Stands in for an {@link UploadModal} until the documents have loaded. */
export function DocumentsAwaited({ invoiceTag, type, onClose }: DocumentsAwaitedProps) {
  const documents = useDocuments(invoiceTag);
  return (
    <Modal opened onClose={onClose} title={`Upload ${type}`} centered={false} returnFocus={false}>
      {documents.isError ? (
        <NotLoaded what="The documents" query={documents} />
      ) : (
        <Text size="sm" c="dimmed" role="status">
          Loading the documents…
        </Text>
      )}
    </Modal>
  );
}
