import { Modal, Text } from '@mantine/core';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { useDocuments } from './documents.api.ts';

interface DocumentsAwaitedProps {
  readonly invoiceTag: string;
  /** The document type whose turn it is. */
  readonly type: string;
  readonly onClose: () => void;
}

/** Stands in for an {@link UploadModal} until it is known which documents there are. */
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
