import { Anchor, Stack, TextInput } from '@mantine/core';
import { type ReactNode, type Ref, useState } from 'react';
import { APP_CODE_LENGTH } from '#contract/own-account/schema.ts';
import { PinEntry } from '#web/accounts/fields/pin-entry.tsx';

interface SecondFactorCodeInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** Called with all digits of the app's code when the last one is typed. */
  readonly onComplete?: (code: string) => void;
  readonly error?: ReactNode;
  readonly readOnly?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** The app's six digits, or a recovery code if the app is lost. */
export function SecondFactorCodeInput({ label, ref, onChange, onComplete, ...props }: SecondFactorCodeInputProps) {
  const [hasApp, setHasApp] = useState(true);
  const change = () => {
    setHasApp(!hasApp);
    onChange('');
  };
  return (
    <Stack gap={0}>
      {hasApp ? (
        <PinEntry
          {...props}
          ref={ref}
          label={label}
          length={APP_CODE_LENGTH}
          onChange={onChange}
          {...(onComplete === undefined ? {} : { onComplete })}
        />
      ) : (
        <TextInput
          {...props}
          ref={ref}
          label="Recovery code"
          description="One of the codes that you kept when you set the app up. Each works once."
          placeholder="XXXXX-XXXXX"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      <Anchor component="button" type="button" size="sm" ta="left" w="fit-content" py="sm" onClick={change}>
        {hasApp ? 'Use a recovery code' : 'Use the app'}
      </Anchor>
    </Stack>
  );
}
