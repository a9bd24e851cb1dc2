import { Anchor, Button, CopyButton, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import { APP_CODE_LENGTH, appCode } from '#contract/own-account/schema.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { fieldMessage } from '#web/accounts/accounts.api.ts';
import { PinEntry } from '#web/accounts/fields/pin-entry.tsx';
import { useTypedCode } from '#web/accounts/fields/use-typed-code.ts';
import { SecondFactorCodeInput } from '#web/accounts/login/second-factor-code-input.tsx';
import { ApiFailure } from '#web/platform/api/api.ts';
import { usePost } from '#web/platform/api/use-change.ts';
import { Refusal } from '#web/ui/forms/form-modal.tsx';
import { SubmitForm } from '#web/ui/forms/submit-form.tsx';
import { CurrentPasswordInput } from './current-password-input.tsx';
import { useConfirmSecondFactor } from './own-account.api.ts';
import { QrCode } from './qr-code.tsx';
import classes from './second-factor-setup.module.css';

interface Begun {
  readonly secret: string;
  readonly uri: string;
}

interface ProveStepProps {
  readonly username: string;
  /** A second factor is already in use, and must be proved too. */
  readonly replaces: boolean;
  /** Why the setup returned to this step. */
  readonly reason: string | undefined;
  readonly onBegun: (begun: Begun) => void;
}

/** The first step: the password again, and a code from the current app if there is one. */
export function ProveStep({ username, replaces, reason, onBegun }: ProveStepProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  // The secret is dropped from the cache as soon as nothing shows it.
  const begin = usePost(ownAccountEndpoints.beginSecondFactor, { gcTime: 0 });
  const passwordError = fieldMessage(begin.error, 'password');
  const codeError = fieldMessage(begin.error, 'code');
  const other = passwordError === undefined && codeError === undefined ? (begin.error?.message ?? reason) : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    begin.mutate({ password, code }, { onSuccess: onBegun });
  };
  return (
    <SubmitForm onSubmit={submit} submitting={begin.isPending}>
      <Stack gap="md">
        <Text>
          You need an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or Aegis.
        </Text>
        <Refusal>{other}</Refusal>
        <CurrentPasswordInput
          username={username}
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={passwordError}
        />
        {replaces && (
          <SecondFactorCodeInput
            label="Code from the app you have now"
            value={code}
            onChange={setCode}
            error={codeError}
          />
        )}
        <Button type="submit" fullWidth disabled={begin.isPending}>
          Continue
        </Button>
      </Stack>
    </SubmitForm>
  );
}

interface ScanStepProps {
  readonly begun: Begun;
  /** The setup ended before it was confirmed; says why. */
  readonly onEnded: (reason: string) => void;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
}

/** The second step: the person adds the secret to their app and types its first code. */
export function ScanStep({ begun, onEnded, onConfirmed }: ScanStepProps) {
  const confirm = useConfirmSecondFactor();
  const { field, submit, refuse } = useTypedCode(appCode, (code) =>
    confirm.mutate(
      { code },
      {
        onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
        onError: (failure) => {
          if (failure instanceof ApiFailure && failure.code === 'ENROLMENT_ENDED') onEnded(failure.message);
          else refuse(failure);
        },
      },
    ),
  );
  return (
    <SubmitForm onSubmit={submit} submitting={confirm.isPending}>
      <Stack gap="md">
        <Text>Scan this with the app. On this phone, open it in the app or type in the key.</Text>
        <div className={classes.secret}>
          <QrCode text={begun.uri} label="QR code for your authenticator app" />
          <Stack gap="xs" miw={0}>
            <Text size="sm" c="dimmed">
              Key
            </Text>
            <code className={classes.key}>{begun.secret.match(/.{1,4}/g)?.join(' ')}</code>
            <Anchor href={begun.uri} size="sm" py="sm">
              Open in the app
            </Anchor>
          </Stack>
        </div>
        <PinEntry {...field} label="Code that the app shows" length={APP_CODE_LENGTH} readOnly={confirm.isPending} />
        <Button type="submit" fullWidth disabled={confirm.isPending}>
          Confirm
        </Button>
      </Stack>
    </SubmitForm>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** The last step: the recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const text = `${PRODUCT_NAME} recovery codes. Each works once.\n\n${codes.join('\n')}\n`;
  return (
    <Stack gap="md">
      <Text>
        If you lose your phone, each code lets you in once. Keep them on paper or in a password manager. We won't show
        them again.
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.ways}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button
          component="a"
          variant="default"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={`${PRODUCT_NAME}-recovery-codes.txt`}
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          Download
        </Button>
      </div>
      <Button fullWidth onClick={onKept} data-autofocus>
        I have kept them
      </Button>
    </Stack>
  );
}
