import { Button, Text } from '@mantine/core';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import { WaitingCard } from '#web/businesses/waiting-card.tsx';
import { paths } from '#web/paths.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { BusinessLink } from '#web/ui/text/business-link.tsx';

/** The limits that wait for a second officer; nothing if there are none. */
export function LimitProposals() {
  const proposals = useCall(limitEndpoints.limitProposals, { staleTime: 0 });
  return (
    <WaitingCard query={proposals} title="Limits to confirm" what="The limits to confirm">
      {(row) => (
        <li key={row.tag}>
          <div>
            <BusinessLink tag={row.businessTag}>{row.business}</BusinessLink>
            <Text size="sm" c="dimmed">
              {row.by.name}: from <Amount value={row.replaces} currency={row.currency} /> to{' '}
              <Amount value={row.limit} />
            </Text>
          </div>
          <Button
            component={Link}
            to={paths.business(row.businessTag)}
            variant="default"
            size="sm"
            aria-label={`Open the limit of ${row.business} in ${row.currency}`}
          >
            Open
          </Button>
        </li>
      )}
    </WaitingCard>
  );
}
