import { Text } from '@mantine/core';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { DeleteModal } from '#web/applications/documents/delete-modal.tsx';
import { DocumentsTable, focusRow } from '#web/applications/documents/documents-table.tsx';
import { UploadModal } from '#web/applications/upload/upload-modal.tsx';
import { SubSection } from './screen-layout.tsx';

/** The open dialog and its document. */
export interface DocumentDialog {
  readonly kind: 'upload' | 'delete';
  readonly document: SupportingDocument;
}

interface DraftDocumentsProps {
  /** Undefined until there is an invoice to upload to. */
  readonly invoiceTag: string | undefined;
  readonly dialog: DocumentDialog | undefined;
  readonly onDialog: (dialog: DocumentDialog | undefined) => void;
  readonly onGone: () => void;
}

/** The documents of a draft, with the upload and delete dialogs. */
export function DraftDocuments({ invoiceTag, dialog, onDialog, onGone }: DraftDocumentsProps) {
  function close(): void {
    onDialog(undefined);
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
          onUpload: (chosen) => onDialog({ kind: 'upload', document: chosen }),
          onDelete: (chosen) => onDialog({ kind: 'delete', document: chosen }),
        }}
      />
      {shared && dialog.kind === 'upload' && <UploadModal {...shared} />}
      {shared && dialog.kind === 'delete' && <DeleteModal {...shared} />}
    </SubSection>
  );
}
