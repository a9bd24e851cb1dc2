import { Anchor, Button, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import { CODE_LENGTH } from '#contract/accounts/schema.ts';
import { AskAgain } from '#web/accounts/ask-again.tsx';
import { PinEntry } from '#web/accounts/fields/pin-entry.tsx';
import { formatUsername } from '#web/accounts/fields/username.ts';
import type { LoginState } from '#web/accounts/login/login-state.ts';
import { clearNotices, notices, notify } from '#web/notices.ts';
import { paths } from '#web/paths.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { usePost } from '#web/platform/api/use-change.ts';
import { navigate } from '#web/platform/router/history.ts';
import { useSecondsLeft } from '#web/ui/dates/countdown.ts';
import { dropOtpData, endPinStage, keepSentPin, type PinStage } from './pin-stage.ts';
import { endSignupDraft } from './signup-draft.ts';

interface PinStepProps {
  readonly stage: PinStage;
  /** A new PIN was sent. */
  readonly onSent: (stage: PinStage) => void;
  /** The person wants to sign up with another phone number or e-mail. */
  readonly onGiveUp: () => void;
}

/** The second step of sign-up: the PIN, submitted as soon as it is complete (docs/specification-coverage.md, 2). */
export function PinStep({ stage, onSent, onGiveUp }: PinStepProps) {
  const [pin, setPin] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const left = useSecondsLeft(stage.expiresAt);
  const works = useSecondsLeft(stage.worksUntil) > 0;
  const resend = usePost(accountEndpoints.resendPin);
  const { verify, submit } = useSubmitPin(stage, () => {
    setPin('');
    input.current?.focus();
  });
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (left === 0) dropOtpData();
  }, [left]);

  const askAgain = () =>
    resend.mutate(
      { userTag: stage.userTag },
      {
        onSuccess: ({ msg }) => {
          onSent(keepSentPin(stage, { msg, message: msg }, Date.now()));
          notify(notices.codeResent);
          verify.reset();
          setPin('');
          input.current?.focus();
        },
      },
    );

  return (
    <Stack gap="lg">
      <div>
        <Title order={1} mb="xxs">
          Enter PIN
        </Title>
        <PinEntry
          ref={input}
          label="Enter PIN"
          labelHidden
          description={<WhereItWent stage={stage} />}
          length={CODE_LENGTH}
          value={pin}
          onChange={(digits) => {
            verify.reset();
            setPin(digits);
          }}
          onComplete={submit}
          readOnly={verify.isPending}
          error={verify.error?.message}
        />
        <Progress checking={verify.isPending} left={left} works={works} />
        {verify.isError && pin.length === CODE_LENGTH ? (
          <Button mt="sm" fullWidth onClick={() => submit(pin)}>
            Try again
          </Button>
        ) : null}
      </div>
      <AskAgain notBefore={stage.resendAt} asked={resend} onAsk={askAgain} />
      <Anchor component="button" type="button" ta="left" w="fit-content" py="sm" onClick={onGiveUp}>
        Use another phone number or email
      </Anchor>
    </Stack>
  );
}

/**
 * Submits the PIN. A right one leads to the login screen; a wrong one shows a toast and an error under the input
 * (section 8).
 */
function useSubmitPin(stage: PinStage, onWrong: () => void) {
  const verify = usePost(accountEndpoints.verifyUsername);
  const submit = (pin: string) =>
    verify.mutate(
      { userTag: stage.userTag, pin },
      {
        onSuccess: () => {
          endPinStage();
          endSignupDraft();
          clearNotices();
          notify(notices.signupSucceeded);
          void navigate(paths.login, { state: { username: stage.sentTo } satisfies LoginState });
        },
        onError: (failure) => {
          // Keeps a code that may still be right: the connection failed, or the server was restarting.
          if (!(failure instanceof ApiFailure) || failure.code === 'NETWORK' || failure.code === 'UNAVAILABLE') return;
          if (failure.code === 'WRONG_PIN') notify(notices.wrongPin);
          onWrong();
        },
      },
    );
  return { verify, submit };
}

function WhereItWent({ stage }: { readonly stage: PinStage }) {
  const by = stage.mode === 'email' ? 'by email' : 'by SMS';
  return (
    <Text component="span" size="md" c="var(--mantine-color-text)">
      We sent a 5-digit code {by} to <strong>{formatUsername(stage.sentTo)}</strong>.
    </Text>
  );
}

/** The seconds that a screen reader announces. Announcing every second would drown out everything else. */
const announced: ReadonlySet<number> = new Set([60, 30, 10]);

interface ProgressProps {
  readonly checking: boolean;
  /** Seconds left on the countdown. */
  readonly left: number;
  /** The server still accepts the code. */
  readonly works: boolean;
}

function Progress({ checking, left, works }: ProgressProps) {
  const expires = `Expires in ${left} seconds`;
  const over = works ? 'A late code still works. Or ask for a new one.' : 'This code has expired. Ask for a new one.';
  return (
    <>
      <Text c="dimmed" size="sm" mt="xs" role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {checking ? 'Checking…' : left > 0 ? expires : over}
      </Text>
      <VisuallyHidden role="status">
        {checking ? 'Checking' : left === 0 ? over : announced.has(left) ? expires : ''}
      </VisuallyHidden>
    </>
  );
}
