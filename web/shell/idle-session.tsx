import { Button, Group, getDefaultZIndex, Modal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import type { SessionUser } from '#contract/accounts/schema.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { paths } from '#web/paths.ts';
import { pingSession } from '#web/shell/activity-ping.ts';
import { formatCountdown, idleTimes, spokenCountdown } from '#web/shell/idle-times.ts';
import { IdleWatch } from '#web/shell/idle-watch.ts';
import classes from './idle-session.module.css';

/** Asks whoever does nothing for long whether they are still there, and logs them out (specification, section 4). */
export function IdleSession({ user: { tag, clientUITimeoutMinutes } }: { readonly user: SessionUser }) {
  return <Watched key={`${tag} ${clientUITimeoutMinutes}`} timeoutMinutes={clientUITimeoutMinutes} />;
}

function Watched({ timeoutMinutes }: { readonly timeoutMinutes: number }) {
  const navigate = useNavigate();
  const logOff = () => void navigate(paths.logout);
  const [watch] = useState(() => new IdleWatch(idleTimes(timeoutMinutes), { ping: pingSession, logOff }));
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
      <Question seconds={seconds} onStay={watch.stay} onLogOut={logOff} />
    </Modal>
  );
}

/** Escape answers nothing here, and must not close a dialog that lies below either. */
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
        <Text>Nothing has happened here for a while. To keep your account safe, {PRODUCT_NAME} logs you out in</Text>
        <div className={classes.countdown} aria-hidden>
          {formatCountdown(seconds)}
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
