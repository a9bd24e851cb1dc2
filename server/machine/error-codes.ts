/** The `code` that Node and pg set on their errors (`ENOENT`, `57P03`), if there is one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns a handler that swallows errors with these codes and rethrows all others. */
export function unlessCode(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error) ?? '')) throw error;
    return undefined;
  };
}
