import { type Finding, lookAtEverything } from '#scripts/operator/doctor-checks.ts';
import { ConfigError, readConfig } from '#server/config/config.ts';
import { readEnvFile } from '#server/config/env-file.ts';
import { appVersion } from '#server/machine/version.ts';
import { findRailKinds, openRails } from '#server/rails/open-rails.ts';

/**
 * `npm run doctor`: tests every setting and reports faults with their remedies; changes nothing. Exit codes: 0 no faults, 1
 * faults, 2 usage error. `--json` for scripts: `{ ok, version, checks: [{ name, state, found, todo }] }`.
 */

const USAGE = 'Usage: npm run doctor -- [--json] [--env-file <file>]\n';

const [args, fault] = settingsFile();
const isJson = args.includes('--json');
if (args.some((argument) => argument !== '--json')) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const checks = fault === undefined ? await look() : [settingsAreWrong(fault)];
  const ok = checks.every(({ state }) => state !== 'wrong');
  const text = isJson
    ? `${JSON.stringify({ ok, version: appVersion, checks }, null, 1)}\n`
    : checks.map(lineOf).join('');
  process.stdout.write(text);
  process.exitCode = ok ? 0 : 1;
}

function settingsFile(): [string[], ConfigError | undefined] {
  try {
    return [readEnvFile(process.argv.slice(2)), undefined];
  } catch (error) {
    if (error instanceof ConfigError) return [process.argv.filter((argument) => argument === '--json'), error];
    throw error;
  }
}

async function look(): Promise<readonly Finding[]> {
  try {
    const config = readConfig(process.env, await findRailKinds());
    openRails(config, { now: () => new Date() });
    return [
      { name: 'settings', state: 'right', found: 'every setting can be read' },
      ...(await lookAtEverything(config)),
    ];
  } catch (error) {
    if (error instanceof ConfigError) return [settingsAreWrong(error)];
    throw error;
  }
}

function settingsAreWrong({ message }: ConfigError): Finding {
  return {
    name: 'settings',
    state: 'wrong',
    found: message,
    todo: 'put that setting right; the others are looked at then',
  };
}

function lineOf({ name, state, found, todo }: Finding): string {
  return `${state.padEnd(10)} ${name.padEnd(11)} ${found}${todo === undefined ? '' : `\n${' '.repeat(23)}to do: ${todo}`}\n`;
}
