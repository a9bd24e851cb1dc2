import { ActionIcon, Anchor, Menu, Skeleton, Table, Text } from '@mantine/core';
import {
  IconCircleCheckFilled,
  IconDotsVertical,
  IconExternalLink,
  IconReplace,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { ROWS_WITHOUT_FOOTER } from '#contract/product.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { formatFileSize } from '#web/applications/upload/chosen-file.ts';
import { fetchPhotoShrinking } from '#web/applications/upload/photo-shrinking.ts';
import { paths } from '#web/paths.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { useDocuments } from './documents.api.ts';
import classes from './documents-table.module.css';

/** Six kinds of document existed when this was written; the skeleton reserves room for them. */
const EXPECTED_ROWS = 6;

interface DocumentsTableProps {
  /** Undefined until the invoice is saved. Until then its documents are listed without actions. */
  readonly invoiceTag: string | undefined;
  /** Missing where documents can only be viewed. */
  readonly actions?: DocumentActions | undefined;
}

/** The actions on documents. */
interface DocumentActions {
  readonly onUpload: (document: SupportingDocument) => void;
  /** Missing where documents can be added and replaced but not deleted. */
  readonly onDelete?: (document: SupportingDocument) => void;
  /** Which documents can be changed; missing where all of them can. */
  readonly isOpen?: (document: SupportingDocument) => boolean;
}

/** 'Supporting Documents': number, document type and actions (docs/specification-coverage.md, 2). */
export function DocumentsTable({ invoiceTag, actions }: DocumentsTableProps) {
  const documents = useDocuments(invoiceTag);
  const types = useCall(referenceEndpoints.documentTypes, {
    staleTime: Number.POSITIVE_INFINITY,
    enabled: invoiceTag === undefined,
  });
  const asked = invoiceTag === undefined ? types : documents;
  // A new draft's list stays until its own documents have loaded, so that nothing moves. For a different invoice the
  // old list would be wrong.
  const [wasNew] = useState(invoiceTag === undefined);
  const listed: readonly SupportingDocument[] | undefined = documents.data ?? (wasNew ? types.data : undefined);
  const isOpen = actions !== undefined;
  useEffect(() => {
    if (isOpen) fetchPhotoShrinking();
  }, [isOpen]);
  if (asked.isError && asked.data === undefined) return <NotLoaded what="The documents" query={asked} />;
  const rows = listed
    ?.map((document) => ({ document, actions: actions?.isOpen?.(document) === false ? undefined : actions }))
    // Where nothing can be added, a missing optional document needs no row.
    .filter((row) => row.document.documentTag !== undefined || row.document.mandatory || row.actions !== undefined);
  const headings = (
    <Table.Tr>
      <Table.Th className={classes.number}>No.</Table.Th>
      <Table.Th>Document type</Table.Th>
      <Table.Th className={classes.action}>{actions ? 'Action' : 'File'}</Table.Th>
    </Table.Tr>
  );
  return (
    <Table className={classes.table} aria-busy={asked.isPending}>
      <Table.Thead>{headings}</Table.Thead>
      <Table.Tbody>
        {rows?.map((row, index) => (
          <DocumentRow key={row.document.typeId} number={index + 1} waits={documents.data === undefined} {...row} />
        )) ?? <SkeletonRows />}
      </Table.Tbody>
      {(rows?.length ?? EXPECTED_ROWS) > ROWS_WITHOUT_FOOTER && <Table.Tfoot>{headings}</Table.Tfoot>}
    </Table>
  );
}

interface DocumentRowProps {
  readonly number: number;
  readonly document: SupportingDocument;
  readonly actions: DocumentActions | undefined;
  /** There is no invoice yet to upload documents to. */
  readonly waits: boolean;
}

function DocumentRow({ number, waits, document, actions }: DocumentRowProps) {
  return (
    <Table.Tr className={waits ? classes.waits : undefined}>
      <Table.Td className={classes.number}>{number}</Table.Td>
      <Table.Td>
        <TypeLink document={document} actions={waits ? undefined : actions} />
        <Text size="xs" c="dimmed" className={classes.detail}>
          {describe(document)}
        </Text>
        {document.note !== undefined && (
          <Text size="xs" className={classes.detail}>
            {document.note}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.action}>
        <RowAction document={document} actions={actions} waits={waits} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Opens the document in a new tab, or the upload if there is no document. */
function TypeLink({ document, actions }: Pick<DocumentRowProps, 'document' | 'actions'>) {
  if (document.documentTag !== undefined)
    return (
      <Anchor href={paths.viewDocument(document.documentTag)} target="_blank" rel="noopener" className={classes.type}>
        <IconCircleCheckFilled size={16} className={classes.there} role="img" aria-label="Uploaded:" />
        {document.type}
      </Anchor>
    );
  if (actions === undefined) return <Text className={classes.type}>{document.type}</Text>;
  return (
    <Anchor component="button" type="button" className={classes.type} onClick={() => actions.onUpload(document)}>
      {document.type}
    </Anchor>
  );
}

function describe({ documentTag, fileName, size, mandatory }: SupportingDocument): string {
  const file = [fileName, size === undefined ? undefined : formatFileSize(size)].filter((part) => part !== undefined);
  if (documentTag !== undefined) return file.join(' · ');
  return mandatory ? 'Required' : 'Optional';
}

/** Focuses a row's button when a dialog about that row closes; by then it may be a different button. */
export function focusRow(typeId: number): void {
  document.querySelector<HTMLElement>(`[data-document-action="${typeId}"]`)?.focus();
}

function RowAction({ document, actions, waits }: Omit<DocumentRowProps, 'number'>) {
  const { documentTag, type } = document;
  if (actions === undefined) {
    if (documentTag === undefined) return <span className={classes.none}>-</span>;
    return <ViewIcon tag={documentTag} type={type} />;
  }
  const { onDelete } = actions;
  if (documentTag === undefined)
    return (
      <ActionIcon
        data-document-action={document.typeId}
        variant="light"
        color="blue"
        aria-label={`Upload ${type}`}
        disabled={waits}
        onClick={() => actions.onUpload(document)}
      >
        <IconUpload size={18} aria-hidden />
      </ActionIcon>
    );
  return (
    <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon data-document-action={document.typeId} aria-label={`Options for ${type}`}>
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={paths.viewDocument(documentTag)}
          target="_blank"
          rel="noopener"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          View
        </Menu.Item>
        <Menu.Item leftSection={<IconReplace size={16} aria-hidden />} onClick={() => actions.onUpload(document)}>
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

function ViewIcon({ tag, type }: { readonly tag: string; readonly type: string }) {
  return (
    <ActionIcon component="a" href={paths.viewDocument(tag)} target="_blank" rel="noopener" aria-label={`View ${type}`}>
      <IconExternalLink size={18} aria-hidden />
    </ActionIcon>
  );
}

function SkeletonRows() {
  return Array.from({ length: EXPECTED_ROWS }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never move.
    <Table.Tr key={index}>
      <Table.Td className={classes.number}>{index + 1}</Table.Td>
      <Table.Td>
        <Skeleton height={14} width="55%" my={4} />
        <Skeleton height={10} width="25%" my={4} />
      </Table.Td>
      <Table.Td className={classes.action}>
        <Skeleton height={34} width={34} ml="auto" />
      </Table.Td>
    </Table.Tr>
  ));
}
