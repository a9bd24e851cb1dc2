import { Button, FileButton, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { Columns } from '#web/ui/layout/columns.tsx';
import { ACCEPTED_IN_WORDS, acceptedFiles } from './chosen-file.ts';
import { ChosenFileCard } from './chosen-file-card.tsx';
import { takeFocus, UploadProgress } from './upload-progress.tsx';
import { useChosenFile, whatIsSent } from './use-chosen-file.ts';
import { useUpload } from './use-upload.ts';

interface UploadModalProps {
  readonly invoiceTag: string;
  readonly document: SupportingDocument;
  readonly onClose: () => void;
  /** Called if the application was submitted elsewhere or deleted, so that there is nothing to upload to. */
  readonly onGone: () => void;
}

/** 'Upload {document type}' (docs/specification-coverage.md, 2). Clicking outside does not close it. */
export function UploadModal({ invoiceTag, document, onClose, onGone }: UploadModalProps) {
  const [problem, setProblem] = useState<string>();
  const { chosen, choose, sendOriginal } = useChosenFile({ onProblem: setProblem });
  const upload = useUpload(invoiceTag, document, { onClose, onGone, onProblem: setProblem });
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Upload ${document.type}`}
      // High up, where a phone's toasts don't cover the buttons.
      centered={false}
      closeOnClickOutside={false}
      closeOnEscape={!upload.running}
      withCloseButton={!upload.running}
      returnFocus={false}
    >
      <Stack>
        <Text size="sm" c="dimmed" id="accepted-files">
          {ACCEPTED_IN_WORDS}
          {document.documentTag === undefined ? '' : '. It replaces the one you uploaded before'}
        </Text>
        {chosen && <ChosenFileCard chosen={chosen} onOriginal={upload.running ? undefined : sendOriginal} />}
        {upload.running ? (
          <UploadProgress share={upload.share} waiting={upload.waiting} onCancel={upload.cancel} />
        ) : (
          <Columns gap="sm">
            <FileButton onChange={choose} accept={acceptedFiles} inputProps={{ 'aria-label': document.type }}>
              {({ onClick }) => (
                <Button variant="default" onClick={onClick} aria-describedby="accepted-files" data-autofocus>
                  Choose File
                </Button>
              )}
            </FileButton>
            <Button
              disabled={chosen === undefined || chosen.preparing}
              onClick={() => chosen && upload.start(whatIsSent(chosen))}
              ref={upload.tried ? takeFocus : undefined}
            >
              Upload Document
            </Button>
          </Columns>
        )}
        <Text size="sm" c="var(--mantine-color-error)" role="alert" hidden={problem === undefined}>
          {problem}
        </Text>
      </Stack>
    </Modal>
  );
}
