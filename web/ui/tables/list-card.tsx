import { Card } from '@mantine/core';
import type { ReactNode } from 'react';
import { FactList, type ListedFact } from '#web/ui/text/fact-list.tsx';
import type { Column } from './data-table.tsx';
import classes from './list-card.module.css';

interface ListCardProps {
  /** The row's name. A link in it covers the whole card. */
  readonly title: ReactNode;
  readonly badge?: ReactNode;
  /** The amount, the largest thing on the card, and its meaning. */
  readonly figure?: { readonly value: ReactNode; readonly caption: ReactNode } | undefined;
  readonly facts: readonly ListedFact[];
  /** Figures side by side. */
  readonly figures?: readonly ListedFact[];
  /** The row's actions, as labelled buttons. */
  readonly actions?: ReactNode;
}

/** A row of a list as a card, for narrow screens. */
export function ListCard({ title, badge, figure, facts, figures = [], actions }: ListCardProps) {
  return (
    <Card padding="md" className={classes.card}>
      <div className={classes.head}>
        <div className={classes.title}>{title}</div>
        {badge}
      </div>
      {figure !== undefined && (
        <div className={classes.figure}>
          <span className={classes.amount}>{figure.value}</span>{' '}
          <span className={classes.caption}>{figure.caption}</span>
        </div>
      )}
      <FactList facts={facts} className={classes.facts} />
      <FactList facts={figures} className={classes.figures} />
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </Card>
  );
}

interface RowCardProps<Row> extends Pick<ListCardProps, 'actions'> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
}

/** A row as a card with the columns of its table. */
export function RowCard<Row>({ row, columns, actions }: RowCardProps<Row>) {
  const name = columns.find(({ isName }) => isName);
  const badge = columns.find(({ isBadge }) => isBadge);
  const figure = columns.find(({ isStrong }) => isStrong);
  const others = columns.filter((column) => column !== name && column !== badge && column !== figure);
  return (
    <ListCard
      title={name?.cell(row)}
      badge={badge && <div>{badge.cell(row)}</div>}
      figure={figure && { value: figure.cell(row), caption: figure.header }}
      facts={others.map(({ header, cell }) => ({ label: header, value: cell(row) }))}
      actions={actions}
    />
  );
}
