import { Button, Modal, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import { CODE_COOLDOWN_SECONDS, CODE_LENGTH, code } from '#contract/accounts/schema.ts';
import { AskAgain } from '#web/accounts/ask-again.tsx';
import { PinEntry } from '#web/accounts/fields/pin-entry.tsx';
import { formatUsername } from '#web/accounts/fields/username.ts';
import { notices, notify } from '#web/notices.ts';
import { usePost } from '#web/platform/api/use-change.ts';
import { keepResetStage, type ResetStage } from './reset-stage.ts';

interface ResetCodeModalProps {
  readonly stage: ResetStage;
  /** Another code was sent; the old one no longer works. */
  readonly onResent: (stage: ResetStage) => void;
  readonly onVerified: (otpTag: string) => void;
  readonly onCancel: () => void;
}

/** Asks for the 5-digit code of a password reset (docs/specification-coverage.md, 2). */
export function ResetCodeModal(props: ResetCodeModalProps) {
  return (
    <Modal
      opened
      onClose={props.onCancel}
      closeOnClickOutside={false}
      withCloseButton={false}
      title="Enter the code"
      size={400}
      returnFocus={false}
    >
      <CodeForm {...props} />
    </Modal>
  );
}

function CodeForm({ stage, onResent, onVerified, onCancel }: ResetCodeModalProps) {
  const [digits, setDigits] = useState('');
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const verify = usePost(accountEndpoints.verifyReset);
  const resend = usePost(accountEndpoints.requestReset);
  useEffect(() => input.current?.focus(), []);
  const clear = () => {
    setDigits('');
    input.current?.focus();
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (verify.isPending) return;
    const wrong = messageFor(digits);
    setProblem(wrong);
    if (wrong !== undefined) return input.current?.focus();
    verify.mutate(
      { userTag: stage.userTag, pin: digits },
      {
        onSuccess: ({ data }) => onVerified(data.tag),
        // Shown under the input instead of in a toast (docs/specification-coverage.md, 'Deliberate departures').
        onError: (failure) => {
          setProblem(failure.message);
          clear();
        },
      },
    );
  };
  const askAgain = () =>
    resend.mutate(
      { username: stage.username },
      {
        onSuccess: ({ data }) => {
          onResent(keepResetStage({ ...stage, userTag: data.tag, sentAt: Date.now() }));
          notify(notices.codeResent);
          setProblem(undefined);
          clear();
        },
      },
    );

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <PinEntry
          ref={input}
          label="Verification code"
          labelHidden
          description={<SentTo username={stage.username} />}
          length={CODE_LENGTH}
          value={digits}
          onChange={(typed) => {
            setDigits(typed);
            setProblem(undefined);
          }}
          onNotDigits={() => setProblem(messageFor('x'.repeat(CODE_LENGTH)))}
          readOnly={verify.isPending}
          error={problem}
        />
        <Button type="submit" fullWidth loading={verify.isPending}>
          Verify Code
        </Button>
        <AskAgain
          notBefore={stage.sentAt + CODE_COOLDOWN_SECONDS * 1000}
          asked={resend}
          onAsk={askAgain}
          beside={
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          }
        />
      </Stack>
    </form>
  );
}

/** Why the typed text is not a code yet, in the contract's words. */
function messageFor(typed: string): string | undefined {
  return code.safeParse(typed).error?.issues[0]?.message;
}

function SentTo({ username }: { readonly username: string }) {
  return (
    <Text component="span" size="md" c="var(--mantine-color-text)">
      If <strong>{formatUsername(username)}</strong> belongs to an account, a 5-digit code is on its way.
    </Text>
  );
}
