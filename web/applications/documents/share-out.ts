interface Lines {
  /** The line whose button was pressed: it takes the first file, also in place of another. */
  readonly from: number;
  /** Whether a line still misses a file. */
  readonly isFree: (line: number) => boolean;
}

/** Shares files out to the lines of documents in their order, one each; `left` files have no line. */
export function shareOut<File>(
  files: readonly File[],
  lines: readonly number[],
  { from, isFree }: Lines,
): { readonly shared: readonly (readonly [number, File])[]; readonly left: number } {
  const start = lines.indexOf(from);
  const takers = [from, ...[...lines.slice(start + 1), ...lines.slice(0, start)].filter(isFree)];
  const shared = takers.flatMap((line, index) => {
    const file = files[index];
    return file === undefined ? [] : [[line, file] as const];
  });
  return { shared, left: files.length - shared.length };
}
