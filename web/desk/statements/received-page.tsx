import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counts.ts';
import { formatNumeric } from '#contract/money.ts';
import type { WaitingReply } from '#contract/statements/schema.ts';
import { ListPages } from '#web/desk/list-pages.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { ImportCard } from './import-card.tsx';
import { useReceived } from './received.api.ts';
import { ReceivedLine } from './received-line.tsx';
import { RepeatsCard } from './repeats-card.tsx';
import { StatementList } from './statement-list.tsx';

/** Incoming money: officers import statements here, and assign or send back payments that name no application. */
export function ReceivedPage() {
  const [after, setAfter] = useState<string>();
  const received = useReceived(after);
  return (
    <Stack gap="lg">
      <PageTitle title="Received Money" />
      <Group justify="space-between" gap="xs">
        <Title order={1}>Received Money</Title>
        <Button component={Link} to={paths.reconciliation} variant="default" size="sm">
          Reconcile a day
        </Button>
      </Group>
      <ImportCard />
      <Loaded what="The received money" query={received} height={160}>
        {(data) => (
          <>
            {data.repeats.length > 0 && <RepeatsCard repeats={data.repeats} />}
            <Waiting {...data} isFirst={after === undefined} onPage={setAfter} />
            {data.statements.length > 0 && (
              <SectionCard title="Last imports" padding="md" gap={0}>
                <StatementList statements={data.statements} />
              </SectionCard>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}

interface WaitingProps extends WaitingReply {
  readonly isFirst: boolean;
  readonly onPage: (after: string | undefined) => void;
}

function Waiting({ received, hasMore, total, sums, isFirst, onPage }: WaitingProps) {
  const [unfolded, setUnfolded] = useState<string>();
  return (
    <SectionCard
      title="Left to assign"
      padding="md"
      gap={0}
      mark={
        <Text size="sm" fw={600}>
          {total === 0
            ? '0'
            : `${sums.map(({ currency, amount }) => `${currency} ${formatNumeric(amount)}`).join(', ')} in ${counted(total, 'payment')}`}
        </Text>
      }
    >
      {total === 0 && <Text size="sm">Everything is assigned.</Text>}
      {received.length > 0 && (
        <ul className={ruled.list}>
          {received.map((payment) => (
            <ReceivedLine
              key={payment.tag}
              payment={payment}
              isUnfolded={payment.tag === unfolded}
              onUnfold={setUnfolded}
            />
          ))}
        </ul>
      )}
      <ListPages
        rows={received}
        order="the oldest first"
        hasMore={hasMore}
        total={total}
        isFirst={isFirst}
        onPage={onPage}
      />
    </SectionCard>
  );
}
