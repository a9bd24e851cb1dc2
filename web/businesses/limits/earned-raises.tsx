import { Button, Card, Pagination, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '#contract/counts.ts';
import type { EarnedRaise } from '#contract/limits/schema.ts';
import { PAGE_SIZE } from '#contract/product.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { useEarnedRaises } from './limits.api.ts';

interface EarnedRaisesProps {
  readonly onOpen: (raise: EarnedRaise) => void;
}

/** Clients who have earned a higher limit by the rule of growth; nothing if there are none. */
export function EarnedRaises({ onOpen }: EarnedRaisesProps) {
  const [page, setPage] = useState(1);
  const raises = useEarnedRaises(page);
  const rows = raises.data ?? [];
  const total = rows[0]?.total ?? 0;
  if (raises.isError) return <NotLoaded what="The earned limits" query={raises} />;
  if (rows.length === 0 && page > 1 && raises.isSuccess && !raises.isPlaceholderData) setPage(page - 1);
  if (rows.length === 0) return null;
  return (
    <Card component="section" aria-labelledby="earned-heading" padding="md">
      <Title order={2} id="earned-heading">
        Earned a higher limit
      </Title>
      <ul className={ruled.list}>
        {rows.map((raise) => (
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
        ))}
      </ul>
      {total > PAGE_SIZE && (
        <Pagination total={Math.ceil(total / PAGE_SIZE)} value={page} onChange={setPage} aria-label="Pages of raises" />
      )}
    </Card>
  );
}
