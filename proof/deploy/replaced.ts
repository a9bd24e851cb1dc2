/** Replaces parts of a sample file's text; each must be in it. */
export function replaced(text: string, others: Readonly<Record<string, string>>): string {
  return Object.entries(others).reduce((sofar, [from, to]) => {
    if (!sofar.includes(from)) throw new Error(`the file has no '${from}'`);
    return sofar.replaceAll(from, to);
  }, text);
}
