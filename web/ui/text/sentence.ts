/** Ends a refusal with a full stop; some have one already. */
export function sentence(said: string): string {
  return said.endsWith('.') ? said : `${said}.`;
}
