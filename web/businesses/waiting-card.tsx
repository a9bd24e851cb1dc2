import { Pagination } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PAGE_SIZE } from '#contract/product.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { SectionCard } from '#web/ui/text/section-card.tsx';

type Rows<Row> = UseQueryResult<readonly Row[]>;

/** A list and the page shown; if that page has become empty, goes back to the one before. */
export function usePages<Row extends { readonly total?: number | undefined }>(useRows: (page: number) => Rows<Row>) {
  const [page, setPage] = useState(1);
  const query = useRows(page);
  if (query.data?.length === 0 && page > 1 && query.isSuccess && !query.isPlaceholderData) setPage(page - 1);
  return { query, pages: { page, setPage, total: query.data?.[0]?.total ?? 0 } };
}

interface WaitingCardProps<Row> {
  readonly title: string;
  /** The anchor under which an address finds the card. */
  readonly headingId?: string;
  /** The name of the data, for when it is missing: 'The buyers to add'. */
  readonly what: string;
  readonly query: Rows<Row>;
  readonly pages?: ReturnType<typeof usePages>['pages'];
  readonly pagesLabel?: string;
  readonly children: (row: Row) => ReactNode;
}

/** Rows that wait for an officer; nothing if there are none. */
export function WaitingCard<Row>(props: WaitingCardProps<Row>) {
  const { title, what, query, pages, pagesLabel, children, ...heading } = props;
  const rows = query.data ?? [];
  return (
    <>
      {query.isError && <NotLoaded what={what} query={query} />}
      {rows.length > 0 && (
        <SectionCard title={title} padding="md" gap={0} {...heading}>
          <ul className={ruled.list}>{rows.map(children)}</ul>
          {pages !== undefined && pages.total > PAGE_SIZE && (
            <Pagination
              total={Math.ceil(pages.total / PAGE_SIZE)}
              value={pages.page}
              onChange={pages.setPage}
              aria-label={pagesLabel}
            />
          )}
        </SectionCard>
      )}
    </>
  );
}
