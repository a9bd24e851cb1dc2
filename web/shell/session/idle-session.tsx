import { Button, Group, getDefaultZIndex, Modal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { LoginState } from '#web/accounts/login/login-state.ts';
import { paths } from '#web/paths.ts';
import { navigate } from '#web/platform/router/history.ts';
import { formatClock } from '#web/ui/dates/countdown.ts';
import { pingSession } from './activity-ping.ts';
import classes from './idle-session.module.css';
import { type IdleTimes, idleTimes, spokenCountdown } from './idle-times.ts';
import { IdleWatch } from './idle-watch.ts';

interface IdleSessionProps {
  readonly user: SessionUser;
  /** Asks first if something is unsaved. */
  readonly onLogOut: () => void;
}

/**
 * Asks an idle person whether they are still there, and otherwise logs them out (docs/specification-coverage.md, 4).
 */
export function IdleSession({ user, onLogOut }: IdleSessionProps) {
  const times = idleTimes(user.clientUITimeoutMinutes);
  return <Watched key={`${user.tag} ${times.timeoutMs}`} user={user} times={times} onLogOut={onLogOut} />;
}

interface WatchedProps {
  readonly user: SessionUser;
  readonly times: IdleTimes;
  readonly onLogOut: () => void;
}

function Watched({ user, times, onLogOut }: WatchedProps) {
  const [watch] = useState(() => {
    const logOff = () => void navigate(paths.logout, { state: loggedOff(user, times) });
    return new IdleWatch(times, { ping: pingSession, logOff });
  });
  useEffect(() => watch.start(), [watch]);
  const seconds = useSyncExternalStore(watch.subscribe, watch.secondsToLogOff) ?? 0;
  return (
    <Modal
      opened={seconds > 0}
      onClose={watch.stay}
      title="Are you still there?"
      size={420}
      zIndex={getDefaultZIndex('max')}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      transitionProps={{ exitDuration: 0 }}
    >
      <Question seconds={seconds} onStay={watch.stay} onLogOut={onLogOut} />
    </Modal>
  );
}

/**
 * State for the login screen: the reason, and the address to which the same person returns. Reads the address at the
 * moment of the log-off.
 */
function loggedOff({ tag: endedFor, username }: SessionUser, { timeoutMs }: IdleTimes): LoginState {
  const { pathname, search } = window.location;
  return { endedFor, username, returnTo: `${pathname}${search}`, idleMinutes: timeoutMs / MINUTE_MS };
}

/** Escape does nothing here, and must not close another dialog below it. */
const keepsEscape = { 'data-mantine-stop-propagation': 'true' } as const;

interface QuestionProps {
  readonly seconds: number;
  readonly onStay: () => void;
  readonly onLogOut: () => void;
}

function Question({ seconds, onStay, onLogOut }: QuestionProps) {
  return (
    <Stack gap="lg">
      <div>
        <Text>Are you still working? To keep your account safe, {PRODUCT_NAME} logs you out in</Text>
        <div className={classes.countdown} aria-hidden>
          {formatClock(seconds)}
        </div>
        <VisuallyHidden role="status">{spokenCountdown(seconds)}</VisuallyHidden>
      </div>
      <Group grow>
        <Button variant="default" onClick={onLogOut} {...keepsEscape}>
          Log Out
        </Button>
        <Button onClick={onStay} data-autofocus {...keepsEscape}>
          Continue
        </Button>
      </Group>
    </Stack>
  );
}
