import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { paths } from '#web/paths.ts';
import { usePost } from '#web/platform/api/use-change.ts';
import { Link } from '#web/platform/router/router.tsx';
import { useTokenOnce } from '#web/platform/router/token-once.ts';
import { WaitingButton } from '#web/ui/forms/waiting-button.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';

/**
 * The page that a message's link opens: one press freezes the account, without a login. Opening the page changes
 * nothing.
 */
export function FreezePage() {
  const token = useTokenOnce();
  const freezing = usePost(payoutEndpoints.freezeByLink);
  return (
    <Stack gap="lg">
      <PageTitle title="Freeze Payout Account" />
      <Title order={1}>Freeze Payout Account</Title>
      {freezing.data === undefined ? (
        <>
          <Text>
            Freeze it if you do not know this account. We pay nothing to a frozen account. Everybody in your business is
            told.
          </Text>
          {freezing.isError && (
            <Alert color="red" role="alert">
              {freezing.error.message}
            </Alert>
          )}
          <WaitingButton
            color="red"
            busy={freezing.isPending}
            disabled={token === ''}
            onClick={() => freezing.mutate({ token })}
          >
            Freeze this account
          </WaitingButton>
        </>
      ) : (
        <Alert color="green" role="status" title="The account is frozen">
          We pay nothing to {freezing.data.label} of {freezing.data.business} until we have asked you.
        </Alert>
      )}
      <Button component={Link} to={paths.login} variant="default">
        Log in
      </Button>
    </Stack>
  );
}
