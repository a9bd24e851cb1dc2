import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import { secondFactorCode } from '#contract/own-account/schema.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { fieldMessage } from '#web/accounts/accounts.api.ts';
import { useTypedCode } from '#web/accounts/fields/use-typed-code.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { usePost } from '#web/platform/api/use-change.ts';
import { navigate } from '#web/platform/router/history.ts';
import { Link, Navigate, useLocation } from '#web/platform/router/router.tsx';
import { keepSession } from '#web/platform/session/session.ts';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { readSecondStep, type SecondStepState } from './login-state.ts';
import { SecondFactorCodeInput } from './second-factor-code-input.tsx';

/**
 * The second step of a login, for a person with a second factor. Without a first step it redirects to the login screen.
 */
export function SecondStepPage() {
  const step = readSecondStep(useLocation().state);
  if (step === undefined) return <Navigate to={paths.login} replace />;
  return (
    <Stack gap="lg">
      <PageTitle title="Second Step" />
      <Stack gap="xxs">
        <Title order={1}>One more step</Title>
        <Text c="dimmed">Enter the code that your authenticator app shows for {PRODUCT_NAME}.</Text>
      </Stack>
      <CodeForm step={step} />
    </Stack>
  );
}

function CodeForm({ step }: { readonly step: SecondStepState }) {
  const finish = usePost(ownAccountEndpoints.finishLogin, { onSuccess: keepSession });
  const { field, submit, refuse } = useTypedCode(secondFactorCode, (code) =>
    finish.mutate(
      { handle: step.handle, code },
      {
        onSuccess: ({ user }) => {
          const back = step.endedFor === user.tag ? step.returnTo : undefined;
          void navigate(back ?? paths.home, { replace: true });
        },
        onError: (failure) => refuse(failure, fieldMessage(failure, 'code')),
      },
    ),
  );
  if (isEnded(finish.error)) return <StartAgain reason={finish.error?.message} />;
  return (
    <SubmitForm onSubmit={submit} submitting={finish.isPending}>
      <Stack gap="md">
        <SecondFactorCodeInput {...field} label="Code from your app" readOnly={finish.isPending} />
        <Button type="submit" fullWidth disabled={finish.isPending}>
          Log In
        </Button>
        <Button component={Link} to={paths.login} variant="default" fullWidth>
          Start again
        </Button>
        <Text size="sm" c="dimmed">
          No app and no recovery code? An administrator can reset your second factor.
        </Text>
      </Stack>
    </SubmitForm>
  );
}

function StartAgain({ reason }: { readonly reason: string | undefined }) {
  return (
    <>
      <Alert color="yellow" role="alert">
        <Text>{reason}</Text>
      </Alert>
      <Button component={Link} to={paths.login} fullWidth>
        Log in again
      </Button>
    </>
  );
}

function isEnded(failure: Error | null): boolean {
  return failure instanceof ApiFailure && failure.code === 'SECOND_FACTOR_ENDED';
}
