import { PasswordInput, type PasswordInputProps } from '@mantine/core';

interface CurrentPasswordInputProps extends PasswordInputProps {
  readonly username: string;
}

/** The current password, as proof that it is still the same person. */
export function CurrentPasswordInput({ username, ...props }: CurrentPasswordInputProps) {
  return (
    <>
      {/* Tells password managers whose password this is. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput label="Current password" autoComplete="current-password" {...props} />
    </>
  );
}
