import { PasswordInput, type PasswordInputProps, Text } from '@mantine/core';
import { PASSWORD_MINIMUM, passwordStrength, strengthHint } from '#contract/accounts/password.ts';

/** A new password with the live hint on its strength (specification, section 5, 'Signup'). */
export function NewPasswordInput({ value, error, ...props }: PasswordInputProps & { readonly value?: string }) {
  return (
    <PasswordInput
      {...props}
      value={value}
      error={error}
      autoComplete="new-password"
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      // The hint may be the very reason why the password was not sent; it is said once.
      description={error === strengthHint(value ?? '') ? undefined : <Hint password={value ?? ''} />}
      descriptionProps={{ 'aria-live': 'polite' }}
    />
  );
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
