/** A value from outside as a record whose entries are yet to be looked at; an empty one where it is none. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
