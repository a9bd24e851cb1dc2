import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { PermissionCode } from '#contract/permissions.ts';
import { openTool, runCommand } from '#scripts/operator/open-tool.ts';
import { operatorOf } from '#scripts/operator/operator.ts';
import { type Command, readCommand, USAGE, UsageError } from '#scripts/operator/user-command.ts';
import { AppError } from '#server/calls/app-error.ts';
import { ConfigError } from '#server/config/config.ts';
import { StartError } from '#server/installation/connect.ts';
import {
  changePermission,
  createUser,
  OperatorError,
  resetPassword,
  resetSecondFactor,
} from '#server/people/operator.service.ts';
import type { Platform } from '#server/platform/platform.ts';

/** `npm run user -- …`: adds users and sets their permissions and passwords. */

await runCommand({ open: openTool(), fail: explain }, async (args, use) => {
  if (args.length === 0 || args[0] === 'help' || args.includes('--help')) {
    process.stdout.write(USAGE);
    return args.length === 0 ? 2 : 0;
  }
  const command = readCommand(args);
  const asksPassword = command.name === 'create' || command.name === 'reset-password';
  await use(async (platform) => {
    const password = asksPassword ? await readPassword() : '';
    process.stdout.write(`${await run(platform, command, password)}\n`);
  });
  return 0;
});

async function run(platform: Platform, command: Command, password: string): Promise<string> {
  const operator = operatorOf(platform, 'user');
  const { value: username } = command.username;
  switch (command.name) {
    case 'create':
      await createUser(platform, operator, { ...command, password });
      return `${username} can log in now, with ${describe(command.perms)}.`;
    case 'grant':
    case 'revoke': {
      const change = { grant: command.name === 'grant', perm: command.perm };
      return `${username} now has ${describe(await changePermission(platform, operator, username, change))}.`;
    }
    case 'reset-password':
      await resetPassword(platform, operator, username, password);
      return `${username} has the new password and is logged out everywhere.`;
    case 'reset-second-factor':
      await resetSecondFactor(platform, operator, username);
      return `${username} has no second factor any more and is logged out everywhere.`;
  }
}

function describe(perms: readonly PermissionCode[]): string {
  return perms.length === 0 ? 'no permission' : perms.join(' and ');
}

/** Asks twice, hidden, at a terminal; otherwise reads the first line of standard input. */
async function readPassword(): Promise<string> {
  try {
    if (!process.stdin.isTTY) return await readLine({ prompt: '' });
    const password = await readLine({ prompt: 'New password: ' });
    if ((await readLine({ prompt: 'Once more: ' })) === password) return password;
    throw new OperatorError('The two passwords are not the same.');
  } finally {
    process.stdin.destroy(); // an open input would keep the process running
  }
}

function readLine({ prompt }: { readonly prompt: string }): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY === true });
  process.stderr.write(prompt);
  return new Promise((settle, reject) => {
    let line: string | undefined;
    reader.once('line', (typed) => {
      line = typed;
      reader.close();
    });
    reader.once('close', () => {
      if (prompt !== '') process.stderr.write('\n');
      if (line === undefined) reject(new OperatorError('No password was given; nothing was changed.'));
      else settle(line);
    });
  });
}

/** Prints an error; returns the exit code. */
function explain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  const fields = error instanceof AppError ? Object.values(error.details.fields ?? {}) : [];
  const isOfMachine = error instanceof Error && 'syscall' in error;
  const isKnown = [AppError, OperatorError, ConfigError, StartError].some((kind) => error instanceof kind);
  const message = fields[0] ?? (error instanceof Error ? error.message : String(error));
  process.stderr.write(`Nothing was done: ${message}\n`);
  if (!isKnown && !isOfMachine && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return 1;
}
