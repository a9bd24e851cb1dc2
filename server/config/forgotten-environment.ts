/** Settings that nobody needs for trying out Kasente. */
const MEANT_FOR_PRODUCTION = [
  'DATABASE_URL',
  'STORAGE_URL',
  'SECRET_KEY',
  'SMTP_URL',
  'SMS_API_KEY',
  'METRICS_TOKEN',
  'TRUST_PROXY',
  'CLAMAV_URL',
  'AUDIT_WITNESS',
];

/**
 * A warning if the settings look like production's but NODE_ENV is not set; undefined otherwise. Settings that would
 * let other people in are refused separately (config/config.ts).
 */
export function forgottenEnvironment(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== '';
  const found = MEANT_FOR_PRODUCTION.filter(isSet);
  if (isSet('NODE_ENV') || isSet('DEMONSTRATION') || found.length === 0) return undefined;
  return `NODE_ENV is not set, but ${found.join(', ')} ${found.length === 1 ? 'is' : 'are'}: Kasente runs as in development, which shows messages and asks staff for no second factor. Set NODE_ENV=production, or NODE_ENV=development where that is meant.`;
}
