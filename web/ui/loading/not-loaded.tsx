import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** The part of a query that its placeholder needs. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly isError: boolean;
  readonly error: Error | null;
  readonly isFetching?: boolean;
  readonly refetch: () => unknown;
}

interface NotLoadedProps {
  /** The name of the data that is missing: 'The payments'. */
  readonly what: string;
  readonly query: Pick<Asked<unknown>, 'error' | 'isFetching' | 'refetch'> & { readonly data?: unknown };
  /** Shown instead of the query's own error. */
  readonly why?: string;
}

/** Says which data did not load or refresh and why, with a button to load it again. */
export function NotLoaded({ what, query, why = query.error?.message }: NotLoadedProps) {
  return (
    <Alert color="red" variant="light" title={`${what} did not ${query.data === undefined ? 'load' : 'refresh'}`}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{why}</Text>
        <Button variant="default" size="sm" loading={query.isFetching === true} onClick={() => void query.refetch()}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}

interface LoadedProps<T> extends Pick<NotLoadedProps, 'what'> {
  readonly query: Asked<T>;
  /** The height of the data in pixels; no placeholder if it is 0. */
  readonly height: number;
  readonly children: (data: T) => ReactNode;
}

/** Renders a query's data with `children`, once there is some. */
export function Loaded<T>({ what, query, height, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <NotLoaded what={what} query={query} />;
  return height === 0 ? null : <Skeleton height={height} />;
}
