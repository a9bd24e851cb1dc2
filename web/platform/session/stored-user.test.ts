import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loginReply } from '#contract/accounts/schema.ts';
import { readUser } from './stored-user.ts';

const user = {
  tag: '7f2c1b0e-8f6c-4c57-9d55-6f0b2a1d3c4e',
  username: '0700000001',
  firstName: null,
  lastName: 'Nabirye',
  bizName: 'Nakasero Traders Ltd',
  bizTag: '0B8F6C4C-57D9-0000-F0B2-A1D3C4E7F2C1',
  perms: ['bida', 'KSTAF'],
  roles: ['Business client'],
  clientUITimeoutMinutes: 15,
  appVersion: '1.0.0',
};

/** Values for a stored field, right for some fields and wrong for others. */
const anything = fc.oneof(
  fc.json().map((text): unknown => JSON.parse(text)),
  fc.constantFrom(null, '', 'ROOT', 0, -1.5, true, [], ['KADMIN'], ['kadmin', 'ROOT'], [null], {}, user.tag, user),
);

function expectSame(answer: unknown): void {
  expect(readUser(answer)).toEqual(loginReply.safeParse(answer).data?.user);
}

describe('a stored login reply is valid exactly if the contract accepts it', () => {
  it('for a valid one', () => {
    expect(readUser({ success: true, user })).toEqual({ ...user, perms: ['BIDA', 'KSTAF'] });
    expectSame({ success: true, user });
  });

  it('for any value in one of its fields', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(user)), anything, (field, value) =>
        expectSame({ success: true, user: { ...user, [field]: value } }),
      ),
      { numRuns: 1000 },
    );
  });

  it('for a missing field or one too many', () => {
    for (const field of Object.keys(user)) {
      const { [field]: _, ...rest } = Object.fromEntries(Object.entries(user));
      expectSame({ success: true, user: rest });
    }
    expect(readUser({ success: true, user: { ...user, token: 'x' } })).toBeUndefined();
    expect(readUser({ success: true, user: { ...user, constructor: 'x' } })).toBeUndefined();
    expect(readUser({ success: true, user, token: 'x' })).toBeUndefined();
    expect(readUser({ success: false, user })).toBeUndefined();
    expect(readUser({ user })).toBeUndefined();
  });

  it('for a value of another kind', () => {
    fc.assert(fc.property(anything, expectSame));
  });
});
