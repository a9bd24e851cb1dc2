import { parseArgs } from 'node:util';
import { readUsername, type Username } from '#contract/accounts/username.ts';
import { updatePersonBody } from '#contract/people/schema.ts';
import { type PermissionCode, permissionCodes } from '#contract/permissions.ts';

/** The commands of `npm run user -- …`. */

export const USAGE = `Usage: npm run user -- <command> --username <email or phone number> [options]

  create          Add a user who can log in at once.
                  [--admin | --staff] [--first-name <name>] [--last-name <name>]
  grant           Give a permission.            --perm ${permissionCodes.join('|')}
  revoke          Remove a permission; ends the user's sessions.   --perm ${permissionCodes.join('|')}
  reset-password  Set a new password; ends the user's sessions.
  reset-second-factor
                  Remove a lost second factor; ends the user's sessions.

create and reset-password ask for the password, or read it from the first line of standard input.
It is never taken from the command line, where other users of the machine could see it.

It reads the server's settings (DATABASE_URL or DATA_DIR, SECRET_KEY, .env, or the file that --env-file names),
and says first which database it works on. The server must have been started on it once, and may be running.
Exit codes: 0 done, 1 refused or failed, 2 not understood.
`;

/** An invalid command line, printed with the usage; exit code 2. */
export class UsageError extends Error {}

export type Command = { readonly username: Username } & (
  | {
      readonly name: 'create';
      readonly perms: readonly PermissionCode[];
      readonly firstName: string | null;
      readonly lastName: string | null;
    }
  | { readonly name: 'grant' | 'revoke'; readonly perm: PermissionCode }
  | { readonly name: 'reset-password' | 'reset-second-factor' }
);

/** Reads the command line; throws {@link UsageError}. */
export function readCommand(args: readonly string[]): Command {
  const { positionals, values } = parse(args);
  const [name, ...more] = positionals;
  if (more.length > 0) throw new UsageError('One command at a time; everything else begins with --.');
  const username = readUsername(values.username ?? '');
  if (username === undefined) {
    throw new UsageError('--username takes an email address or a phone number such as 0700000001.');
  }
  const given = Object.keys(values);
  switch (name) {
    case 'create': {
      refuseOthers(given, ['admin', 'staff', 'first-name', 'last-name']);
      const perms = [...(values.admin ? ['KADMIN' as const] : []), ...(values.staff ? ['KSTAF' as const] : [])];
      if (perms.length > 1) throw new UsageError('Give one of --admin and --staff.');
      const firstName = readName('firstName', values['first-name']);
      return { name, username, perms, firstName, lastName: readName('lastName', values['last-name']) };
    }
    case 'grant':
    case 'revoke': {
      refuseOthers(given, ['perm']);
      const perm = permissionCodes.find((code) => code === values.perm?.toUpperCase());
      if (perm === undefined) throw new UsageError(`--perm takes one of ${permissionCodes.join(', ')}.`);
      return { name, username, perm };
    }
    case 'reset-password':
    case 'reset-second-factor':
      refuseOthers(given, []);
      return { name, username };
    default:
      throw new UsageError(name === undefined ? 'A command is missing.' : `There is no command '${name}'.`);
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        username: { type: 'string' },
        admin: { type: 'boolean' },
        staff: { type: 'boolean' },
        'first-name': { type: 'string' },
        'last-name': { type: 'string' },
        perm: { type: 'string' },
      },
    });
  } catch (error) {
    // Node's first sentence never contains a value, which might be a password.
    const [sentence = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`);
  }
}

function refuseOthers(given: readonly string[], expected: readonly string[]): void {
  const other = given.find((option) => option !== 'username' && !expected.includes(option));
  if (other !== undefined) throw new UsageError(`--${other} does not belong to this command.`);
}

/** Validates a name as the Update Person form does. */
function readName(field: 'firstName' | 'lastName', value: string | undefined): string | null {
  if (value === undefined) return null;
  const parsed = updatePersonBody.shape[field].safeParse(value);
  if (!parsed.success) throw new UsageError(`${parsed.error.issues[0]?.message}.`);
  return parsed.data;
}
