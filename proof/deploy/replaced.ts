/** Replaces parts of a sample file's text; throws unless each occurs in it. */
export function replaced(text: string, others: Readonly<Record<string, string>>): string {
  return Object.entries(others).reduce((sofar, [from, to]) => {
    if (!sofar.includes(from)) throw new Error(`the file has no '${from}'`);
    return sofar.replaceAll(from, to);
  }, text);
}
