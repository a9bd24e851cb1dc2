import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ConfigError } from './config.ts';

const OPTION = '--env-file';

const AUTHORITIES = 'NODE_EXTRA_CA_CERTS';
/** Node reads these when it starts, before we read a file. */
const TOO_LATE = ['NODE_OPTIONS', 'NODE_USE_ENV_PROXY', 'NODE_USE_SYSTEM_CA', 'UV_THREADPOOL_SIZE'];

/**
 * Reads settings from a file: the one named by `--env-file`, or else `.env` if it exists. The environment overrides it.
 * Returns the other arguments. Throws {@link ConfigError} for a named file that can't be read, and for a setting in it
 * that would have no effect.
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
  const before = { ...process.env };
  load(named);
  const late = TOO_LATE.find((name) => isSet(name) && before[name] === undefined);
  if (late !== undefined) {
    throw new ConfigError(
      `${late} has no effect in ${named ?? '.env'}: Node reads it when it starts. Set it in the environment instead.`,
    );
  }
  if (isSet(AUTHORITIES)) trustAuthorities(before[AUTHORITIES] === undefined);
  return others;
}

function isSet(name: string): boolean {
  return process.env[name] !== undefined && process.env[name] !== '';
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

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/**
 * Node reads these certificates from the environment when it starts, and ignores a file that it can't read. We add
 * those from our file.
 */
function trustAuthorities(isFromFile: boolean): void {
  try {
    const certificates = readFileSync(process.env[AUTHORITIES] ?? '', 'utf8').match(CERTIFICATE) ?? [];
    if (certificates.length === 0) throw new Error('it has none in PEM');
    for (const certificate of certificates) new X509Certificate(certificate);
    if (isFromFile) setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${AUTHORITIES} must be a file of certificates that this user may read (${reason}).`);
  }
}
