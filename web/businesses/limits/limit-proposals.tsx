import { Button, Text } from '@mantine/core';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import type { WaitingProposal } from '#contract/limits/schema.ts';
import { WaitingCard } from '#web/businesses/waiting-card.tsx';
import { useCall } from '#web/platform/api/use-call.ts';
import { Amount } from '#web/ui/text/amount.tsx';

interface LimitProposalsProps {
  readonly onOpen: (proposal: WaitingProposal) => void;
}

/** The limits that wait for a second officer; nothing if there are none. */
export function LimitProposals({ onOpen }: LimitProposalsProps) {
  const proposals = useCall(limitEndpoints.limitProposals, { staleTime: 0 });
  return (
    <WaitingCard query={proposals} title="Limits to confirm" what="The limits to confirm">
      {(row) => (
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
      )}
    </WaitingCard>
  );
}
