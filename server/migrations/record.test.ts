import { describe, expect, it } from 'vitest';
import { isOlder } from './record.ts';

describe('a release', () => {
  it.each([
    ['1.0.0', '1.0.0', false],
    ['1.9.9', '1.10.0', true],
    ['1.10.0', '1.9.9', false],
    ['0.1.0', '1.0.0', true],
    ['2.0.0-rc.1', '2.0.0', false],
  ])('takes %s for older than %s: %s', (release, other, older) => {
    expect(isOlder(release, other)).toBe(older);
  });
});
