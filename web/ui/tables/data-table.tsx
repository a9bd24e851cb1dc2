import { Button, Card, Skeleton, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { formatCount } from '#contract/counts.ts';
import { PAGE_SIZE, ROWS_WITHOUT_FOOTER } from '#contract/product.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { useLater } from '#web/ui/loading/later.tsx';
import { LoadingLine } from '#web/ui/loading/loading-line.tsx';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import classes from './data-table.module.css';
import { RowCard } from './list-card.tsx';
import { Pages } from './pages.tsx';
import type { ListState, Sorting } from './url-state.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  /** null is shown as '-' in a table, and left out on a card. */
  readonly cell: (row: Row) => ReactNode;
  /** The column holds the row's name, and is its header. */
  readonly isName?: boolean;
  readonly isNumeric?: boolean;
  /** The main figure of a row. */
  readonly isStrong?: boolean;
  /** The actions on a row, which stay in sight. */
  readonly isActions?: boolean;
  /** On a card it is beside the name. */
  readonly isBadge?: boolean;
  /** If space is short, its text is cut off rather than wrapped; the tooltip shows all of it. */
  readonly shrinks?: boolean;
  /** Present if the list can be sorted by this column. */
  readonly sort?: ColumnSort;
}

/**
 * How a list is sorted by a column: its name in the server's call, and both orders in words, such as 'newest first'.
 */
interface ColumnSort {
  readonly key: string;
  readonly ascending: string;
  readonly descending: string;
}

/** The first row of a page carries the total number of rows. */
interface Counted {
  readonly total?: number | undefined;
}

/** The part of a list's query that a table needs. */
interface ListQuery<Row> {
  readonly data: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  /** The previous rows are shown while the new ones load. */
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

interface DataTableProps<Row extends Counted> {
  /** The table's name for screen readers. */
  readonly label: string;
  readonly query: ListQuery<Row>;
  readonly columns: readonly Column<Row>[];
  /** A row on a narrow screen; by default a card with the columns. */
  readonly card?: (row: Row) => ReactNode;
  /** The actions on a row: as icons in the last column, as labelled buttons on a card. */
  readonly actions?: { readonly icons: (row: Row) => ReactNode; readonly buttons: (row: Row) => ReactNode };
  readonly rowKey: (row: Row) => string;
  readonly list: Pick<ListState, 'page' | 'setPage'>;
  readonly sorting?: Sorting;
  /** One sentence, and one thing to do. */
  readonly empty: ReactNode;
}

interface ShownProps<Row extends Counted> extends DataTableProps<Row> {
  readonly question: number;
  /** All cards, not only those that may be in view at first. */
  readonly all: boolean;
}

/** On a screen narrower than 900 px the rows become cards. */
const CARDS = '(max-width: 56.24em)';

/** Every list in the application: a table, or cards on a narrow screen, in its four states, with pages below. */
export function DataTable<Row extends Counted>(props: DataTableProps<Row>) {
  const { label, query } = props;
  const { page, setPage } = props.list;
  const asCards = useMediaQuery(CARDS, undefined, { getInitialValueInEffect: false }) === true;
  const all = useLater();
  const top = useRef<HTMLDivElement>(null);
  const shown = { ...props, all, question: useQuestion(query.isPlaceholderData) };
  const rows = query.data;
  const total = rows?.[0]?.total;
  const isEmpty = rows?.length === 0;
  const turnTo = (next: number): void => {
    // After a page turn below a long list, scrolls to the beginning of the new page.
    if (top.current !== null && top.current.getBoundingClientRect().top < 0) top.current.scrollIntoView();
    setPage(next);
  };
  return (
    <div
      ref={top}
      className={classes.list}
      aria-busy={query.isFetching && (rows === undefined || query.isPlaceholderData)}
    >
      {query.error !== null && <NotLoaded what={props.label} query={query} />}
      {query.isPlaceholderData && <LoadingLine along="parent" />}
      {isEmpty || (rows === undefined && query.error !== null) ? null : (
        <div className={classes.rows} data-old={query.isPlaceholderData || undefined}>
          {asCards && <SortSelect {...props} />}
          {asCards ? <Cards {...shown} /> : <Rows {...shown} />}
        </div>
      )}
      {/* Always present, so that a screen reader announces the result of a search or page turn. */}
      <VisuallyHidden role="status">
        {isEmpty && `${label}: none`}
        {total !== undefined && `${label}: ${rangeOf(page, total)}`}
      </VisuallyHidden>
      {isEmpty && (
        <div className={classes.empty}>
          {page === 1 ? props.empty : <PastTheEnd page={page} onFirst={() => turnTo(1)} />}
        </div>
      )}
      {total !== undefined && (all || !asCards) && (
        // For a list of another length the footer is a new element, like the rows; but the page buttons keep the focus.
        <div key={total > PAGE_SIZE ? 'pages' : total} className={classes.foot}>
          <div className={classes.range}>{rangeOf(page, total)}</div>
          <Pages label={label} total={total} page={page} onPage={turnTo} />
        </div>
      )}
    </div>
  );
}

/**
 * Counts the replies to different requests: another search, order or page. Their rows become new elements, because a
 * row that stays in the list and jumps makes a reader lose their place, and counts as a layout shift.
 */
function useQuestion(isOld: boolean): number {
  const [seen, setSeen] = useState({ isOld, question: 0 });
  const question = seen.question + (seen.isOld && !isOld ? 1 : 0);
  if (seen.isOld !== isOld) setSeen({ isOld, question });
  return question;
}

function rangeOf(page: number, total: number): string {
  if (total <= PAGE_SIZE) return `${formatCount(total)} in all`;
  const first = (page - 1) * PAGE_SIZE + 1;
  const last = Math.min(page * PAGE_SIZE, total);
  return `${formatCount(first)}–${formatCount(last)} of ${formatCount(total)}`;
}

function PastTheEnd({ page, onFirst }: { readonly page: number; readonly onFirst: () => void }) {
  return (
    <>
      <Text>There is no page {page} any more.</Text>
      <Button variant="default" onClick={onFirst}>
        Go to the first page
      </Button>
    </>
  );
}

/** Whether the table is wider than its frame, updated as either changes. */
function useSidewaysOverflow() {
  const [overflows, setOverflows] = useState(false);
  const frame = useCallback((element: HTMLElement | null) => {
    const table = element?.firstElementChild;
    if (!element || !table) return undefined;
    // Not from the frame's own scroll width: while the frame does not scroll, it cuts off the excess.
    const measure = () => setOverflows(table.getBoundingClientRect().width > element.clientWidth + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return { frame, overflows };
}

interface HeaderProps<Row> {
  readonly columns: readonly Column<Row>[];
  /** Absent in the footer, which only repeats the words. */
  readonly sorting?: Sorting | undefined;
}

/** The column headings above or below a table. */
export function Header<Row>({ columns, sorting }: HeaderProps<Row>) {
  return (
    <Table.Tr>
      {columns.map(({ key, header, sort, isName, isNumeric, isActions }) => (
        <Table.Th
          key={key}
          data-numeric={isNumeric}
          data-actions={isActions}
          scope="col"
          aria-sort={sort === undefined ? undefined : ariaSortOf(sort, sorting)}
        >
          {sort === undefined || sorting === undefined ? (
            header
          ) : (
            <UnstyledButton
              className={classes.sort}
              onClick={() => sorting.setSort(nextSort(sort, sorting, isName === true))}
            >
              {header}
            </UnstyledButton>
          )}
        </Table.Th>
      ))}
    </Table.Tr>
  );
}

function ariaSortOf({ key }: ColumnSort, sorting: Sorting | undefined) {
  if (sorting?.by === key) return 'ascending';
  return sorting?.by === `-${key}` ? 'descending' : undefined;
}

/**
 * The next order: names start from A, counts and dates from the largest or latest; then the reverse, then the usual
 * order.
 */
function nextSort({ key }: ColumnSort, { by, usual }: Sorting, fromLowest: boolean): string | null {
  const [first, second] = fromLowest ? [key, `-${key}`] : [`-${key}`, key];
  if (by === first) return second;
  return by === second ? usual : first;
}

/** An order that no column has. */
const USUAL = 'usual';

/** The sorting choices of the header, for cards, which have none. */
function SortSelect<Row extends Counted>({ label, columns, sorting }: DataTableProps<Row>) {
  if (sorting === undefined) return null;
  const options = columns.flatMap(({ header, sort }) =>
    sort === undefined
      ? []
      : [
          { value: `-${sort.key}`, label: `${header}, ${sort.descending}` },
          { value: sort.key, label: `${header}, ${sort.ascending}` },
        ],
  );
  return (
    <Select
      className={classes.sortSelect}
      aria-label={`Sort ${label}`}
      data={sorting.usual === null ? [{ value: USUAL, label: 'Usual order' }, ...options] : options}
      value={sorting.by ?? USUAL}
      allowDeselect={false}
      onChange={(chosen) => sorting.setSort(chosen === USUAL ? null : chosen)}
    />
  );
}

function Rows<Row extends Counted>(props: ShownProps<Row>) {
  const { label, actions, query, rowKey, sorting, question } = props;
  const ofActions = actions && {
    key: 'actions',
    header: 'Actions',
    isNumeric: true,
    isActions: true,
    cell: actions.icons,
  };
  const columns = ofActions === undefined ? props.columns : [...props.columns, ofActions];
  const { frame, overflows } = useSidewaysOverflow();
  const rows = query.data;
  // The header sticks to the window's top only if the frame does not scroll by itself.
  const scrolling = { 'data-scrolls': true, tabIndex: 0, role: 'group', 'aria-label': `${label}, scrolls sideways` };
  return (
    <div ref={frame} className={classes.frame} {...(overflows ? scrolling : {})}>
      <Table
        highlightOnHover
        stickyHeader={!overflows}
        stickyHeaderOffset="var(--kasente-header-height)"
        className={classes.table}
        aria-label={label}
      >
        <Table.Thead>
          <Header columns={columns} sorting={sorting} />
        </Table.Thead>
        <Table.Tbody key={question}>
          {rows === undefined ? (
            <SkeletonRows columns={columns} />
          ) : (
            rows.map((row) => (
              <Table.Tr key={rowKey(row)}>
                {columns.map((column) => (
                  <Cell key={column.key} column={column} content={column.cell(row)} />
                ))}
              </Table.Tr>
            ))
          )}
        </Table.Tbody>
        {rows !== undefined && rows.length > ROWS_WITHOUT_FOOTER && (
          <Table.Tfoot>
            <Header columns={columns} />
          </Table.Tfoot>
        )}
      </Table>
    </div>
  );
}

/** Text up to this length fits even in a column that shrinks. */
const NEVER_CUT = 15;

/** A column's content in one row. */
export function Cell<Row>({ column, content }: { readonly column: Column<Row>; readonly content: ReactNode }) {
  const fits = typeof content === 'string' && content.length <= NEVER_CUT;
  const shown =
    column.shrinks && !fits && content !== null ? (
      <div className={classes.shrinks} title={typeof content === 'string' ? content : undefined}>
        {content}
      </div>
    ) : (
      (content ?? '-')
    );
  if (column.isName) return <Table.Th scope="row">{shown}</Table.Th>;
  return (
    <Table.Td data-numeric={column.isNumeric} data-strong={column.isStrong} data-actions={column.isActions}>
      {shown}
    </Table.Td>
  );
}

const placeholders = Array.from({ length: PAGE_SIZE }, (_, index) => index);
/** At most this many are in view on a phone, whatever is above the list. */
const CARDS_IN_SIGHT = 4;

function SkeletonRows<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return placeholders.map((row) => (
    <Table.Tr key={row}>
      {columns.map((column) => (
        <Table.Td key={column.key}>
          <Skeleton height={12} my="xxs" miw={column.shrinks ? 96 : 40} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

function Cards<Row extends Counted>({
  label,
  query,
  columns,
  actions,
  rowKey,
  question,
  all,
  ...given
}: ShownProps<Row>) {
  const { card = (row) => <RowCard row={row} columns={columns} actions={actions?.buttons(row)} /> } = given;
  if (query.data === undefined) {
    return (
      <div className={classes.cards}>
        {placeholders.slice(0, CARDS_IN_SIGHT).map((row) => (
          <Card key={row} padding="md">
            <Skeleton height={16} my="xxs" width="35%" />
            <Skeleton height={20} mt="sm" width="60%" />
            <Skeleton height={12} mt="sm" width="80%" />
            <Skeleton height={12} mt="sm" width="70%" />
          </Card>
        ))}
      </div>
    );
  }
  return (
    <ul key={question} className={classes.cards} aria-label={label}>
      {(all ? query.data : query.data.slice(0, CARDS_IN_SIGHT)).map((row) => (
        <li key={rowKey(row)}>{card(row)}</li>
      ))}
    </ul>
  );
}
