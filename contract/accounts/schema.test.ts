import { describe, expect, it } from 'vitest';
import { loginForm, loginReply, newPassword } from './schema.ts';

const reply = (perms: readonly string[]) => ({
  success: true,
  user: {
    tag: '7f2c1b0e-8f6c-4c57-9d55-6f0b2a1d3c4e',
    username: '0700000001',
    firstName: null,
    lastName: null,
    bizName: null,
    bizTag: null,
    perms,
    roles: [],
    clientUITimeoutMinutes: 15,
    appVersion: '1.0.0',
  },
});

describe('the login answer', () => {
  it('carries permission codes in either case, read in upper case', () => {
    expect(loginReply.parse(reply(['bida', 'Kstaf', 'KADMIN'])).user.perms).toEqual(['BIDA', 'KSTAF', 'KADMIN']);
    expect(loginReply.parse(reply([])).user.perms).toEqual([]);
  });

  it('carries no other codes', () => {
    for (const code of ['ROOT', 'bida ', '']) expect(loginReply.safeParse(reply([code])).success).toBe(false);
  });
});

describe('a new password', () => {
  const password = newPassword('Too short');
  const messageOf = (typed: string) => password.safeParse(typed).error?.issues[0]?.message;

  it.each([8, 9, 255, 256])('may have %i characters, and is taken as typed', (length) => {
    const typed = ` ${'é'.repeat(length - 2)} `;
    expect(password.parse(typed)).toBe(typed);
    expect(loginForm.parse({ username: 'a@example.com', password: typed }).password).toBe(typed);
  });

  it('is of 8 characters at least and of 256 at most', () => {
    expect(messageOf('x'.repeat(7))).toBe('Too short');
    expect(messageOf('x'.repeat(257))).toBe('Password must be at most 256 characters');
  });
});
