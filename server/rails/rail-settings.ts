import { z } from 'zod';
import { ConfigError } from '#server/config/config.ts';
import { setting } from '#server/config/setting-kinds.ts';
import { isLoopbackName } from '#server/machine/this-machine.ts';

/** Reads the settings of a rail in a form common to all rails. A refusal is one sentence, and shows no value. */

export interface RailSetting {
  readonly secret: boolean;
  /** Completes `<setting> must be …`. */
  readonly must: string;
  readonly pattern: RegExp;
  /** The value to use if the setting is missing. */
  readonly fallback?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The values of a rail's settings; undefined if none is set. Throws ConfigError if some are wrong or missing. */
export function readRailSettings<Name extends string>(
  settings: Readonly<Record<Name, RailSetting>>,
  env: Environment,
): ((name: Name) => string) | undefined {
  const entries = Object.entries<RailSetting>(settings);
  const values = new Map(entries.map(([name, kind]) => [name, readOne(name, kind, env[name])]));
  if ([...values.values()].every((value) => value === undefined)) return undefined;
  const missing = entries.filter(([name, { fallback }]) => values.get(name) === undefined && fallback === undefined);
  if (missing.length > 0) {
    const needed = entries.filter(([, { fallback }]) => fallback === undefined).map(([name]) => name);
    throw new ConfigError(`${needed.join(', ')} must be set together: ${missing[0]?.[0]} is not.`);
  }
  return (name) => values.get(name) ?? settings[name].fallback ?? '';
}

function readOne(name: string, { pattern, must }: RailSetting, value: string | undefined): string | undefined {
  const parsed = setting(z.string().trim().regex(pattern).optional()).safeParse(value);
  if (!parsed.success) throw new ConfigError(`${name} must be ${must}.`);
  return parsed.data;
}

interface ProviderHosts {
  /** The provider's hosts for real money. */
  readonly live: RegExp;
  /** The provider's hosts for tests, where no money moves. */
  readonly test: RegExp;
  readonly example: string;
}

/**
 * The address of a provider without a trailing slash. Production accepts only the live address: a simulator, or the
 * provider's test system, would say 'paid' about money that never moved.
 */
export function providerAddress(name: string, value: string, env: Environment, hosts: ProviderHosts): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.search === '' && url.hash === '';
  const isLive = isPlain && url.protocol === 'https:' && url.port === '' && hosts.live.test(url.hostname);
  if (env.NODE_ENV === 'production' && (!isLive || hosts.test.test(url.hostname))) {
    throw new ConfigError(
      `${name} must be the provider's own address for real money in production, such as ${hosts.example}: neither a simulator nor a test system.`,
    );
  }
  if (!isPlain || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname)))) {
    throw new ConfigError(`${name} must be an address such as ${hosts.example}; http is for this machine alone.`);
  }
  return value.replace(/\/+$/, '');
}
