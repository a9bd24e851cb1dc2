import { describe, expect, it } from 'vitest';
import { type Action, isClient, isStaff, may, mayOnPerson, type PermissionCode, roleNames } from './permissions.ts';

const actor = (...perms: PermissionCode[]) => ({ tag: perms.join('+') || 'nobody', perms });

/** The table of permissions, written out independently. */
const table: Readonly<Record<Action, { BIDA: boolean; KSTAF: boolean; KADMIN: boolean }>> = {
  'account.secondFactor': { BIDA: false, KSTAF: true, KADMIN: true },
  'people.list': { BIDA: false, KSTAF: true, KADMIN: true },
  'people.update': { BIDA: false, KSTAF: true, KADMIN: true },
  'people.deactivate': { BIDA: false, KSTAF: true, KADMIN: true },
  'people.setRoles': { BIDA: false, KSTAF: false, KADMIN: true },
  'people.resetSecondFactor': { BIDA: false, KSTAF: false, KADMIN: true },
  'businesses.list': { BIDA: false, KSTAF: true, KADMIN: true },
  'businesses.edit': { BIDA: false, KSTAF: true, KADMIN: true },
  'businesses.people': { BIDA: false, KSTAF: true, KADMIN: true },
  'profiles.all': { BIDA: false, KSTAF: true, KADMIN: true },
  'invoices.view': { BIDA: true, KSTAF: true, KADMIN: true },
  'invoices.edit': { BIDA: true, KSTAF: false, KADMIN: false },
  'applications.edit': { BIDA: true, KSTAF: false, KADMIN: false },
  'applications.submit': { BIDA: true, KSTAF: false, KADMIN: false },
  'documents.view': { BIDA: true, KSTAF: true, KADMIN: true },
  'documents.edit': { BIDA: true, KSTAF: false, KADMIN: false },
  'desk.view': { BIDA: false, KSTAF: true, KADMIN: true },
  'desk.decide': { BIDA: false, KSTAF: true, KADMIN: true },
  'payoutAccounts.own': { BIDA: true, KSTAF: false, KADMIN: false },
  'payoutAccounts.freeze': { BIDA: true, KSTAF: true, KADMIN: true },
  'payoutAccounts.verify': { BIDA: false, KSTAF: true, KADMIN: true },
  'payments.record': { BIDA: false, KSTAF: true, KADMIN: true },
  'limits.own': { BIDA: true, KSTAF: false, KADMIN: false },
  'limits.all': { BIDA: false, KSTAF: true, KADMIN: true },
  'limits.set': { BIDA: false, KSTAF: true, KADMIN: true },
  'evidence.export': { BIDA: false, KSTAF: true, KADMIN: true },
  'figures.own': { BIDA: true, KSTAF: false, KADMIN: false },
  'journal.view': { BIDA: false, KSTAF: true, KADMIN: true },
  'journal.trialBalance': { BIDA: false, KSTAF: false, KADMIN: true },
  'figures.all': { BIDA: false, KSTAF: true, KADMIN: true },
};

// The keys of a record typed by Action are its actions.
const rows = Object.entries(table) as [Action, (typeof table)[Action]][];

describe('permissions', () => {
  it.each(rows)('allow %s to the right roles only', (action, expected) => {
    for (const code of ['BIDA', 'KSTAF', 'KADMIN'] as const) expect(may(actor(code), action)).toBe(expected[code]);
    expect(may(actor(), action)).toBe(false);
  });

  it('leave staff reading only, also staff who are clients besides', () => {
    for (const action of ['invoices.edit', 'applications.edit', 'applications.submit', 'documents.edit'] as const) {
      expect(may(actor('BIDA', 'KSTAF'), action)).toBe(false);
      expect(may(actor('BIDA', 'KADMIN'), action)).toBe(false);
    }
    expect(may(actor('BIDA', 'KSTAF'), 'invoices.view')).toBe(true);
    expect(isClient(actor('BIDA', 'KSTAF'))).toBe(false);
    expect(isStaff(actor('KSTAF'))).toBe(true);
  });
});

it('roles are shown by the names of the specification', () => {
  expect(roleNames).toEqual({ BIDA: 'Business client', KADMIN: 'Administrator', KSTAF: 'Staff' });
});

describe('codes in lower case', () => {
  // A list from elsewhere may use lower case, although the type says upper case.
  const written = (...perms: string[]) => ({ tag: 'somebody', perms: perms as PermissionCode[] });

  it('are compared in upper case', () => {
    expect(isStaff(written('kstaf'))).toBe(true);
    expect(isStaff(written('Kadmin'))).toBe(true);
    expect(isClient(written('bida'))).toBe(true);
    expect(isClient(written('bida', 'kstaf'))).toBe(false);
    expect(may(written('bida'), 'invoices.edit')).toBe(true);
    expect(may(written('bida', 'kadmin'), 'invoices.edit')).toBe(false);
    expect(may(written('kstaf'), 'people.setRoles')).toBe(false);
    expect(may(written('kadmin'), 'people.setRoles')).toBe(true);
    expect(mayOnPerson(written('kadmin'), 'people.update', written('kstaf'))).toBe(true);
    expect(mayOnPerson(written('kstaf'), 'people.update', written('kadmin'))).toBe(false);
  });

  it('are unknown if they are misspelt', () => {
    expect(isStaff(written('kstaff'))).toBe(false);
    expect(isClient(written(' bida'))).toBe(false);
  });
});

describe('an action on a person', () => {
  const client = { tag: 'client', perms: ['BIDA'] as const };
  const colleague = { tag: 'colleague', perms: ['KSTAF'] as const };

  it('is open to KSTAF on clients, never on staff', () => {
    const staff = actor('KSTAF');
    expect(mayOnPerson(staff, 'people.update', client)).toBe(true);
    expect(mayOnPerson(staff, 'people.deactivate', client)).toBe(true);
    expect(mayOnPerson(staff, 'people.update', colleague)).toBe(false);
    expect(mayOnPerson(staff, 'people.deactivate', colleague)).toBe(false);
    expect(mayOnPerson(staff, 'people.setRoles', client)).toBe(false);
    expect(mayOnPerson(staff, 'people.resetSecondFactor', client)).toBe(false);
    expect(mayOnPerson(staff, 'people.resetSecondFactor', colleague)).toBe(false);
  });

  it('is open to KADMIN on everybody, but not to deactivate themselves, nor to change their own roles or second factor', () => {
    const admin = actor('KADMIN');
    expect(mayOnPerson(admin, 'people.deactivate', colleague)).toBe(true);
    expect(mayOnPerson(admin, 'people.setRoles', colleague)).toBe(true);
    expect(mayOnPerson(admin, 'people.update', admin)).toBe(true);
    expect(mayOnPerson(admin, 'people.deactivate', admin)).toBe(false);
    expect(mayOnPerson(admin, 'people.setRoles', admin)).toBe(false);
    expect(mayOnPerson(admin, 'people.resetSecondFactor', colleague)).toBe(true);
    expect(mayOnPerson(admin, 'people.resetSecondFactor', admin)).toBe(false);
  });
});
