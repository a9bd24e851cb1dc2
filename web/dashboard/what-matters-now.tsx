import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { InvoiceRow } from '#contract/invoices/schema.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import { useApplications } from '#web/applications/applications-list.api.ts';
import { paths } from '#web/paths.ts';

/**
 * One line of what matters now: the newest draft with money in it, else the newest draft, else the newest application.
 * It asks for the very page that My Applications begins with, so that it costs no call of its own.
 */
export function WhatMattersNow({ businessTag }: { readonly businessTag: string }) {
  const { data, isError } = useApplications({ page: 1, searchPhrase: '', status: null, sort: null, businessTag });
  if (data === undefined && isError) return null;
  const drafts = data?.filter((row) => row.status === 'Draft') ?? [];
  const row = drafts.find((draft) => draft.amount_received !== null) ?? drafts[0] ?? data?.[0];
  return (
    <Text c="dimmed" component="div" mih="1.5rem">
      {data === undefined && <Skeleton height={16} my={4} maw={320} />}
      {data?.length === 0 && 'Turn your first invoice into cash within hours.'}
      {row !== undefined && <Sentence row={row} />}
    </Text>
  );
}

function Sentence({ row }: { readonly row: InvoiceRow }) {
  const link = (
    <Anchor component={Link} to={paths.application(row.tag)} inherit fw={600} underline="always">
      {row.invoice_number}
    </Anchor>
  );
  if (row.amount_received === null) return <>Go on with {link}: it is not submitted yet.</>;
  const received = (
    <Text span inherit fw={600} c="var(--mantine-color-text)" style={{ whiteSpace: 'nowrap' }}>
      {row.currency} {formatAmount(toMinor(row.amount_received))}
    </Text>
  );
  return row.status === 'Draft' ? (
    <>
      Submit {link} to receive {received}.
    </>
  ) : (
    <>
      {link} is submitted: {received} to you once it is approved.
    </>
  );
}
