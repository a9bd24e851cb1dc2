import { ActionIcon, Anchor, Button, FileButton, Group, Menu, Table, Text } from '@mantine/core';
import {
  IconCamera,
  IconCircleCheckFilled,
  IconDotsVertical,
  IconExternalLink,
  IconReplace,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { acceptedFiles, formatFileSize } from '#web/applications/upload/chosen-file.ts';
import { Preview } from '#web/applications/upload/chosen-file-card.tsx';
import { UploadProgress } from '#web/applications/upload/upload-progress.tsx';
import { type FileUpload, useFileUpload } from '#web/applications/upload/use-file-upload.ts';
import { paths } from '#web/paths.ts';
import classes from './documents-table.module.css';

/** The actions on documents. */
export interface DocumentActions {
  /** Opens the dialog that uploads a document. */
  readonly onUpload: (document: SupportingDocument) => void;
  /** Called after an upload in the row. */
  readonly onUploaded?: () => void;
  /** Called if the application was submitted elsewhere, so that there is nothing to upload to. */
  readonly onGone: () => void;
  /** Missing where documents can be added and replaced but not deleted. */
  readonly onDelete?: (document: SupportingDocument) => void;
  /** Which documents can be changed; missing where all of them can. */
  readonly isOpen?: (document: SupportingDocument) => boolean;
}

/** What the table may ask of a row. */
export interface RowHandle {
  /** Whether the row misses a file and none is on its way. */
  readonly isFree: boolean;
  readonly take: (file: File) => void;
}

interface DocumentRowProps {
  readonly ref: Ref<RowHandle>;
  readonly number: number;
  readonly document: SupportingDocument;
  readonly actions: DocumentActions | undefined;
  /** Undefined if there is no invoice yet to upload documents to. */
  readonly invoiceTag: string | undefined;
  /** Files were chosen in this row, perhaps for other rows too. */
  readonly onFiles: (files: readonly File[], document: SupportingDocument) => void;
}

/** A document type: its file, or the buttons that upload one at once. */
export function DocumentRow({ ref, number, invoiceTag, document, actions, onFiles }: DocumentRowProps) {
  const waits = invoiceTag === undefined;
  const upload = useFileUpload(invoiceTag ?? '', document, {
    onUploaded: () => actions?.onUploaded?.(),
    onGone: () => actions?.onGone(),
  });
  const isBusy = upload.state === 'preparing' || upload.state === 'sending';
  useImperativeHandle(ref, () => ({
    isFree: actions !== undefined && document.documentTag === undefined && !isBusy,
    take: upload.choose,
  }));
  const row = useRef<HTMLTableRowElement>(null);
  useFocusInRow(row, upload.state);
  const shown = { document, actions, upload, waits, onFiles };
  return (
    <Table.Tr className={waits ? classes.waits : undefined} ref={row}>
      <Table.Td className={classes.number}>{number}</Table.Td>
      {actions === undefined ? (
        <>
          <Table.Td>
            <About {...shown} />
          </Table.Td>
          <Table.Td className={classes.action}>
            <ViewIcon document={document} />
          </Table.Td>
        </>
      ) : (
        <Table.Td colSpan={2}>
          <div className={classes.line}>
            <About {...shown} />
            {isBusy ? <Running upload={upload} /> : <Actions {...shown} actions={actions} />}
          </div>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** Keeps the focus in the row when the focused button gives way to another one. */
function useFocusInRow(row: RefObject<HTMLTableRowElement | null>, state: FileUpload['state']): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    const wasBusy = before.current === 'preparing' || before.current === 'sending';
    before.current = state;
    if (wasBusy && document.activeElement === document.body)
      row.current?.querySelector<HTMLElement>('[data-row-action]')?.focus();
  });
}

type ShownProps = Omit<DocumentRowProps, 'ref' | 'number' | 'invoiceTag'> & {
  readonly upload: FileUpload;
  readonly waits: boolean;
};

function About({ document, actions, upload, waits }: ShownProps) {
  const { note } = document;
  return (
    <div className={classes.about}>
      {upload.state === 'done' && document.documentTag !== undefined && upload.file !== undefined && (
        <Preview file={upload.file} size={40} />
      )}
      <div>
        <TypeLink document={document} upload={upload} actions={waits ? undefined : actions} />
        <Text size="xs" c="dimmed" className={classes.detail}>
          {describe(document)}
        </Text>
        {note !== undefined && (
          <Text size="xs" className={classes.detail}>
            {note}
          </Text>
        )}
        {upload.problem !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert" className={classes.detail}>
            {upload.problem}
          </Text>
        )}
      </div>
    </div>
  );
}

/** Opens the document in a new tab, or the upload's dialog if there is no document. */
function TypeLink({ document, actions, upload }: Pick<ShownProps, 'document' | 'actions' | 'upload'>) {
  if (document.documentTag !== undefined)
    return (
      <Anchor href={paths.viewDocument(document.documentTag)} target="_blank" rel="noopener" className={classes.type}>
        <IconCircleCheckFilled size={16} className={classes.there} role="img" aria-label="Uploaded:" />
        {document.type}
      </Anchor>
    );
  if (actions === undefined) return <Text className={classes.type}>{document.type}</Text>;
  return (
    <Anchor
      component="button"
      type="button"
      className={classes.type}
      aria-label={`Upload ${document.type}`}
      data-document-action={document.typeId}
      onClick={() => {
        upload.forget();
        actions.onUpload(document);
      }}
    >
      {document.type}
    </Anchor>
  );
}

function describe({ documentTag, fileName, size, mandatory }: SupportingDocument): string {
  const file = [fileName, size === undefined ? undefined : formatFileSize(size)].filter((part) => part !== undefined);
  if (documentTag !== undefined) return file.join(' · ');
  return mandatory ? 'Required' : 'Optional';
}

/** Focuses a row's link or menu when a dialog about that row closes; by then it may be a different one. */
export function focusRow(typeId: number): void {
  document.querySelector<HTMLElement>(`[data-document-action="${typeId}"]`)?.focus();
}

/** Focuses the button that chooses a row's file. */
export function focusFile(typeId: number): void {
  document.querySelector<HTMLElement>(`[data-document-file="${typeId}"]`)?.focus();
}

function Running({ upload }: Pick<ShownProps, 'upload'>) {
  if (upload.state === 'preparing')
    return (
      <Text size="sm" c="dimmed" role="status">
        Preparing…
      </Text>
    );
  return (
    <div className={classes.progress}>
      <UploadProgress share={upload.share} waiting={upload.waiting} onCancel={upload.cancel} />
    </div>
  );
}

function Actions({ actions, ...shown }: ShownProps & { readonly actions: DocumentActions }) {
  const { document, waits, upload, onFiles } = shown;
  const { documentTag, type, typeId } = document;
  if (documentTag !== undefined)
    return (
      <Group gap="xs" wrap="nowrap">
        <TakePhoto label="Retake" {...shown} />
        <DocumentMenu document={document} upload={upload} actions={actions} tag={documentTag} />
      </Group>
    );
  return (
    <Group gap="xs" className={classes.files}>
      <TakePhoto label="Take photo" {...shown} />
      <FileButton onChange={(files) => onFiles(files, document)} accept={acceptedFiles} multiple disabled={waits}>
        {({ onClick }) => (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconUpload size={16} aria-hidden />}
            aria-label={`Choose file: ${type}`}
            disabled={waits}
            data-row-action
            data-document-file={typeId}
            onClick={onClick}
          >
            Choose file
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

/** Opens the camera. Only touch screens show it: elsewhere it would open the same files as the button beside it. */
function TakePhoto({ label, document, waits, onFiles }: Omit<ShownProps, 'actions'> & { readonly label: string }) {
  return (
    <FileButton
      onChange={(photo) => photo !== null && onFiles([photo], document)}
      accept="image/*"
      capture="environment"
      disabled={waits}
    >
      {({ onClick }) => (
        <Button
          className={classes.camera}
          variant="default"
          size="sm"
          leftSection={<IconCamera size={16} aria-hidden />}
          aria-label={`${label}: ${document.type}`}
          disabled={waits}
          onClick={onClick}
        >
          {label}
        </Button>
      )}
    </FileButton>
  );
}

interface DocumentMenuProps {
  readonly document: SupportingDocument;
  readonly upload: FileUpload;
  readonly actions: DocumentActions;
  readonly tag: string;
}

function DocumentMenu({ document, upload, actions: { onUpload, onDelete }, tag }: DocumentMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon data-document-action={document.typeId} data-row-action aria-label={`Options for ${document.type}`}>
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={paths.viewDocument(tag)}
          target="_blank"
          rel="noopener"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          View
        </Menu.Item>
        <Menu.Item
          leftSection={<IconReplace size={16} aria-hidden />}
          onClick={() => {
            upload.forget();
            onUpload(document);
          }}
        >
          Replace
        </Menu.Item>
        {onDelete && (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => onDelete(document)}
          >
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function ViewIcon({ document: { documentTag, type } }: Pick<ShownProps, 'document'>) {
  if (documentTag === undefined) return <span className={classes.none}>-</span>;
  return (
    <ActionIcon
      component="a"
      href={paths.viewDocument(documentTag)}
      target="_blank"
      rel="noopener"
      aria-label={`View ${type}`}
    >
      <IconExternalLink size={18} aria-hidden />
    </ActionIcon>
  );
}
