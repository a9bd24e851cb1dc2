import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';
import { type Asked, NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { CHART_HEIGHT_PX } from './chart-or-table.tsx';
import classes from './figures.module.css';
import type { useFiguresView } from './figures-view.ts';

export interface FiguresBlockProps {
  readonly title: string;
  readonly query: Pick<Asked<unknown>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  readonly isEmpty: boolean;
  /** Shown instead of the figures if there are none. */
  readonly empty: string;
  /** Shown on the heading's line. */
  readonly beside: ReactNode;
  /** `beside` is a button; space is reserved for it before the figures arrive. */
  readonly hasButton?: boolean;
  readonly ref: Ref<HTMLElement>;
  /** The figures, once loaded. */
  readonly children: ReactNode;
}

/** A block of figures on a dashboard: loading, failed, empty, or shown. */
export function FiguresBlock(props: FiguresBlockProps) {
  const { title, query, isEmpty, empty, beside, hasButton = false, ref, children } = props;
  const headingId = useId();
  return (
    <Card component="section" padding="lg" aria-labelledby={headingId} ref={ref}>
      <Stack gap="md">
        <Group
          justify="space-between"
          gap="sm"
          className={hasButton && !isEmpty && query.error === null ? classes.head : undefined}
        >
          <Title order={2} id={headingId}>
            {title}
          </Title>
          {beside}
        </Group>
        {query.error !== null && <NotLoaded what={`${title}: the figures`} query={query} />}
        {query.data === undefined && query.error === null && <Loading />}
        {isEmpty && <Text c="dimmed">{empty}</Text>}
        {children}
      </Stack>
    </Card>
  );
}

/** The placeholder for three figures and a chart. */
function Loading() {
  return (
    <div aria-busy>
      <div className={classes.totals}>
        {['one', 'two', 'three'].map((key) => (
          <div key={key}>
            <Skeleton height={12} my="xxs" width={120} />
            <Skeleton height={24} my="xxs" width={160} />
            <Skeleton height={12} my="xxs" width={90} />
          </div>
        ))}
      </div>
      <Skeleton height={CHART_HEIGHT_PX} mt="md" />
      <Skeleton height={12} mt="lg" mb="xxs" maw={420} />
    </div>
  );
}

/** Switches between a chart and the table with its figures. */
export function ChartOrTableButton({ view }: { readonly view: ReturnType<typeof useFiguresView> }) {
  return (
    <Button variant="default" px="md" onClick={() => view.showAsTable(!view.asTable)}>
      {view.asTable ? 'Show as chart' : 'Show as table'}
    </Button>
  );
}
