import { Alert, Box, Button, Card, Group, Pagination, ScrollArea, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { PAGE_SIZE } from '#contract/product.ts';
import classes from '#web/ui/data-table.module.css';

/** A column of a table; on a phone the same data is a card. */
export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** Where it stands on a phone's card: the name on top, the largest figure, a line (the default), an action, or nowhere. */
  readonly onPhone?: 'title' | 'figure' | 'status' | 'line' | 'action' | 'hidden';
}

interface DataTableProps<Row> {
  /** What the table is called by a screen reader. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** All rows there are; undefined while unknown. */
  readonly total: number | undefined;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** One sentence, and the one thing to do. */
  readonly empty: ReactNode;
  readonly failed: boolean;
  readonly onRetry: () => void;
}

/** The header stands again below a table of more than this many rows (specification, section 9). */
const ROWS_WITHOUT_FOOTER = 5;
/** Below Mantine's `sm` the rows become cards. */
const PHONE = '(max-width: 47.99em)';

/** Every list of the application: a table, or cards on a phone, in its four states, with pages below. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  if (props.failed && props.rows === undefined) return <FailedList label={props.label} onRetry={props.onRetry} />;
  if (props.rows?.length === 0 && props.page === 1) return <Box className={classes.empty}>{props.empty}</Box>;
  return (
    <Stack gap="sm">
      {phone ? <Cards {...props} /> : <Rows {...props} />}
      <Pages {...props} />
    </Stack>
  );
}

function FailedList({ label, onRetry }: { readonly label: string; readonly onRetry: () => void }) {
  return (
    <Alert color="red" title={`${label} could not be loaded`} role="alert">
      <Group justify="space-between">
        <Text size="sm">Check your connection, then try again.</Text>
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}

function Rows<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  const header = (
    <Table.Tr>
      {columns.map((column) => (
        <Table.Th key={column.key} data-numeric={column.numeric} scope="col">
          {column.header}
        </Table.Th>
      ))}
    </Table.Tr>
  );
  return (
    <ScrollArea
      type="auto"
      className={classes.frame}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <Table
        highlightOnHover
        verticalSpacing="sm"
        horizontalSpacing="md"
        className={classes.table}
        aria-busy={rows === undefined}
      >
        <Table.Thead>{header}</Table.Thead>
        <Table.Tbody>
          {rows === undefined ? (
            <SkeletonRows columns={columns.length} />
          ) : (
            rows.map((row) => (
              <Table.Tr key={rowKey(row)}>
                {columns.map((column) => (
                  <Table.Td key={column.key} data-numeric={column.numeric}>
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))
          )}
        </Table.Tbody>
        {rows !== undefined && rows.length > ROWS_WITHOUT_FOOTER && <Table.Tfoot>{header}</Table.Tfoot>}
      </Table>
    </ScrollArea>
  );
}

const placeholders = Array.from({ length: PAGE_SIZE }, (_, index) => index);

function SkeletonRows({ columns }: { readonly columns: number }) {
  return placeholders.map((row) => (
    <Table.Tr key={row}>
      <Table.Td colSpan={columns}>
        <Skeleton height={22} my={1} />
      </Table.Td>
    </Table.Tr>
  ));
}

function Cards<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  if (rows === undefined) {
    return (
      <Stack gap="sm" aria-busy>
        {placeholders.slice(0, 4).map((row) => (
          <Skeleton key={row} height={128} radius="md" />
        ))}
      </Stack>
    );
  }
  return (
    <Stack component="ul" gap="sm" className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <Card component="li" withBorder padding="md" key={rowKey(row)}>
          <CardOf row={row} columns={columns} />
        </Card>
      ))}
    </Stack>
  );
}

function CardOf<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  const at = (place: Column<Row>['onPhone']) => columns.filter((column) => (column.onPhone ?? 'line') === place);
  const cell = (column: Column<Row>) => <span key={column.key}>{column.cell(row)}</span>;
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box className={classes.title}>{at('title').map(cell)}</Box>
        {at('status').map(cell)}
      </Group>
      {at('figure').map((column) => (
        <Box key={column.key} className={classes.figure}>
          {column.cell(row)}
          <Text size="xs" c="dimmed">
            {column.header}
          </Text>
        </Box>
      ))}
      <dl className={classes.lines}>
        {at('line').map((column) => (
          <div key={column.key}>
            <dt>{column.header}</dt>
            <dd>{column.cell(row)}</dd>
          </div>
        ))}
      </dl>
      {at('action').length > 0 && <Group justify="flex-end">{at('action').map(cell)}</Group>}
    </Stack>
  );
}

function Pages<Row>({ label, total, page, onPage }: DataTableProps<Row>) {
  const pages = Math.ceil((total ?? 0) / PAGE_SIZE);
  if (pages < 2) return null;
  return (
    <Group justify="space-between" component="nav" aria-label={`Pages of ${label}`}>
      <Text size="sm" c="dimmed">
        {total?.toLocaleString('en')} in all
      </Text>
      <Pagination
        total={pages}
        value={page}
        onChange={onPage}
        siblings={1}
        boundaries={1}
        getControlProps={(control) => ({ 'aria-label': `${control[0]?.toUpperCase()}${control.slice(1)} page` })}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
      />
    </Group>
  );
}
