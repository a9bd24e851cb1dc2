import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type Ref, useRef, useState } from 'react';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import { resetRequestForm } from '#contract/accounts/schema.ts';
import { readUsername } from '#contract/accounts/username.ts';
import { UsernameInput } from '#web/accounts/fields/username-input.tsx';
import { readLoginState } from '#web/accounts/login/login-state.ts';
import { clearNotices, notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { urlOf } from '#web/platform/api/question.ts';
import { usePost } from '#web/platform/api/use-change.ts';
import { useHydrated } from '#web/platform/hydration/use-hydrated.ts';
import { Link, useLocation } from '#web/platform/router/router.tsx';
import { focusFirstInvalid } from '#web/ui/focus/focus-invalid.ts';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { NewPasswordStep } from './new-password-step.tsx';
import { ResetCodeModal } from './reset-code-modal.tsx';
import { endResetStage, isAlive, keepResetStage, type ResetStage, readResetStage } from './reset-stage.ts';

/**
 * After the right code: the person, and the handle that sets the new password. Kept in memory only, because the handle
 * needs no code.
 */
interface Verified {
  readonly username: string;
  readonly otpTag: string;
}

/** Password reset: username, code in a modal, new password (docs/specification-coverage.md, 2 and 4). */
export function ForgotPasswordPage() {
  const [stage, setStage] = useState<ResetStage | undefined>(() => readResetStage(Date.now()));
  const [verified, setVerified] = useState<Verified>();
  const username = useRef<HTMLInputElement>(null);
  const startOver = () => {
    endResetStage();
    setStage(undefined);
    setVerified(undefined);
  };
  const cancel = () => {
    setVerified(undefined);
    if (stage !== undefined) setStage(keepResetStage({ ...stage, cancelled: true }));
    // A typing error may be why no code arrived. Focus moves only after the dialog has released it.
    setTimeout(() => username.current?.focus());
  };
  const proceed = (otpTag: string, sent: ResetStage) => {
    startOver();
    setVerified({ otpTag, username: sent.username });
  };
  return (
    <>
      <PageTitle title="Reset Password" />
      {verified === undefined ? (
        <UsernameStep sent={stage} input={username} onSent={setStage} />
      ) : (
        <NewPasswordStep {...verified} onCancel={cancel} />
      )}
      {stage === undefined || stage.cancelled ? null : (
        <ResetCodeModal
          stage={stage}
          onResent={setStage}
          onVerified={(otpTag) => proceed(otpTag, stage)}
          onCancel={cancel}
        />
      )}
    </>
  );
}

const fields = ['username'] as const;

/** The last code still works, or too many were requested. Waiting helps, and the username is not at fault. */
function isTooSoon(failure: Error): boolean {
  return failure instanceof ApiFailure && (failure.code === 'CODE_COOLDOWN' || failure.code === 'CODE_LIMIT');
}

function isSame(one: string, other: string): boolean {
  return readUsername(one)?.value === readUsername(other)?.value;
}

interface UsernameStepProps {
  /** The last code sent, if it may still be valid. */
  readonly sent: ResetStage | undefined;
  readonly input: Ref<HTMLInputElement>;
  readonly onSent: (stage: ResetStage) => void;
}

function UsernameStep({ sent, input, onSent }: UsernameStepProps) {
  const { state } = useLocation();
  const known = sent?.username ?? readLoginState(state).username ?? '';
  const isHydrated = useHydrated();
  const { mutate, isPending } = usePost(accountEndpoints.requestReset);
  const form = useForm({
    initialValues: { username: isHydrated ? known : '' },
    validate: schemaResolver(resetRequestForm, { sync: true }),
  });
  const request = ({ username }: { username: string }) =>
    mutate(
      { username },
      {
        onSuccess: ({ data }) => {
          clearNotices();
          onSent(
            keepResetStage({ userTag: data.tag, username: username.trim(), sentAt: Date.now(), cancelled: false }),
          );
          notify(notices.codeSent);
        },
        onError: (failure) => {
          if (!isTooSoon(failure)) notify(notices.resetRequestFailed);
          else if (sent !== undefined && isSame(sent.username, username) && isAlive(sent, Date.now()))
            onSent(keepResetStage({ ...sent, cancelled: false }));
          else form.setFieldError('username', failure.message);
        },
      },
    );
  return (
    <Stack gap="lg">
      <Stack gap="xxs">
        <Title order={1}>Reset Password</Title>
        <Text c="dimmed">We'll send a code to the phone number or email you signed up with.</Text>
      </Stack>
      <SubmitForm
        onSubmit={form.onSubmit(request, (errors) => focusFirstInvalid(form, fields, errors))}
        submitting={isPending}
        action={urlOf(accountEndpoints.requestReset)}
        onTyped={({ username = known }) => form.setValues({ username })}
      >
        <Stack gap="md">
          <UsernameInput ref={input} name="username" label="Phone or Email" {...form.getInputProps('username')} />
          <Button type="submit" fullWidth disabled={isPending}>
            Change Password
          </Button>
        </Stack>
      </SubmitForm>
      <Anchor component={Link} to={paths.login} w="fit-content" py="sm">
        Sign in
      </Anchor>
    </Stack>
  );
}
