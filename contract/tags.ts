/** Whether two tags are equal: UUIDs may be in either case. */
export function isSameTag(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}
