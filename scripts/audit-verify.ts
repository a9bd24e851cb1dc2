import { parseArgs } from 'node:util';
import { openTool, sayFailure } from '#scripts/operator/open-tool.ts';
import { verifyAudit } from '#server/audit/audit.service.ts';
import type { Testimony } from '#server/audit/witness.ts';
import { ConfigError } from '#server/config/config.ts';
import { readEnvFile } from '#server/config/env-file.ts';
import { StartError } from '#server/db/connect/connect.ts';

/**
 * `npm run audit:verify`: proves the audit log on the server's own database; the server may run. Exit codes: 0 the log
 * is as it was written, 1 it is not, 2 it could not be read.
 */

const SHOWN = 50;
const NOT_LOOKED = 2;

try {
  process.exitCode = await main(readSeals(readEnvFile(process.argv.slice(2))));
} catch (error) {
  process.exitCode = explain(error);
}

/** An error of any kind: nothing was proved or disproved. */
function explain(error: unknown): number {
  sayFailure('The audit log could not be read', error);
  return NOT_LOOKED;
}

/** `--seal 42:<64 digits>`, as often as there are mails of `AUDIT_WITNESS_EMAIL` to compare with. */
function readSeals(args: string[]): Testimony[] {
  const { values } = parseArgs({ args, options: { seal: { type: 'string', multiple: true, default: [] } } });
  return values.seal.map((text) => {
    const [, number = '', seal = ''] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
    if (seal === '')
      throw new ConfigError(`--seal takes a number and a seal as they were mailed, 42:9f…, not ${text}.`);
    return { number: Number(number), seal };
  });
}

async function main(mailed: readonly Testimony[]): Promise<number> {
  const { platform, close } = await openTool({}, (error) => process.exit(explain(error)));
  try {
    const { events, subjects, anchors, witnessed, invoices, uncovered, faults, unread } = await verifyAudit(
      platform,
      mailed,
    );
    const size = `${events} events in ${subjects} chains, ${anchors} anchors`;
    const compared = `${invoices - uncovered} of ${invoices} invoices are as the record tells; ${uncovered} are not covered by the record.`;
    const known =
      witnessed === undefined
        ? 'No witness was asked: an end that was taken away with its anchors cannot be seen. Set AUDIT_WITNESS.'
        : `A witness outside the database knows it up to anchor ${witnessed}.`;
    if (faults.length === 0 && unread !== undefined) throw new StartError(`${unread}. All else is as it was written.`);
    if (faults.length === 0) {
      process.stdout.write(`The audit log is as it was written: ${size}.\n${compared}\n${known}\n`);
      return 0;
    }
    const more = faults.length > SHOWN ? [`… and ${faults.length - SHOWN} more`] : [];
    const lines = [`${faults.length} faults in ${size}:`, ...faults.slice(0, SHOWN), ...more, known];
    if (uncovered > 0) lines.push(`${uncovered} of ${invoices} invoices are not covered by the record.`);
    process.stdout.write(`${lines.join('\n')}\n`);
    return 1;
  } finally {
    await close();
  }
}
