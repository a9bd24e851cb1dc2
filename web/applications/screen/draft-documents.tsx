import { Text } from '@mantine/core';
import { useState } from 'react';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { DeleteModal } from '#web/applications/documents/delete-modal.tsx';
import { focusRow } from '#web/applications/documents/document-row.tsx';
import { DocumentsTable } from '#web/applications/documents/documents-table.tsx';
import { UploadModal } from '#web/applications/upload/upload-modal.tsx';
import { SubSection } from './screen-layout.tsx';

/** The open dialog and its document. */
interface DocumentDialog {
  readonly kind: 'upload' | 'delete';
  readonly document: SupportingDocument;
}

interface DraftDocumentsProps {
  /** Undefined until there is an invoice to upload to. */
  readonly invoiceTag: string | undefined;
  readonly onGone: () => void;
}

/** The documents of a draft, with the upload and delete dialogs. */
export function DraftDocuments({ invoiceTag, onGone }: DraftDocumentsProps) {
  const [dialog, setDialog] = useState<DocumentDialog>();
  function close(): void {
    setDialog(undefined);
    // Runs after the dialog has released the focus.
    if (dialog) setTimeout(() => focusRow(dialog.document.typeId));
  }

  function leave(): void {
    close();
    onGone();
  }

  const shared = dialog &&
    invoiceTag !== undefined && { invoiceTag, document: dialog.document, onClose: close, onGone: leave };
  return (
    <SubSection title="Supporting Documents">
      {invoiceTag === undefined && (
        <Text size="sm" c="dimmed">
          Complete the invoice details first. Then you can upload these.
        </Text>
      )}
      <DocumentsTable
        invoiceTag={invoiceTag}
        actions={{
          onUpload: (chosen) => setDialog({ kind: 'upload', document: chosen }),
          onGone,
          onDelete: (chosen) => setDialog({ kind: 'delete', document: chosen }),
        }}
      />
      {shared && dialog.kind === 'upload' && <UploadModal {...shared} />}
      {shared && dialog.kind === 'delete' && <DeleteModal {...shared} />}
    </SubSection>
  );
}
