import { Group, Skeleton, Title } from '@mantine/core';
import { type ReactNode, type RefObject, useId } from 'react';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { Overdue } from '#contract/payments/overdue.ts';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { StatusPill } from '#web/ui/text/status-pill.tsx';
import classes from './application-screen.module.css';

interface ScreenLayoutProps {
  /** What the number belongs to; left out on a phone, whose heading has no room for it. */
  readonly kind?: string;
  readonly title: string;
  readonly status: Status | undefined;
  /** The overdue amount, in its currency. */
  readonly overdue?: Overdue | null | undefined;
  readonly currency?: string | undefined;
  /** Beside the heading: the state of saving. */
  readonly aside?: ReactNode;
  /** At the end of the heading: where the floating menu starts. */
  readonly menu?: ReactNode;
  /** Above the cards: decisions that come first. */
  readonly notice?: ReactNode;
  readonly headingRef?: RefObject<HTMLHeadingElement | null>;
  readonly children: ReactNode;
}

/** The heading with number and status, which stays in view, and the two cards below it. */
export function ScreenLayout(props: ScreenLayoutProps) {
  const { kind, title, status, overdue, currency, aside, menu, notice, headingRef, children } = props;
  return (
    <div className={classes.screen}>
      <PageTitle title={kind === undefined ? title : `${kind} ${title}`} />
      <header className={classes.heading}>
        <Group gap="xs" wrap={overdue ? 'wrap' : 'nowrap'} miw={0} className={classes.headingTitle}>
          <Title order={1} className={classes.title} ref={headingRef} tabIndex={-1}>
            {kind !== undefined && <span className={classes.titleKind}>{`${kind} `}</span>}
            {title}
          </Title>
          {status !== undefined && <StatusPill status={status} overdue={overdue} currency={currency} />}
        </Group>
        {aside !== undefined && <div className={classes.headingAside}>{aside}</div>}
        {menu !== undefined && <div className={classes.headingMenu}>{menu}</div>}
      </header>
      {notice}
      <div className={classes.cards}>{children}</div>
    </div>
  );
}

/** A heading inside a card. */
export function SubSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.subSection}>
      <Title order={3} id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}

/**
 * The screen before its invoice has arrived, in the final layout. It often shows only for a moment, so it has few
 * elements; each of Mantine's skeletons would be a component with its own layer.
 */
export function LoadingScreen() {
  return (
    <div className={classes.screen} aria-busy>
      <PageTitle title="Invoice" />
      <div className={classes.heading}>
        <Skeleton height={28} width={220} maw="100%" className={classes.headingTitle} />
        <Skeleton height={16} width={90} className={classes.headingAside} />
      </div>
      <div className={classes.cards}>
        <SectionCard title="Invoice Details" className={classes.invoiceCard}>
          <LoadingFields count={5} />
        </SectionCard>
        <SectionCard title="Application Detail" className={classes.applicationCard}>
          <LoadingFields count={8} />
          <Skeleton height={480} />
        </SectionCard>
      </div>
    </div>
  );
}

function LoadingFields({ count }: { readonly count: number }) {
  return (
    <div className={classes.loadingFields}>
      {Array.from({ length: count }, (_, field) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items are identical and never move.
        <div key={field} className={classes.loadingField} />
      ))}
    </div>
  );
}
