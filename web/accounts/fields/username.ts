import { readUsername, type Username } from '#contract/accounts/username.ts';

/** A phone number or e-mail formatted for reading: 0772 123 456, never broken over two lines. */
export function formatUsername(typed: string): string {
  const username = readUsername(typed);
  if (username?.kind !== 'phone') return username?.value ?? typed;
  return username.value.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1\u00a0$2\u00a0$3');
}

/** The username field of the register call: exactly one of e-mail and phone (docs/specification-coverage.md, 3). */
export function usernameField({ kind, value }: Username): { email: string } | { phone: string } {
  return kind === 'email' ? { email: value } : { phone: value };
}
