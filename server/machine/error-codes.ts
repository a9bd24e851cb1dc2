/** The `code` that Node and pg put on their errors (`ENOENT`, `57P03`), where there is one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns undefined for the error codes named, and throws every other error as it came. */
export function unlessCode(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error) ?? '')) throw error;
    return undefined;
  };
}
