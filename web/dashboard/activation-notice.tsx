import { Alert, Stack, Text, Title } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { refreshSession } from '#web/accounts/session.api.ts';
import numbered from '#web/ui/text/numbered-list.module.css';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { useSessionOnceActive } from './activation.api.ts';
import { ActivationDetails } from './activation-details.tsx';
import classes from './activation-notice.module.css';
import { StatedWallet } from './stated-wallet.tsx';
import { UsualWait } from './usual-wait.tsx';

interface ActivationNoticeProps {
  readonly username: string;
  /** The name they gave. */
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** The dashboard of a user without any permission (docs/specification-coverage.md, 2), and what happens next. */
export function ActivationNotice({ username, firstName, lastName }: ActivationNoticeProps) {
  useSessionOnceActive();
  return (
    <Stack gap="lg" maw={640}>
      <Title order={1}>{firstName === null ? 'Welcome' : `Welcome, ${firstName}`}</Title>
      <Alert
        variant="light"
        icon={<IconHourglass aria-hidden />}
        classNames={{ icon: classes.icon }}
        title={
          <Text component="h2" size="lg" fw={600}>
            Account Activation in Progress
          </Text>
        }
      >
        <Text>
          Your account is being activated. You will be alerted at <b className={classes.username}>{username}</b> once it
          is approved.
        </Text>
        <Text className={classes.wait}>
          <UsualWait />
        </Text>
      </Alert>
      <ActivationDetails onKept={() => void refreshSession({ background: false }).catch(() => undefined)} />
      <StatedWallet name={[firstName, lastName].filter(Boolean).join(' ')} />
      <SectionCard title="What happens next">
        <ol className={numbered.list}>
          <li>We check your details and set up your business.</li>
          <li>We send you a message when you can start.</li>
          <li>
            You enter your first invoice. Have a photo or PDF of it ready. We also need proof that the work was done.
          </li>
        </ol>
      </SectionCard>
    </Stack>
  );
}
