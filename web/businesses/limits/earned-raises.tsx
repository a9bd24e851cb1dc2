import { Button, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { formatCount } from '#contract/counts.ts';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import { usePages, WaitingCard } from '#web/businesses/waiting-card.tsx';
import { paths } from '#web/paths.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { BusinessLink } from '#web/ui/text/business-link.tsx';

function useEarnedRaises(page: number) {
  return useCall(limitEndpoints.earnedRaises, { body: { page }, placeholderData: keepPreviousData });
}

/** Clients who have earned a higher limit under the growth rule; nothing if there are none. */
export function EarnedRaises() {
  const raises = usePages(useEarnedRaises);
  return (
    <WaitingCard {...raises} title="Earned a higher limit" what="The earned limits" pagesLabel="Pages of raises">
      {(raise) => (
        <li key={`${raise.businessTag} ${raise.currencyId}`}>
          <div>
            <BusinessLink tag={raise.businessTag}>{raise.business}</BusinessLink>
            <Text size="sm" c="dimmed">
              {formatCount(raise.settledOnTime)} settled on time: from{' '}
              <Amount value={raise.limit} currency={raise.currency} /> to <Amount value={raise.next} />
            </Text>
          </div>
          <Button
            component={Link}
            to={`${paths.business(raise.businessTag)}?limit=${raise.currencyId}`}
            variant="default"
            size="sm"
            aria-label={`Raise the limit of ${raise.business} in ${raise.currency}`}
          >
            Raise
          </Button>
        </li>
      )}
    </WaitingCard>
  );
}
