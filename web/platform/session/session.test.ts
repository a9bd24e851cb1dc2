import { afterEach, describe, expect, it } from 'vitest';
import { isClient, isStaff } from '#contract/permissions.ts';
import { readText, removeStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';
import { currentUser, endedBeforeOpening, forgetEndedSession, forgetSession, keepSession } from './session.ts';

function storeAnswer(perms: readonly string[], more: Readonly<Record<string, unknown>> = {}): void {
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

/** Resets everything to that of a new device. A login deletes what is known of an ended session. */
afterEach(() => {
  storeAnswer([]);
  const user = currentUser();
  if (user !== null) keepSession({ success: true, user });
  forgetSession();
  removeStored(storageKeys.unsentAnswer);
});

describe("the session's user", () => {
  it('has permission codes in upper case, even if the reply has lower case', () => {
    storeAnswer(['kstaf']);
    expect(currentUser()?.perms).toEqual(['KSTAF']);
    expect(isStaff(currentUser() ?? { perms: [] })).toBe(true);
    storeAnswer(['Bida']);
    expect(isClient(currentUser() ?? { perms: [] })).toBe(true);
  });

  it('may have no timeout', () => {
    storeAnswer(['BIDA'], { clientUITimeoutMinutes: undefined });
    expect(currentUser()).toMatchObject({ username: 'staff@kasente.test' });
    expect(currentUser()?.clientUITimeoutMinutes).toBeUndefined();
  });

  it('is null if the reply is invalid', () => {
    storeAnswer(['somebody else']);
    expect(currentUser()).toBeNull();
  });
});

describe('a person’s data on the device', () => {
  const MINUTE = 60_000;
  const { auth, allBusinesses, lastVisit, lastActivity, unsentAnswer } = storageKeys;
  const kept = () =>
    [auth, allBusinesses, lastVisit, lastActivity, unsentAnswer].filter((key) => readText(key) !== null);

  function leave(minutesAgo: number, minutes = 15): void {
    storeAnswer(['KSTAF'], { clientUITimeoutMinutes: minutes });
    writeStored(lastActivity, { activeAt: Date.now() - minutesAgo * MINUTE, pingedAt: 0 });
    for (const key of [allBusinesses, lastVisit, unsentAnswer]) writeStored(key, 'of the person');
  }

  it('is deleted if the page is opened after their session must have ended, except drafts', () => {
    leave(15);
    forgetEndedSession();
    expect(kept()).toEqual([unsentAnswer]);
    expect(currentUser()).toBeNull();
    expect(endedBeforeOpening()).toBe('7f2c1b0e-8f6c-4c57-9d55-6f0b2a1d3c4e');
  });

  it('stays while the session lasts, and if its duration is unknown', () => {
    leave(14);
    forgetEndedSession();
    expect(kept()).toHaveLength(5);
    storeAnswer(['KSTAF']);
    writeStored(lastActivity, 'odd');
    forgetEndedSession();
    expect(currentUser()).not.toBeNull();
  });

  it('is deleted when somebody else logs in, and stays when the same person is confirmed', () => {
    leave(1);
    const user = currentUser();
    if (user === null) throw new Error('somebody is signed in');
    keepSession({ success: true, user });
    expect(kept()).toHaveLength(5);
    keepSession({ success: true, user: { ...user, tag: '00000000-8f6c-4c57-9d55-6f0b2a1d3c4e' } });
    expect(kept()).toEqual([auth, unsentAnswer]);
    expect(endedBeforeOpening()).toBeUndefined();
  });
});
