import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PASSWORD_MINIMUM, passwordStrength, strengthHint } from '#contract/accounts/password.ts';

/** A field for a new password, with a live hint on its strength (docs/specification-coverage.md, 5). */
export function NewPasswordInput({ value, error, ...props }: PasswordInputProps & { readonly value?: string }) {
  return (
    <PasswordInput
      {...props}
      value={value}
      error={error}
      autoComplete="new-password"
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      // The hint neither repeats nor contradicts the error.
      description={error && isNeedless(error, value ?? '') ? undefined : <Hint password={value ?? ''} />}
      descriptionProps={{ 'aria-live': 'polite' }}
    />
  );
}

/**
 * An empty field's error already says enough. The error of a weak password may be the hint itself. For a refused
 * password the hint would say 'strong'.
 */
function isNeedless(error: ReactNode, password: string): boolean {
  return password === '' || error === strengthHint(password) || passwordStrength(password).id > 1;
}

function Hint({ password }: { readonly password: string }) {
  if (password === '') return `At least ${PASSWORD_MINIMUM} characters.`;
  const strong = passwordStrength(password).id > 1;
  return (
    <Text component="span" inherit c={strong ? 'var(--mantine-color-success)' : undefined}>
      {strengthHint(password)}
    </Text>
  );
}
