import { Anchor, Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type SyntheticEvent, useRef, useState } from 'react';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import { LOGIN_USERNAME } from '#contract/accounts/username.ts';
import { AboutStrip } from '#web/accounts/about-banner.tsx';
import { UsernameInput } from '#web/accounts/fields/username-input.tsx';
import { logIn } from '#web/accounts/session.api.ts';
import { keepPendingPin } from '#web/accounts/signup/pending-pin.ts';
import { clearNotices, notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { urlOf } from '#web/platform/api/question.ts';
import { useHydrated } from '#web/platform/hydration/use-hydrated.ts';
import { navigate } from '#web/platform/router/history.ts';
import { Link, useLocation } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import { HelpLine, HowToReachUs } from '#web/ui/support/how-to-reach-us.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { type LoginState, readLoginState, type SecondStepState } from './login-state.ts';
import { type LoginRetry, LoginWait, loginRetryAfter, SLOW_LOGIN_MS } from './login-wait.tsx';

interface LoginValues {
  readonly username: string;
  readonly password: string;
}

/** The login screen (docs/specification-coverage.md, 2); also shown for every unknown path. */
export function LoginPage() {
  const isHydrated = useHydrated();
  const { state: given } = useLocation();
  const state = readLoginState(isHydrated ? given : undefined);
  // Set after a successful login, so that nothing moves before the next screen.
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Stack gap="lg">
      <PageTitle title="Login" />
      <Stack gap="xxs">
        <Title order={1}>Login</Title>
        <Text c="dimmed">Quick and simple credit</Text>
      </Stack>
      {!isLeaving && <WhyHere state={state} />}
      <LoginForm state={state} onLoggedIn={() => setLeaving(true)} />
      <Button component={Link} to={paths.signup} variant="default" fullWidth>
        Create Your Account
      </Button>
      <AboutStrip />
      <HelpLine />
    </Stack>
  );
}

/** Why the login screen appeared unasked: the session ended, or the person is already logged in. */
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

interface LoginFormProps {
  readonly state: LoginState;
  readonly onLoggedIn: () => void;
}

function LoginForm({ state, onLoggedIn }: LoginFormProps) {
  const [values, setValues] = useState<LoginValues>({ username: state.username ?? '', password: '' });
  const [usernameError, setUsernameError] = useState<string>();
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const { send, sending, deactivated, isSlow, retry, dropRetry } = useLogin(state, {
    onSuccess: () => {
      onLoggedIn();
      setValues({ username: '', password: '' });
    },
    onRefused: () => passwordInput.current?.focus(),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const wrong = usernameProblem(values.username);
    setUsernameError(wrong);
    if (wrong === undefined) void send(values);
    else usernameInput.current?.focus();
  };
  return (
    <>
      <SubmitForm
        onSubmit={submit}
        submitting={sending}
        action={urlOf(accountEndpoints.login)}
        onTyped={({ username, password }) =>
          setValues((entered) => ({
            username: username ?? state.username ?? entered.username,
            password: password ?? entered.password,
          }))
        }
      >
        <Stack gap="md">
          <UsernameInput
            ref={usernameInput}
            name="username"
            label="Phone or Email"
            error={usernameError}
            value={values.username}
            onChange={({ currentTarget: { value: username } }) => {
              dropRetry();
              setValues((entered) => ({ ...entered, username }));
              setUsernameError(undefined);
            }}
          />
          <div>
            <PasswordInput
              ref={passwordInput}
              name="password"
              label="Password"
              autoComplete="current-password"
              value={values.password}
              onChange={({ currentTarget: { value: password } }) => {
                dropRetry();
                setValues((entered) => ({ ...entered, password }));
              }}
            />
            <Anchor
              component={Link}
              to={paths.forgotPassword}
              state={{ username: values.username }}
              size="sm"
              display="inline-block"
              py="sm"
            >
              Forgot your password?
            </Anchor>
          </div>
          <Button type="submit" fullWidth disabled={sending}>
            Login
          </Button>
          {deactivated && (
            <Text size="sm" role="status">
              You can reach us <HowToReachUs />.
            </Text>
          )}
        </Stack>
      </SubmitForm>
      <LoginWait isSlow={isSlow} retry={retry} onDue={() => void send(values)} />
    </>
  );
}

/**
 * The form's one rule (docs/specification-coverage.md, 5). The contract's schema, which the server uses, has it too.
 */
function usernameProblem(username: string): string | undefined {
  const { minimum, maximum, message } = LOGIN_USERNAME;
  const { length } = username.trim();
  return length < minimum || length > maximum ? message : undefined;
}

interface LoginOutcome {
  readonly onSuccess: () => void;
  /** Called after a refusal has been shown, so that the person can try again. */
  readonly onRefused: () => void;
}

/**
 * Logs in and opens the next screen: the dashboard, the screen where the session ended, the second step or an
 * unfinished sign-up.
 */
function useLogin(state: LoginState, { onSuccess, onRefused }: LoginOutcome) {
  const [sending, setSending] = useState(false);
  const [deactivated, setDeactivated] = useState(false);
  const [isSlow, setSlow] = useState(false);
  const [retry, setRetry] = useState<LoginRetry>();
  const refuse = (failure: unknown, { username }: LoginValues) => {
    const step = secondStepAfter(failure, state);
    if (step !== undefined) {
      void navigate(paths.secondStep, { state: step });
      return;
    }
    if (keepPendingPin(failure, username.trim())) {
      clearNotices();
      void navigate(paths.signup);
      return;
    }
    const nextTry = loginRetryAfter(failure);
    setRetry(nextTry);
    if (nextTry !== undefined) return;
    const code = failure instanceof ApiFailure ? failure.code : undefined;
    notify(code === 'LOGIN_FAILED' ? notices.loginFailed : notices.loginRefused(messageOf(failure)));
    onRefused();
    setDeactivated(code === 'ACCOUNT_DEACTIVATED');
  };
  const send = async (values: LoginValues): Promise<void> => {
    setSending(true);
    setDeactivated(false);
    setRetry(undefined);
    const slow = setTimeout(() => setSlow(true), SLOW_LOGIN_MS);
    try {
      const { user } = await logIn(values);
      onSuccess();
      clearNotices();
      void navigate((state.endedFor === user.tag ? state.returnTo : undefined) ?? paths.home, { replace: true });
    } catch (failure) {
      refuse(failure, values);
    } finally {
      clearTimeout(slow);
      setSlow(false);
      setSending(false);
    }
  };
  return { send, sending, deactivated, isSlow, retry, dropRetry: () => setRetry(undefined) };
}

/** The state for the second step, if the person has a second factor. */
function secondStepAfter(failure: unknown, { endedFor, returnTo }: LoginState): SecondStepState | undefined {
  if (!(failure instanceof ApiFailure) || failure.code !== 'SECOND_FACTOR') return undefined;
  const { handle } = failure.answer;
  return typeof handle === 'string' ? { handle, endedFor, returnTo } : undefined;
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
