import { afterEach, describe, expect, it } from 'vitest';
import { isClient, isStaff } from '#contract/permissions.ts';
import { currentUser, forgetSession } from '#web/platform/session.ts';
import { storageKeys, writeStored } from '#web/platform/storage.ts';

function keepAnswer(perms: readonly string[], more: Readonly<Record<string, unknown>> = {}): void {
  const user = {
    tag: '7f2c1b0e-8f6c-4c57-9d55-6f0b2a1d3c4e',
    username: 'staff@kasente.test',
    firstName: null,
    lastName: null,
    bizName: null,
    bizTag: null,
    perms,
    roles: [],
    clientUITimeoutMinutes: 15,
    appVersion: '1.0.0',
    ...more,
  };
  writeStored(storageKeys.auth, { success: true, user });
}

afterEach(forgetSession);

describe("the session's user", () => {
  it('has permission codes in upper case, however the answer writes them', () => {
    keepAnswer(['kstaf']);
    expect(currentUser()?.perms).toEqual(['KSTAF']);
    expect(isStaff(currentUser() ?? { perms: [] })).toBe(true);
    keepAnswer(['Bida']);
    expect(isClient(currentUser() ?? { perms: [] })).toBe(true);
  });

  it('may have no timeout', () => {
    keepAnswer(['BIDA'], { clientUITimeoutMinutes: undefined });
    expect(currentUser()).toMatchObject({ username: 'staff@kasente.test' });
    expect(currentUser()?.clientUITimeoutMinutes).toBeUndefined();
  });

  it('is nobody where the answer is not one', () => {
    keepAnswer(['somebody else']);
    expect(currentUser()).toBeNull();
  });
});
