import { verifyAudit } from '#server/audit/audit.service.ts';
import { ConfigError, readConfig } from '#server/platform/config.ts';
import { StartError } from '#server/platform/connect.ts';
import { readEnvFile } from '#server/platform/env-file.ts';
import { createLog } from '#server/platform/logging.ts';
import { openPlatform } from '#server/platform/open-platform.ts';

/**
 * `npm run audit:verify`: proves the audit log, on the server's own database, which may run meanwhile. Exit codes: 0 the
 * log is as it was written, 1 it is not, 2 it could not be read.
 */

const SHOWN = 50;

try {
  readEnvFile();
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError)) throw error;
  process.stderr.write(`The audit log could not be read: ${error.message}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { platform, close } = await openPlatform(readConfig(process.env), createLog('silent'), () => process.exit(2));
  try {
    const { events, subjects, anchors, faults } = await verifyAudit(platform);
    const size = `${events} events in ${subjects} chains, ${anchors} anchors`;
    if (faults.length === 0) {
      process.stdout.write(`The audit log is as it was written: ${size}.\n`);
      return 0;
    }
    const more = faults.length > SHOWN ? [`… and ${faults.length - SHOWN} more`] : [];
    process.stdout.write(`${[`${faults.length} faults in ${size}:`, ...faults.slice(0, SHOWN), ...more].join('\n')}\n`);
    return 1;
  } finally {
    await close();
  }
}
