import { loadEnvFile } from 'node:process';
import { ConfigError } from './config.ts';

const OPTION = '--env-file';

/**
 * Settings may stand in a file: the one that `--env-file` names among these arguments, else `.env` where there is one. What the
 * environment says goes before it. Returns the other arguments; throws {@link ConfigError} for a named file that cannot be read.
 */
export function readEnvFile(args: readonly string[]): string[] {
  const others: string[] = [];
  let named: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    if (argument.startsWith(`${OPTION}=`)) named = argument.slice(OPTION.length + 1);
    else if (argument === OPTION) {
      index += 1;
      named = args[index] ?? '';
    } else others.push(argument);
  }
  load(named);
  return others;
}

function load(named: string | undefined): void {
  try {
    loadEnvFile(named ?? '.env');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (named !== undefined) throw new ConfigError(`the file of settings ${named} cannot be read (${code}).`);
    if (code !== 'ENOENT') throw error;
  }
}
