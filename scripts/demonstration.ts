import { parseArgs } from 'node:util';
import { failing, openToFill, runCommand } from '#scripts/operator/open-tool.ts';
import { DEMONSTRATION_PASSWORD, demonstrationLogins } from '#server/config/demonstration-people.ts';
import {
  createDemonstration,
  DemonstrationError,
  resetDemonstration,
} from '#server/demonstration/demonstration.service.ts';
import type { Platform } from '#server/platform/platform.ts';

/** `npm run demonstration -- …`: creates or resets the demonstration in the database that the settings name. */

const USAGE = `Usage: npm run demonstration -- <command>

  create  Put the demonstration into the database, which must have nobody in it yet.
  reset   Delete everything in the database, and its documents, and put the demonstration there. No server may run.
          [--everything-in <name of the database>]  Where other people or businesses are in it, who are deleted too.

It reads the server's settings (DATABASE_URL and STORAGE_URL, or DATA_DIR; .env, or --env-file FILE), and refuses in production.
Exit codes: 0 done, 1 refused or failed, 2 not understood.
`;

const tool = {
  usage: USAGE,
  open: openToFill,
  fail: failing('Nothing was done', { foreseen: [DemonstrationError] }),
};
await runCommand(tool, async (args, use) => {
  const work = readCommand(args);
  if (work === undefined) return undefined;
  await use(work);
  const logins = demonstrationLogins.map(({ username, who }) => `  ${username.padEnd(20)} ${who}\n`);
  process.stdout.write(
    `The demonstration is there. The password of each is ${DEMONSTRATION_PASSWORD}:\n${logins.join('')}`,
  );
  return 0;
});

function readCommand(args: string[]): ((platform: Platform) => Promise<void>) | undefined {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'everything-in': { type: 'string' } },
    });
    const everythingIn = values['everything-in'];
    if (positionals.join() === 'create' && everythingIn === undefined) return createDemonstration;
    return positionals.join() === 'reset' ? (platform) => resetDemonstration(platform, everythingIn) : undefined;
  } catch {
    return undefined;
  }
}
