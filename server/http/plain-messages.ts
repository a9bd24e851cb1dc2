import type { z } from 'zod';

/** Messages for schema errors that have none of their own, because people read `msg` and `fields`. */
export function plainMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This field is required' : `Give ${kindOf(issue.expected)}`;
    case 'too_small':
      return boundMessage('at least', issue.minimum, issue.origin);
    case 'too_big':
      return boundMessage('at most', issue.maximum, issue.origin);
    case 'invalid_value':
      return `Give one of: ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      // The last one is the schema itself; the others are ways to leave the value out.
      return issue.errors.at(-1)?.[0]?.message ?? NOT_VALID;
    default:
      return NOT_VALID;
  }
}

const NOT_VALID = 'This is not valid';

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object with fields',
  string: 'a text',
};

function kindOf(expected: string): string {
  return kinds[expected] ?? 'another kind of value';
}

function boundMessage(bound: 'at least' | 'at most', limit: number | bigint, origin: string): string {
  const written = limit.toLocaleString('en');
  if (origin === 'string') return `Use ${bound} ${written} characters`;
  return origin === 'array' ? `Give ${bound} ${written} entries` : `Give ${bound} ${written}`;
}
