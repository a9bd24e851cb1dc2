import { Alert, Card, Stack, Text, Title } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import numbered from '#web/ui/numbered-list.module.css';
import classes from './activation-notice.module.css';

/** What a user without any permission sees (specification, section 2), and what comes after it. */
export function ActivationNotice({ username }: { readonly username: string }) {
  return (
    <Stack gap="lg" maw={640}>
      <Title order={1}>Welcome</Title>
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
      </Alert>
      <Card component="section" aria-labelledby="next">
        <Title order={2} id="next" mb="md">
          What happens next
        </Title>
        <ol className={numbered.list}>
          <li>We look at your details and connect you with your business.</li>
          <li>We send you a message as soon as you can begin.</li>
          <li>
            You enter your first invoice. Have a picture or a PDF of it ready, and of the papers which show that the
            work was done.
          </li>
        </ol>
      </Card>
    </Stack>
  );
}
