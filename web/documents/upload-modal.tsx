import { Button, FileButton, Group, Image, Modal, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { ACCEPTED_IN_WORDS, acceptedFiles, formatFileSize, refuseFile } from './chosen-file.ts';
import { useUploadDocument } from './documents.api.ts';

interface UploadModalProps {
  readonly invoiceTag: string;
  readonly document: SupportingDocument;
  readonly onClose: () => void;
  /** It was submitted elsewhere meanwhile, or deleted: there is nothing to upload to. */
  readonly onGone: () => void;
}

/** A file to upload; every try with it carries the same key, so that a repeat stores it once. */
interface Chosen {
  readonly file: File;
  readonly idempotencyKey: string;
}

/** 'Upload {document type}' (specification, section 2): cannot be closed by clicking outside. */
export function UploadModal({ invoiceTag, document, onClose, onGone }: UploadModalProps) {
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const upload = useUpload(invoiceTag, document, { onClose, onGone, onProblem: setProblem });

  function choose(file: File | null): void {
    if (file === null) return;
    const refusal = refuseFile(file);
    setProblem(refusal);
    if (refusal !== undefined) notify(notices.documentNotUploaded);
    setChosen(refusal === undefined ? { file, idempotencyKey: uniqueKey() } : undefined);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={`Upload ${document.type}`}
      // High up, where a phone's toasts do not cover its buttons.
      centered={false}
      closeOnClickOutside={false}
      closeOnEscape={!upload.running}
      withCloseButton={!upload.running}
      returnFocus={false}
    >
      <Stack>
        <Text size="sm" c="dimmed" id="accepted-files">
          {ACCEPTED_IN_WORDS}
          {document.documentTag === undefined ? '' : '. It takes the place of the one that is there'}
        </Text>
        {chosen && <ChosenFile file={chosen.file} />}
        {upload.running ? (
          <UploadProgress share={upload.share} onCancel={upload.cancel} />
        ) : (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
            <FileButton onChange={choose} accept={acceptedFiles} inputProps={{ 'aria-label': document.type }}>
              {({ onClick }) => (
                <Button variant="default" onClick={onClick} aria-describedby="accepted-files" data-autofocus>
                  Choose File
                </Button>
              )}
            </FileButton>
            <Button
              disabled={chosen === undefined}
              onClick={() => chosen && upload.start(chosen)}
              ref={upload.tried ? takeFocus : undefined}
            >
              Upload Document
            </Button>
          </SimpleGrid>
        )}
        <Text size="sm" c="var(--mantine-color-error)" role="alert" hidden={problem === undefined}>
          {problem}
        </Text>
      </Stack>
    </Modal>
  );
}

interface UploadEvents {
  readonly onClose: () => void;
  readonly onGone: () => void;
  readonly onProblem: (problem: string | undefined) => void;
}

/** For a button that takes the place of the one that was pressed. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** One upload at a time, with how far it is and a way to stop it. */
function useUpload(invoiceTag: string, document: SupportingDocument, { onClose, onGone, onProblem }: UploadEvents) {
  const upload = useUploadDocument(invoiceTag);
  const [share, setShare] = useState(0);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  async function start({ file, idempotencyKey }: Chosen): Promise<void> {
    const controller = new AbortController();
    abort.current = controller;
    setShare(0);
    onProblem(undefined);
    try {
      const { signal } = controller;
      const stored = await upload.mutateAsync({ document, file, idempotencyKey, signal, onProgress: setShare });
      if (!stored) return;
      notify(notices.documentUploaded(document.type));
      onClose();
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : undefined;
      if (failure?.code === 'NOT_EDITABLE' || failure?.code === 'NOT_FOUND') onGone();
      else {
        // A lost line and a file that is too large are not cured by taking another picture: the modal says so besides.
        if (failure?.code === 'NETWORK' || failure?.code === 'FILE_TOO_LARGE') onProblem(failure.message);
        notify(notices.documentNotUploaded);
      }
    }
  }

  return {
    running: upload.isPending,
    tried: !upload.isIdle,
    share,
    start: (chosen: Chosen) => void start(chosen),
    cancel: () => abort.current?.abort(),
  };
}

/** The file that was chosen, with a picture of it where it is one: is it the right one, and can it be read? */
function ChosenFile({ file }: { readonly file: File }) {
  return (
    <Paper p="sm">
      <Group wrap="nowrap">
        <Preview key={`${file.name} ${file.lastModified}`} file={file} />
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {file.name}
          </Text>
          <Text size="xs" c="dimmed">
            {formatFileSize(file.size)}
          </Text>
        </div>
      </Group>
    </Paper>
  );
}

function Preview({ file }: { readonly file: File }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file.type.startsWith('image/')) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (url === undefined) return <IconFileText size={40} stroke={1.25} aria-hidden style={{ flexShrink: 0 }} />;
  return (
    <Image src={url} alt="The chosen file" w={72} h={72} fit="cover" radius="sm" onError={() => setUrl(undefined)} />
  );
}

function UploadProgress({ share, onCancel }: { readonly share: number; readonly onCancel: () => void }) {
  const percent = Math.round(share * 100);
  return (
    <Group wrap="nowrap">
      <Stack gap={4} flex={1}>
        <Progress.Root size="lg">
          <Progress.Section value={percent} aria-label="Upload" />
        </Progress.Root>
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {percent < 100 ? `Uploading… ${percent}%` : 'Uploaded 100%. Checking the document…'}
        </Text>
      </Stack>
      <Button variant="default" onClick={onCancel} ref={takeFocus}>
        Cancel
      </Button>
    </Group>
  );
}
