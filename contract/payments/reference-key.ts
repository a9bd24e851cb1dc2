/** A payment's reference for comparison: people write the bank's with spaces and in capitals, or not. */
export function referenceKey(reference: string): string {
  return reference.replaceAll(/\s/g, '').toLowerCase();
}
