import { Anchor, Group, Skeleton, Text } from '@mantine/core';
import { formatCount } from '#contract/counts.ts';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { paths } from '#web/paths.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import classes from './waiting-counts.module.css';

/** How many people and buyer requests wait for staff, each linked to its list. */
export function WaitingCounts() {
  const { data, isError } = useCall(onboardingEndpoints.onboardingCounts, { staleTime: 0 });
  if (isError) return null;
  return (
    <Group gap="xs" className={classes.room}>
      {data === undefined ? (
        <Skeleton height={16} width={280} />
      ) : (
        <>
          <Waiting count={data.activations} to={paths.waitingUsers} one="person waits" many="people wait">
            for activation
          </Waiting>
          <Waiting count={data.buyers} to={paths.buyersToAdd} one="buyer" many="buyers">
            to add
          </Waiting>
        </>
      )}
    </Group>
  );
}

interface WaitingProps {
  readonly count: number;
  readonly to: string;
  readonly one: string;
  readonly many: string;
  readonly children: string;
}

function Waiting({ count, to, one, many, children }: WaitingProps) {
  const text = `${formatCount(count)} ${count === 1 ? one : many} ${children}`;
  if (count === 0) return <Text c="dimmed">{text}</Text>;
  return (
    <Anchor component={Link} to={to} fw={600}>
      {text}
    </Anchor>
  );
}
