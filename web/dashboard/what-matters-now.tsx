import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { InvoiceRow } from '#contract/invoices/schema.ts';
import { useApplications } from '#web/applications/applications-list.api.ts';
import { paths } from '#web/paths.ts';
import { Amount } from '#web/ui/amount.tsx';

/**
 * One line of what matters now: the newest draft with money in it, else the newest draft, else the newest application.
 * It asks for the very page that My Applications begins with, so that it costs no call of its own.
 */
export function WhatMattersNow({ businessTag }: { readonly businessTag: string }) {
  const { data, isError } = useApplications({ page: 1, searchPhrase: '', status: null, businessTag });
  if (data === undefined) return isError ? null : <Skeleton height={16} my={4} maw={360} />;
  const drafts = data.filter((row) => row.status === 'Draft');
  const row = drafts.find((draft) => draft.amount_received !== null) ?? drafts[0] ?? data[0];
  return (
    <Text c="dimmed">
      {row === undefined ? 'Turn your first invoice into cash within hours.' : <Sentence row={row} />}
    </Text>
  );
}

function Sentence({ row }: { readonly row: InvoiceRow }) {
  const link = (
    <Anchor component={Link} to={paths.application(row.tag)} inherit fw={600} underline="always">
      {row.invoice_number}
    </Anchor>
  );
  const received = row.amount_received === null ? null : <Amount value={row.amount_received} currency={row.currency} />;
  if (row.status !== 'Draft')
    return (
      <>
        {link} is submitted: {received} to you once it is approved.
      </>
    );
  return received === null ? (
    <>{link} is not submitted yet.</>
  ) : (
    <>
      {link} is not submitted yet: submit it to receive {received}.
    </>
  );
}
