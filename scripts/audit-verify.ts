import { parseArgs } from 'node:util';
import { failing, openTool, runCommand } from '#scripts/operator/open-tool.ts';
import { type Verification, verifyAudit } from '#server/audit/audit.service.ts';
import type { Testimony } from '#server/audit/witness.ts';
import { ConfigError } from '#server/config/config.ts';
import { StartError } from '#server/installation/connect.ts';

/**
 * `npm run audit:verify`: verifies the audit log in the server's database, even while a server runs. Exit codes: 0
 * valid, 1 faulty, 2 not read.
 */

const SHOWN = 50;

const tool = { open: openTool(), fail: failing('The audit log could not be read', { code: 2 }) };
await runCommand(tool, async (args, use) => {
  const mailed = readSeals(args);
  return report(await use((platform) => verifyAudit(platform, mailed)));
});

/** Each `--seal 42:<64 digits>` is a seal from a mail to `AUDIT_WITNESS_EMAIL`. */
function readSeals(args: string[]): Testimony[] {
  const { values } = parseArgs({ args, options: { seal: { type: 'string', multiple: true, default: [] } } });
  return values.seal.map((text) => {
    const [, number = '', seal = ''] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
    if (seal === '')
      throw new ConfigError(`--seal takes a number and a seal as they were mailed, 42:9f…, not ${text}.`);
    return { number: Number(number), seal };
  });
}

function report({ events, subjects, anchors, witnessed, invoices, uncovered, faults, unread }: Verification): number {
  const size = `${events} events in ${subjects} chains, ${anchors} anchors`;
  const compared = `${invoices - uncovered} of ${invoices} invoices match the audit log; ${uncovered} are not covered by it.`;
  const known =
    witnessed === undefined
      ? 'Without a witness, events that were removed together with their anchors can’t be detected. Set AUDIT_WITNESS.'
      : `A witness outside the database knows it up to anchor ${witnessed}.`;
  if (faults.length === 0 && unread !== undefined) throw new StartError(`${unread}. All else is as it was written.`);
  if (faults.length === 0) {
    process.stdout.write(`The audit log is as it was written: ${size}.\n${compared}\n${known}\n`);
    return 0;
  }
  const more = faults.length > SHOWN ? [`… and ${faults.length - SHOWN} more`] : [];
  const lines = [`${faults.length} faults in ${size}:`, ...faults.slice(0, SHOWN), ...more, known];
  if (uncovered > 0) lines.push(`${uncovered} of ${invoices} invoices are not covered by the audit log.`);
  process.stdout.write(`${lines.join('\n')}\n`);
  return 1;
}
