import { Badge, Button, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '#contract/counts.ts';
import { failures } from '#contract/errors.ts';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import type { FundingLimit } from '#contract/limits/schema.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSessionUser } from '#web/platform/session/session.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { FactList } from '#web/ui/text/fact-list.tsx';
import classes from './limits.module.css';
import { ProposalAnswer } from './proposal-answer.tsx';
import { SetLimitForm } from './set-limit-form.tsx';

interface ClientLimitsProps {
  readonly business: { readonly tag: string; readonly name: string };
  /** The currency whose limit form is open from the start. */
  readonly setting?: number | undefined;
}

/** The limits of a client: how much of each is used, what would raise it, and the form to set it. */
export function ClientLimits({ business, setting }: ClientLimitsProps) {
  const limits = useCall(limitEndpoints.businessLimits, { params: { tag: business.tag }, staleTime: 0 });
  const isOwn = useSessionUser()?.bizTag === business.tag;
  const [opened, open] = useState(setting);
  const [left, leave] = useState<number>();
  if (limits.data === undefined && limits.isError) return <NotLoaded what="The limits" query={limits} />;
  if (limits.data === undefined) return <Skeleton height={200} />;
  if (limits.data.length === 0) return <Text>There is no currency to lend in.</Text>;
  return (
    <Stack gap="lg">
      {isOwn && <Text size="sm">{failures.OWN_BUSINESS.msg}.</Text>}
      {limits.data.map((limit) => (
        <section key={limit.currencyId} aria-label={limit.currency}>
          <Use limit={limit} />
          {limit.proposal !== null && (
            <ProposalAnswer proposal={limit.proposal} currency={limit.currency} business={business} />
          )}
          {!isOwn &&
            (opened === limit.currencyId ? (
              <SetLimitForm
                business={business}
                limit={limit}
                onClose={() => {
                  leave(limit.currencyId);
                  open(undefined);
                }}
              />
            ) : (
              <Button
                variant="default"
                size="sm"
                mt="xs"
                ref={left === limit.currencyId ? focus : undefined}
                onClick={() => open(limit.currencyId)}
              >
                Set Limit in {limit.currency}
              </Button>
            ))}
        </section>
      ))}
    </Stack>
  );
}

/** When the form is left, the button replaces it and takes the focus. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}

const PERCENT = 100;

function Use({ limit }: { readonly limit: FundingLimit }) {
  const { currency, outstanding, submitted, available, growth } = limit;
  const used = outstanding + submitted;
  const isNone = limit.limit === 0;
  const share = isNone ? (used > 0 ? PERCENT : 0) : Math.min(PERCENT, Math.round((used / limit.limit) * PERCENT));
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={3}>
          <Amount value={limit.limit} currency={currency} />
        </Title>
        {growth?.earned === true && <Badge color="green">Earned</Badge>}
      </Group>
      <Progress
        value={share}
        my="xs"
        color={used > limit.limit ? 'red' : undefined}
        aria-label={`Used of the limit in ${currency}`}
      />
      <FactList
        className={classes.uses}
        facts={[
          { label: 'Out', value: <Amount value={outstanding} /> },
          { label: 'Not paid out yet', value: <Amount value={submitted} /> },
          { label: 'Can use', value: <Amount value={available} /> },
        ]}
      />
      <Text size="sm" c="dimmed">
        {growth === null ? (
          'This is the highest limit by the rule of growth.'
        ) : (
          <>
            {formatCount(growth.settledOnTime)} of {formatCount(growth.settledNeeded)} paid back on time since it was
            set. Then it can be <Amount value={growth.next} currency={currency} />.
          </>
        )}
      </Text>
    </>
  );
}
