import { describe, expect, it } from 'vitest';
import { refuseGuessable } from './password-policy.ts';

const refusal = async (password: string, username = 'sarah@example.com') => {
  try {
    await refuseGuessable('password', password, username);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe('a new password', () => {
  it.each(['password', 'Password', 'iloveyou1', '12345678', 'qwertyuiop'])(
    'must not be among the most common: %s',
    async (password) => {
      expect(await refusal(password)).toBe('PASSWORD_COMMON');
    },
  );

  it.each(['Kasente2026!', 'kasente1', 'K@s3nt3!!', '!!Uganda256', 'Kampala2026', 'inv0ice-2026', 'Factoring#1'])(
    'must not be a decorated word of the product: %s',
    async (password) => {
      expect(await refusal(password)).toBe('PASSWORD_COMMON');
    },
  );

  it('must not be the username, however it is written', async () => {
    expect(await refusal('+256 772 123 456', '0772123456')).toBe('PASSWORD_IS_USERNAME');
    expect(await refusal('SARAH@example.com')).toBe('PASSWORD_IS_USERNAME');
  });

  it.each(['correct horse battery', 'Kasente-demo-1', 'my invoice is paid late', 'ÄÖÜ äöü 12', 'mbwa-nte-embuzi'])(
    'may be anything else, in any characters: %s',
    async (password) => {
      expect(await refusal(password)).toBeUndefined();
    },
  );
});
