import { Button, Text } from '@mantine/core';
import { formatCount } from '#contract/counts.ts';
import type { EarnedRaise } from '#contract/limits/schema.ts';
import { usePages, WaitingCard } from '#web/businesses/waiting-card.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { useEarnedRaises } from './limits.api.ts';

interface EarnedRaisesProps {
  readonly onOpen: (raise: EarnedRaise) => void;
}

/** Clients who have earned a higher limit under the growth rule; nothing if there are none. */
export function EarnedRaises({ onOpen }: EarnedRaisesProps) {
  const raises = usePages(useEarnedRaises);
  return (
    <WaitingCard {...raises} title="Earned a higher limit" what="The earned limits" pagesLabel="Pages of raises">
      {(raise) => (
        <li key={`${raise.businessTag} ${raise.currencyId}`}>
          <div>
            <b>{raise.business}</b>
            <Text size="sm" c="dimmed">
              {formatCount(raise.settledOnTime)} settled on time: from{' '}
              <Amount value={raise.limit} currency={raise.currency} /> to <Amount value={raise.next} />
            </Text>
          </div>
          <Button
            variant="default"
            size="sm"
            aria-label={`Raise the limit of ${raise.business} in ${raise.currency}`}
            onClick={() => onOpen(raise)}
          >
            Raise
          </Button>
        </li>
      )}
    </WaitingCard>
  );
}
