import { PasswordInput, type PasswordInputProps } from '@mantine/core';

interface CurrentPasswordInputProps extends PasswordInputProps {
  readonly username: string;
}

/** Where somebody proves with their password that it is still them. */
export function CurrentPasswordInput({ username, ...props }: CurrentPasswordInputProps) {
  return (
    <>
      {/* Tells password managers whose password this is. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput label="Current password" autoComplete="current-password" {...props} />
    </>
  );
}
