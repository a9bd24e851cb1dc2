import { Skeleton, Table } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { counted } from '#contract/counts.ts';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import { ROWS_WITHOUT_FOOTER } from '#contract/product.ts';
import { fetchPhotoShrinking } from '#web/applications/upload/photo-shrinking.ts';
import { notices, notify } from '#web/notices.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { type DocumentActions, DocumentRow, type RowHandle } from './document-row.tsx';
import { useListedDocuments } from './documents.api.ts';
import classes from './documents-table.module.css';
import { shareOut } from './share-out.ts';

/** Six kinds of document existed when this was written; the skeleton reserves room for them. */
const EXPECTED_ROWS = 6;

interface DocumentsTableProps {
  /** Undefined until the invoice is saved. Until then its documents are listed without actions. */
  readonly invoiceTag: string | undefined;
  /** Missing where documents can only be viewed. */
  readonly actions?: DocumentActions | undefined;
}

/** 'Supporting Documents': number, document type and actions (docs/specification-coverage.md, 2). */
export function DocumentsTable({ invoiceTag, actions }: DocumentsTableProps) {
  const { listed, isOwn, query } = useListedDocuments(invoiceTag);
  const handles = useRef(new Map<number, RowHandle>());
  const isOpen = actions !== undefined;
  useEffect(() => {
    if (isOpen) fetchPhotoShrinking();
  }, [isOpen]);
  if (query.isError && query.data === undefined) return <NotLoaded what="The documents" query={query} />;
  const rows = listed
    ?.map((document) => ({ document, actions: actions?.isOpen?.(document) === false ? undefined : actions }))
    // Where nothing can be added, a missing optional document needs no row.
    .filter((row) => row.document.documentTag !== undefined || row.document.mandatory || row.actions !== undefined);

  function onFiles(files: readonly File[], { typeId }: SupportingDocument): void {
    const lines = rows?.map(({ document }) => document.typeId) ?? [];
    const { shared, left } = shareOut(files, lines, {
      from: typeId,
      isFree: (line) => handles.current.get(line)?.isFree === true,
    });
    for (const [line, file] of shared) handles.current.get(line)?.take(file);
    if (left > 0) notify(notices.actionFailed(`${counted(left, 'file')} not uploaded: each line takes one file`));
  }

  const headings = (
    <Table.Tr>
      <Table.Th className={classes.number}>No.</Table.Th>
      <Table.Th>Document type</Table.Th>
      <Table.Th className={classes.action}>{actions ? 'Action' : 'File'}</Table.Th>
    </Table.Tr>
  );
  return (
    <Table className={classes.table} aria-busy={query.isPending}>
      <Table.Thead>{headings}</Table.Thead>
      <Table.Tbody>
        {rows?.map((row, index) => (
          <DocumentRow
            key={row.document.typeId}
            ref={(handle) => {
              if (handle !== null) handles.current.set(row.document.typeId, handle);
            }}
            number={index + 1}
            invoiceTag={isOwn ? invoiceTag : undefined}
            onFiles={onFiles}
            {...row}
          />
        )) ?? <SkeletonRows />}
      </Table.Tbody>
      {(rows?.length ?? EXPECTED_ROWS) > ROWS_WITHOUT_FOOTER && <Table.Tfoot>{headings}</Table.Tfoot>}
    </Table>
  );
}

function SkeletonRows() {
  return Array.from({ length: EXPECTED_ROWS }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never move.
    <Table.Tr key={index}>
      <Table.Td className={classes.number}>{index + 1}</Table.Td>
      <Table.Td>
        <Skeleton height={14} width="55%" my="xxs" />
        <Skeleton height={10} width="25%" my="xxs" />
      </Table.Td>
      <Table.Td className={classes.action}>
        <Skeleton height={34} width={34} ml="auto" />
      </Table.Td>
    </Table.Tr>
  ));
}
