import { Card } from '@mantine/core';
import type { ReactNode } from 'react';
import { FactList, type ListedFact } from '#web/ui/text/fact-list.tsx';
import classes from './list-card.module.css';

interface ListCardProps {
  /** The row's name. A link in it covers the whole card. */
  readonly title: ReactNode;
  readonly badge?: ReactNode;
  /** The amount, the largest thing on the card, and its meaning. */
  readonly figure?: { readonly value: ReactNode; readonly caption: ReactNode };
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
