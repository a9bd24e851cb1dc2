import { Button, Group, Text } from '@mantine/core';

interface ListPagesProps {
  readonly rows: readonly { readonly tag: string }[];
  readonly hasMore: boolean;
  readonly total: number;
  readonly isFirst: boolean;
  /** The order in words, such as 'the oldest first'. */
  readonly order: string;
  /** Shows the rows after that one, or from the start if undefined. */
  readonly onPage: (after: string | undefined) => void;
}

/** How many rows of a long list are shown, with links to the rest. */
export function ListPages({ rows, hasMore, total, isFirst, order, onPage }: ListPagesProps) {
  if (!hasMore && isFirst) return null;
  return (
    <Group gap="sm" mt="xs">
      <Text size="sm">
        Showing {rows.length} of {total}, {order}.
      </Text>
      {!isFirst && (
        <Button size="sm" variant="default" onClick={() => onPage(undefined)}>
          Show the first ones
        </Button>
      )}
      {hasMore && (
        <Button size="sm" variant="default" onClick={() => onPage(rows.at(-1)?.tag)}>
          Show the next ones
        </Button>
      )}
    </Group>
  );
}
