import { isLoopbackName } from '#server/machine/this-machine.ts';
import type { Environment } from './config.ts';
import type { AmountsByCurrency } from './setting-groups.ts';

/** Settings that are valid on their own but not together. For each: the reason, in one sentence with the remedy. */

type Contradiction = (settings: Environment) => string | undefined;

/** Only the first one that applies, in this order, is reported. */
const contradictions: readonly Contradiction[] = [
  ({ NODE_ENV, DEMONSTRATION }) =>
    NODE_ENV === 'production' && DEMONSTRATION !== undefined
      ? 'DEMONSTRATION is for a server without NODE_ENV=production: take one of them away.'
      : undefined,
  findHalfProduction,
  findDatabaseFault,
  findUnsafe,
  notAbove('FUNDING_LIMIT_START', 'FUNDING_LIMIT_MAXIMUM'),
  notAbove('FUNDING_LIMIT_START', 'FUNDING_LIMIT_HIGHEST'),
  notAbove('FUNDING_LIMIT_MAXIMUM', 'FUNDING_LIMIT_HIGHEST'),
  notAbove('MINIMUM_ADVANCE', 'FUNDING_LIMIT_HIGHEST'),
  notAbove('WALLET_TRANSACTION_LIMIT', 'WALLET_DAILY_LIMIT'),
  ({ RAIL_TIMEOUT_SECONDS, RAIL_TELL_AFTER_MINUTES }) =>
    RAIL_TIMEOUT_SECONDS > RAIL_TELL_AFTER_MINUTES * 60
      ? 'RAIL_TIMEOUT_SECONDS must be less than RAIL_TELL_AFTER_MINUTES: officers would be told while the provider may still answer.'
      : undefined,
  ({ SECRET_KEY, SECRET_KEY_PREVIOUS }) =>
    SECRET_KEY !== undefined && SECRET_KEY === SECRET_KEY_PREVIOUS
      ? 'SECRET_KEY_PREVIOUS must be the secret before SECRET_KEY, and both are the same.'
      : undefined,
  findMessagesFault,
  ({ NODE_ENV, PUBLIC_URL }) =>
    NODE_ENV === 'production' && PUBLIC_URL === undefined
      ? 'PUBLIC_URL must be set in production, such as https://kasente.example: links in messages begin with it.'
      : undefined,
];

/** Why these settings contradict each other; undefined if they don't. */
export function findContradiction(settings: Environment): string | undefined {
  for (const find of contradictions) {
    const found = find(settings);
    if (found !== undefined) return found;
  }
  return undefined;
}

type AmountSetting = {
  [Name in keyof Environment]-?: Environment[Name] extends AmountsByCurrency ? Name : never;
}[keyof Environment];

/** A currency without a value in `higher` is not compared. */
function notAbove(lower: AmountSetting, higher: AmountSetting): Contradiction {
  return (settings) => {
    for (const [currency, amount] of settings[lower]) {
      if (amount > (settings[higher].get(currency) ?? amount))
        return `${lower} must not be above ${higher}, which it is for ${currency}.`;
    }
    return undefined;
  };
}

/** In development, messages are shown and passwords are public, so nobody else may reach the server by mistake. */
function findHalfProduction(settings: Environment): string | undefined {
  if (settings.NODE_ENV !== 'development' || settings.DEMONSTRATION === 'others') return undefined;
  const { HOST, PUBLIC_URL, SMTP_URL, SMS_USERNAME, SMS_API_KEY } = settings;
  const [meant] = [
    ...(PUBLIC_URL !== undefined && isForOthers(new URL(PUBLIC_URL)) ? ['PUBLIC_URL'] : []),
    ...(HOST !== undefined && !isLoopbackName(HOST) ? ['HOST'] : []),
    ...(SMTP_URL === undefined ? [] : ['SMTP_URL']),
    ...(SMS_USERNAME === undefined || SMS_API_KEY === undefined ? [] : ['SMS_USERNAME']),
  ];
  if (meant === undefined) return undefined;
  return `${meant} as it is set lets other people use this server, so NODE_ENV=production must be set too; for a demonstration that others may use set DEMONSTRATION=others, which shows no messages.`;
}

function isForOthers({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || !isLoopbackName(hostname);
}

function findDatabaseFault(settings: Environment): string | undefined {
  const { NODE_ENV, DATABASE_URL, DATABASE_OWNER_URL, EMBEDDED_DATABASE } = settings;
  if (DATABASE_URL === undefined) {
    if (NODE_ENV === 'production' && EMBEDDED_DATABASE !== 'allow')
      return 'DATABASE_URL must be set in production; EMBEDDED_DATABASE=allow runs the embedded database instead, where one machine is meant.';
    return DATABASE_OWNER_URL === undefined
      ? undefined
      : 'DATABASE_OWNER_URL goes with DATABASE_URL, which names the login of the server itself.';
  }
  if (EMBEDDED_DATABASE !== undefined)
    return 'EMBEDDED_DATABASE and DATABASE_URL name two databases: unset one of them.';
  if (DATABASE_OWNER_URL === undefined) return undefined;
  const [server, owner] = [userIn(DATABASE_URL), userIn(DATABASE_OWNER_URL)];
  if (server === '')
    return "DATABASE_URL must name the server's own role if DATABASE_OWNER_URL is set, such as postgres://kasente_server:password@host:5432/kasente.";
  return server === owner
    ? 'DATABASE_URL and DATABASE_OWNER_URL must name two roles: the server’s own, and the owner of the tables. Unset DATABASE_OWNER_URL if there is only one.'
    : undefined;
}

function userIn(databaseUrl: string): string {
  return new URL(databaseUrl).username;
}

/** Settings that would work but expose people's sessions or second factors (docs/decisions/0022-browser-walls.md). */
function findUnsafe({ NODE_ENV, PUBLIC_URL, DATABASE_URL, SECRET_KEY }: Environment): string | undefined {
  if (NODE_ENV !== 'production') return undefined;
  if (PUBLIC_URL !== undefined && !isPrivateAddress(new URL(PUBLIC_URL)))
    return 'PUBLIC_URL must begin with https:// in production: without it sessions travel in the clear.';
  if (DATABASE_URL !== undefined && SECRET_KEY === undefined)
    return 'SECRET_KEY must be set in production with DATABASE_URL: a server with another one, or one of its own, reads no second factor.';
  return undefined;
}

/** Whether nobody can listen in: the connection uses TLS, or never leaves this machine. */
function isPrivateAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopbackName(hostname);
}

function findMessagesFault(settings: Environment): string | undefined {
  const { NODE_ENV, SMTP_URL, SMTP_FROM, SMS_USERNAME, SMS_API_KEY, SMS_SENDER } = settings;
  if ((SMS_USERNAME === undefined) !== (SMS_API_KEY === undefined))
    return 'SMS_USERNAME and SMS_API_KEY must be set together.';
  if (SMS_SENDER !== undefined && SMS_USERNAME === undefined)
    return 'SMS_SENDER goes with SMS_USERNAME and SMS_API_KEY: set them, or unset SMS_SENDER.';
  return NODE_ENV === 'production' && SMTP_URL !== undefined && SMTP_FROM === undefined
    ? 'SMTP_FROM must be set in production with SMTP_URL: mail servers take nothing from no-reply@kasente.test.'
    : undefined;
}
