import { Button, Card, Text, Title } from '@mantine/core';
import type { WaitingProposal } from '#contract/limits/schema.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { useLimitProposals } from './limits.api.ts';

interface LimitProposalsProps {
  readonly onOpen: (proposal: WaitingProposal) => void;
}

/** The limits that wait for another officer; nothing if there are none. */
export function LimitProposals({ onOpen }: LimitProposalsProps) {
  const proposals = useLimitProposals();
  if (proposals.isError) return <NotLoaded what="The limits to confirm" query={proposals} />;
  const rows = proposals.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Card component="section" aria-labelledby="proposals-heading" padding="md">
      <Title order={2} id="proposals-heading">
        Limits to confirm
      </Title>
      <ul className={ruled.list}>
        {rows.map((row) => (
          <li key={row.tag}>
            <div>
              <b>{row.business}</b>
              <Text size="sm" c="dimmed">
                {row.by.name}: from <Amount value={row.replaces} currency={row.currency} /> to{' '}
                <Amount value={row.limit} />
              </Text>
            </div>
            <Button
              variant="default"
              size="sm"
              aria-label={`Open the limit of ${row.business} in ${row.currency}`}
              onClick={() => onOpen(row)}
            >
              Open
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
