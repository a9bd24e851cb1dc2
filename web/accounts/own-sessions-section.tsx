import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { OwnSession } from '#contract/own-account/schema.ts';
import { useEndOtherSessions, useEndSession, useOwnSessions } from '#web/accounts/own-account.api.ts';
import { notices, notify } from '#web/notices.ts';
import { formatFullDate } from '#web/ui/dates.ts';
import { StatusPill } from '#web/ui/status-pill.tsx';
import { TableDate } from '#web/ui/table-date.tsx';
import classes from './own-sessions-section.module.css';

/** Where one is logged in, and the way to end it. */
export function OwnSessionsSection() {
  const query = useOwnSessions();
  const endOthers = useEndOtherSessions();
  const end = (): void =>
    endOthers.mutate(undefined, {
      onSuccess: () => notify(notices.otherSessionsEnded),
      onError: (error) => notify(notices.actionFailed(error.message)),
    });
  return (
    <Card component="section" aria-labelledby="sessions-heading">
      <Stack gap="md" align="flex-start">
        <Title order={2} id="sessions-heading">
          Where you are logged in
        </Title>
        {query.data !== undefined ? (
          <ul className={classes.sessions} aria-labelledby="sessions-heading">
            {query.data.map((session) => (
              <Session key={session.tag} session={session} />
            ))}
          </ul>
        ) : query.isError ? (
          <>
            <Text role="alert">Your sessions could not be loaded. {query.error.message}</Text>
            <Button variant="default" onClick={() => void query.refetch()}>
              Try again
            </Button>
          </>
        ) : (
          <Stack w="100%" gap="sm">
            <Skeleton height={20} width="40%" />
            <Skeleton height={16} width="70%" />
          </Stack>
        )}
        {(query.data?.length ?? 0) > 1 && (
          <Button variant="default" onClick={end} loading={endOthers.isPending}>
            Log out everywhere else
          </Button>
        )}
      </Stack>
    </Card>
  );
}

function Session({ session }: { readonly session: OwnSession }) {
  const { tag, device, ip, since, lastActive, current } = session;
  const endSession = useEndSession();
  const end = (): void =>
    endSession.mutate(tag, {
      onSuccess: () => notify(notices.sessionEnded(device)),
      onError: (error) => notify(notices.actionFailed(error.message)),
    });
  return (
    <li className={classes.session}>
      <div className={classes.facts}>
        <Group gap="xs">
          <Text fw={600}>{device}</Text>
          {current && <StatusPill status="This one" />}
        </Group>
        <Text size="sm" c="dimmed">
          {ip === null ? null : `${ip} · `}
          since {formatFullDate(since)}
          {current ? null : (
            <>
              {' · last active '}
              <TableDate date={lastActive} />
            </>
          )}
        </Text>
      </div>
      {!current && (
        <Button
          size="sm"
          variant="default"
          aria-label={`End the session of ${device}, since ${formatFullDate(since)}`}
          onClick={end}
          loading={endSession.isPending}
        >
          End
        </Button>
      )}
    </li>
  );
}
