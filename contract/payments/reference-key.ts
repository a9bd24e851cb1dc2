/**
 * A payment's reference for comparison: people write the bank's with spaces and in capitals, or not. The same as PostgreSQL's
 * reference_key(): only A to Z are folded and only spaces of ASCII left out, because other letters fold by locale.
 */
export function referenceKey(reference: string): string {
  return reference.replaceAll(/[ \t-\r]/g, '').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
