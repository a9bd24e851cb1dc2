import { parseArgs } from 'node:util';
import { failing, openTool, runCommand } from '#scripts/operator/open-tool.ts';
import { listDead } from '#server/messages/messages.queries.ts';
import type { Platform } from '#server/platform/platform.ts';

/** `npm run messages -- dead`: lists undelivered messages without their texts. */

const USAGE = `Usage: npm run messages -- dead

  dead  List the messages that were given up or expired before they were sent, newest first: when they were written,
        to whom, by which channel, their subject, and why they were not sent.

It reads the server's settings (DATABASE_URL or DATA_DIR; .env, or --env-file FILE). The server may be running.
Exit codes: 0 listed, 1 the database could not be read, 2 not understood.
`;
const SHOWN = 200;

const tool = { usage: USAGE, open: openTool(), fail: failing('The messages could not be listed') };
await runCommand(tool, async (args, use) => (isUnderstood(args) ? use(list) : undefined));

function isUnderstood(args: string[]): boolean {
  try {
    return parseArgs({ args, allowPositionals: true }).positionals.join() === 'dead';
  } catch {
    return false;
  }
}

async function list({ db }: Platform): Promise<number> {
  const dead = await listDead(db, SHOWN + 1);
  for (const { createdAt, channel, recipient, subject, state, lastError } of dead.slice(0, SHOWN)) {
    const reason = state === 'expired' ? `expired before it was sent${lastError ? `: ${lastError}` : ''}` : lastError;
    process.stdout.write(`${[createdAt.toISOString(), channel, recipient, subject, reason].join('\t')}\n`);
  }
  if (dead.length === 0) process.stdout.write('No message died.\n');
  if (dead.length > SHOWN) process.stdout.write(`These are the newest ${SHOWN}; there are more.\n`);
  return 0;
}
