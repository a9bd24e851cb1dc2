import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import type { OwnSession } from '#contract/own-account/schema.ts';
import { type Notice, notices, notify } from '#web/notices.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { formatFullDate } from '#web/ui/dates/dates.ts';
import { TableDate } from '#web/ui/dates/table-date.tsx';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { StatusPill } from '#web/ui/text/status-pill.tsx';
import { useEndOtherSessions, useEndSession } from './own-account.api.ts';
import { OwnPasswordModal } from './own-password-modal.tsx';

/** The person's sessions. Ending one asks for the password again. */
export function OwnSessionsSection({ username }: { readonly username: string }) {
  const query = useCall(ownAccountEndpoints.listSessions);
  const endOthers = useEndOtherSessions();
  const endSession = useEndSession();
  const heading = useRef<HTMLHeadingElement>(null);
  /** Which sessions to end: one, or all others. */
  const [asked, setAsked] = useState<OwnSession | 'others'>();
  const ask = (what: OwnSession | 'others'): void => {
    endOthers.reset();
    endSession.reset();
    setAsked(what);
  };
  const ended = (notice: Notice) => () => {
    setAsked(undefined);
    notify(notice);
    // The button that opened the dialog disappeared with its session.
    heading.current?.focus();
  };
  const end = (password: string): void => {
    if (asked === 'others') endOthers.mutate(password, { onSuccess: ended(notices.otherSessionsEnded) });
    else if (asked !== undefined)
      endSession.mutate({ tag: asked.tag, password }, { onSuccess: ended(notices.sessionEnded(asked.device)) });
  };
  return (
    <Card component="section" aria-labelledby="sessions-heading">
      <Stack gap="md" align="flex-start">
        <Title order={2} id="sessions-heading" ref={heading} tabIndex={-1}>
          Where you are logged in
        </Title>
        {query.data !== undefined ? (
          <ul className={ruled.list} style={{ width: '100%' }} aria-labelledby="sessions-heading">
            {query.data.map((session) => (
              <Session key={session.tag} session={session} onEnd={() => ask(session)} />
            ))}
          </ul>
        ) : query.isError ? (
          <NotLoaded what="The list of your sessions" query={query} />
        ) : (
          <Stack w="100%" gap="sm">
            <Skeleton height={20} width="40%" />
            <Skeleton height={16} width="70%" />
          </Stack>
        )}
        {(query.data?.length ?? 0) > 1 && (
          <Button variant="default" onClick={() => ask('others')}>
            Log out everywhere else
          </Button>
        )}
      </Stack>
      <OwnPasswordModal
        title={asked === 'others' ? 'Log out everywhere else?' : 'End this session?'}
        text={
          asked === 'others'
            ? 'Every device but this one is logged out at once.'
            : `${asked?.device ?? 'The device'} is logged out at once.`
        }
        action={asked === 'others' ? 'Log out everywhere else' : 'End session'}
        username={username}
        opened={asked !== undefined}
        pending={endOthers.isPending || endSession.isPending}
        error={endOthers.error ?? endSession.error}
        onClose={() => setAsked(undefined)}
        onPassword={end}
      />
    </Card>
  );
}

interface SessionProps {
  readonly session: OwnSession;
  readonly onEnd: () => void;
}

function Session({ session, onEnd }: SessionProps) {
  const { device, ip, since, lastActive, current } = session;
  return (
    <li>
      <div>
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
          onClick={onEnd}
        >
          End
        </Button>
      )}
    </li>
  );
}
