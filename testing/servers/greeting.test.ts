import { describe, expect, it } from 'vitest';
import { greetedAddress } from './greeting.ts';

describe('the address that a server greets with', () => {
  it.each([
    ['a line of the log in production', '{"level":30,"msg":"Kasente runs at http://localhost:4000"}\n'],
    ['a line by itself', 'Kasente runs at http://localhost:4000\n'],
    [
      'several lines',
      '\nKasente runs at http://localhost:4000\nEmails are shown at http://localhost:4000/dev/messages\n',
    ],
  ])('is read from %s', (_form, output) => {
    expect(greetedAddress(output)).toBe('http://localhost:4000');
  });

  it.each([
    ['nothing', ''],
    ['another line', 'Making the demonstration\n'],
    ['half a greeting', 'Kasente runs at http://local'],
  ])('is not there yet in %s', (_form, output) => {
    expect(greetedAddress(output)).toBeUndefined();
  });
});
