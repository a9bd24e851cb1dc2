import { Anchor, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AttentionReply } from '#contract/applications/progress.ts';
import { sayMoment } from '#contract/calendar.ts';
import type { InvoiceRow } from '#contract/invoices/schema.ts';
import { useApplications } from '#web/applications/applications-list.api.ts';
import { useAttention } from '#web/applications/attention.api.ts';
import { firstPage } from '#web/dashboard/first-page.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { formatFormDate } from '#web/ui/dates.ts';

/** On a phone most of these lines are two; what comes below stays where it is when they arrive. */
const ROOM = { base: '3.2rem', xs: '1.6rem' } as const;

/**
 * One line of what matters now: what is under way and needs the client or is decided, else a draft to go on with, else
 * when the next advance is due. The drafts are those of the very page that My Applications begins with.
 */
export function WhatMattersNow({ businessTag }: { readonly businessTag: string }) {
  const attention = useAttention();
  const list = useApplications(firstPage(businessTag));
  const isWaiting = (attention.isPending && !attention.isError) || (list.data === undefined && !list.isError);
  return (
    <Text c="dimmed" component="div" mih={ROOM}>
      {isWaiting ? <Skeleton height={16} my={4} maw={320} /> : lineOf(attention.data?.application, list.data)}
    </Text>
  );
}

type UnderWay = NonNullable<AttentionReply['application']>;

function lineOf(underWay: UnderWay | null | undefined, rows: readonly InvoiceRow[] | undefined): ReactNode {
  const draft = newestDraft(rows ?? []);
  // What is due only in a while can wait for a draft.
  const canWait = underWay?.status === 'Disbursed' && !underWay.dueSoon;
  if (underWay && !(canWait && draft !== undefined)) return <UnderWayLine application={underWay} readAt={new Date()} />;
  if (draft !== undefined) return <DraftLine row={draft} />;
  return rows?.length === 0 ? 'Turn your first invoice into cash within hours.' : null;
}

/** The newest draft with money in it, else the newest. */
function newestDraft(rows: readonly InvoiceRow[]): InvoiceRow | undefined {
  const drafts = rows.filter(({ status }) => status === 'Draft');
  return drafts.find(({ amount_received }) => amount_received !== null) ?? drafts[0];
}

function NumberLink({ tag, children }: { readonly tag: string; readonly children: string }) {
  return (
    <Anchor component={Link} to={paths.application(tag)} inherit fw={600} underline="always">
      {children}
    </Anchor>
  );
}

function Money({ value, currency }: { readonly value: number | null; readonly currency: string }) {
  return (
    <Text span inherit fw={600} c="var(--mantine-color-text)" style={{ whiteSpace: 'nowrap' }}>
      <Amount value={value} currency={currency} />
    </Text>
  );
}

function DraftLine({ row }: { readonly row: InvoiceRow }) {
  const link = <NumberLink tag={row.tag}>{row.invoice_number}</NumberLink>;
  if (row.amount_received === null) return <>Go on with {link}: it is not submitted yet.</>;
  return (
    <>
      Submit {link} to receive <Money value={row.amount_received} currency={row.currency} />.
    </>
  );
}

function UnderWayLine({ application, readAt }: { readonly application: UnderWay; readonly readAt: Date }) {
  const { tag, invoiceNumber, status, currency, decideBy, missed, outstanding, dueOn, overdue } = application;
  const link = <NumberLink tag={tag}>{invoiceNumber}</NumberLink>;
  switch (status) {
    case 'Info Requested':
      return <>We need something from you for {link}: answer, and we go on.</>;
    case 'Approved':
      return (
        <>
          {link} is approved: <Money value={application.amountReceived} currency={currency} /> to you.
        </>
      );
    case 'Disbursed':
      return (
        <>
          {overdue ? 'Overdue: ' : ''}
          <Money value={outstanding} currency={currency} /> of {link} {overdue ? 'was' : 'is'} due on{' '}
          {formatFormDate(dueOn)}.
        </>
      );
    default:
      if (missed || decideBy === null) return <>{link} is being decided, later than we promised. We are sorry.</>;
      return (
        <>
          {link} is being decided, by {sayMoment(new Date(decideBy), readAt)}.
        </>
      );
  }
}
