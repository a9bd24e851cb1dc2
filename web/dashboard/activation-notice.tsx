import { Alert, Stack, Text, Title } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';

/** What a user without any permission sees (specification, section 2). */
export function ActivationNotice({ username }: { readonly username: string }) {
  return (
    <Stack gap="lg" maw={640}>
      <Title order={1}>Welcome</Title>
      <Alert
        variant="light"
        icon={<IconHourglass aria-hidden />}
        title={
          <Text component="h2" size="lg" fw={600}>
            Account Activation in Progress
          </Text>
        }
      >
        <Text>
          Your account is being activated. You will be alerted at <b>{username}</b> once it is approved, and can then
          enter your first invoice.
        </Text>
      </Alert>
    </Stack>
  );
}
