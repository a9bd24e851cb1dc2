import { Anchor, Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link, useLocation, useNavigate } from 'react-router';
import { z } from 'zod';
import { type LoginReply, loginForm, mode } from '#contract/accounts/schema.ts';
import { AboutStrip } from '#web/accounts/about-banner.tsx';
import { useLogin } from '#web/accounts/accounts.api.ts';
import { ContactInput } from '#web/accounts/contact-input.tsx';
import { type LoginState, readLoginState } from '#web/accounts/login-state.ts';
import { keepPinStage } from '#web/accounts/pin-stage.ts';
import { notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api.ts';
import { useSessionUser } from '#web/platform/session.ts';
import { focusFirstInvalid } from '#web/ui/focus-invalid.ts';
import { HowToReachUs } from '#web/ui/how-to-reach-us.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { SubmitForm } from '#web/ui/submit-form.tsx';

/** The login screen (specification, section 2); it also stands behind every unknown path. */
export function LoginPage() {
  const state = readLoginState(useLocation().state);
  return (
    <Stack gap="lg">
      <PageTitle title="Login" />
      <Stack gap={4}>
        <Title order={1}>Login</Title>
        <Text c="dimmed">Quick and simple credit</Text>
      </Stack>
      <WhyHere state={state} />
      <LoginForm state={state} />
      <Button component={Link} to={paths.signup} variant="default" fullWidth>
        Create Your Account
      </Button>
      <AboutStrip />
    </Stack>
  );
}

/** For whoever did not come to log in: their session ended, and why, or they are logged in already. */
function WhyHere({ state }: { readonly state: LoginState }) {
  const user = useSessionUser();
  if (user !== null)
    return (
      <Text size="sm">
        You are logged in.{' '}
        <Anchor component={Link} to={paths.home} inherit>
          Go to your dashboard
        </Anchor>
      </Text>
    );
  const reason = whyEnded(state);
  if (reason === undefined) return null;
  return (
    <Text size="sm" role="status">
      {reason}
    </Text>
  );
}

function whyEnded({ idleMinutes, returnTo }: LoginState): string | undefined {
  if (idleMinutes !== undefined) {
    const time = `${idleMinutes} ${idleMinutes === 1 ? 'minute' : 'minutes'}`;
    return `You were logged out because nothing was done for ${time}. Your saved work is safe.`;
  }
  return returnTo === undefined ? undefined : 'Your session has ended. Log in to carry on where you were.';
}

const fields = ['username', 'password'] as const;

function LoginForm({ state }: { readonly state: LoginState }) {
  const navigate = useNavigate();
  const login = useLogin();
  const form = useForm({
    mode: 'controlled',
    initialValues: { username: state.username ?? '', password: '' },
    validate: schemaResolver(loginForm, { sync: true }),
  });
  const enter = ({ user }: LoginReply) => {
    const back = state.endedFor === user.tag ? state.returnTo : undefined;
    form.reset();
    void navigate(back ?? paths.home, { replace: true });
  };
  const refuse = (failure: Error) => {
    const stage = pendingPin(failure);
    if (stage !== undefined) {
      keepPinStage({ ...stage, sentTo: form.values.username.trim() });
      void navigate(paths.signup);
    } else {
      const wrong = failure instanceof ApiFailure && failure.code === 'LOGIN_FAILED';
      notify(wrong ? notices.loginFailed : notices.loginRefused(failure.message));
      form.getInputNode('password')?.focus();
    }
  };
  const submit = form.onSubmit(
    (values) => login.mutate(values, { onSuccess: enter, onError: refuse }),
    (errors) => focusFirstInvalid(form, fields, errors),
  );
  return (
    <SubmitForm onSubmit={submit} submitting={login.isPending}>
      <Stack gap="md">
        <ContactInput label="Phone or Email" {...form.getInputProps('username')} />
        <div>
          <PasswordInput label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
          <Anchor
            component={Link}
            to={paths.forgotPassword}
            state={{ username: form.values.username }}
            size="sm"
            display="inline-block"
            py="sm"
          >
            Forgot your password?
          </Anchor>
        </div>
        <Button type="submit" fullWidth disabled={login.isPending}>
          Login
        </Button>
        {isDeactivated(login.error) && (
          <Text size="sm" role="status">
            You can reach us <HowToReachUs />.
          </Text>
        )}
      </Stack>
    </SubmitForm>
  );
}

function isDeactivated(failure: Error | null): boolean {
  return failure instanceof ApiFailure && failure.code === 'ACCOUNT_DEACTIVATED';
}

const pinPending = z.object({ userTag: z.string(), mode });

/** The PIN step that the right password of an unconfirmed sign-up leads back to (decisions, 'Accounts'). */
function pendingPin(failure: Error): z.output<typeof pinPending> | undefined {
  if (!(failure instanceof ApiFailure) || failure.code !== 'PIN_PENDING') return undefined;
  const parsed = pinPending.safeParse(failure.answer);
  return parsed.success ? parsed.data : undefined;
}
