import { describe, expect, it } from 'vitest';
import { readCommand, UsageError } from './user-command.ts';

const phone = { kind: 'phone', value: '0766000031' };

describe('reading the command line', () => {
  it.each([
    [['create', '--username', '0766000031'], { name: 'create', perms: [], firstName: null, lastName: null }],
    [
      ['create', '--admin', '--first-name', ' Grace ', '--last-name', 'Atim', '--username', '+256 766 000 031'],
      { name: 'create', perms: ['KADMIN'], firstName: 'Grace', lastName: 'Atim' },
    ],
    [['--username=0766000031', '--staff', 'create'], { name: 'create', perms: ['KSTAF'] }],
    [['create', '--username', '\u202a00256 (0)766-000-031\u202c'], { name: 'create' }],
    [['create', '--username', 'tel:766.000.031'], { name: 'create' }],
    [['grant', '--username', '0766000031', '--perm', 'kadmin'], { name: 'grant', perm: 'KADMIN' }],
    [['revoke', '--username', '0766000031', '--perm', 'BIDA'], { name: 'revoke', perm: 'BIDA' }],
    [['reset-password', '--username', '0766000031'], { name: 'reset-password' }],
    [['reset-second-factor', '--username', '0766000031'], { name: 'reset-second-factor' }],
  ])('reads %j', (args, command) => {
    expect(readCommand(args)).toMatchObject({ ...command, username: phone });
  });

  it.each([
    [['create'], '--username takes an email address or a phone number such as 0700000001.'],
    [['create', '--username', 'grace'], '--username takes an email address or a phone number such as 0700000001.'],
    [['--username', '0766000031'], 'A command is missing.'],
    [['delete', '--username', '0766000031'], "There is no command 'delete'."],
    [['create', '--username', '0766000031', '--admin', '--staff'], 'Give one of --admin and --staff.'],
    [['create', '--username', '0766000031', '--perm', 'KADMIN'], '--perm does not belong to this command.'],
    [['reset-password', '--username', '0766000031', '--admin'], '--admin does not belong to this command.'],
    [['reset-second-factor', '--username', '0766000031', '--staff'], '--staff does not belong to this command.'],
    [['create', '--username', '0766000031', '--first-name', 'G'], 'First name should have at least 2 letters.'],
    [['create', '--username', '0766000031', '--last-name', ''], 'Last name should have at least 2 letters.'],
    [['grant', '--username', '0766000031'], '--perm takes one of BIDA, KADMIN, KSTAF.'],
    [['grant', '--username', '0766000031', '--perm', 'ROOT'], '--perm takes one of BIDA, KADMIN, KSTAF.'],
    [['grant', '--username'], "Option '--username <value>' argument missing."],
    [['create', '--username', '0766000031', '--admin=yes'], "Option '--admin' does not take an argument."],
    [['create', 'Secret-123', '--username', '0766000031'], 'One command at a time; everything else begins with --.'],
    [['create', '--username', '0766000031', '--password', 'Secret-123'], "Unknown option '--password'."],
    [['create', '--username', '0766000031', '--password=Secret-123'], "Unknown option '--password'."],
  ])('reports the error in %j', (args, message) => {
    expect(() => readCommand(args)).toThrow(new UsageError(message));
  });
});
