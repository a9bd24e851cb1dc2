import { z } from 'zod';
import { nearest } from './near-names.ts';

/** The rules for a URL setting, besides its protocol. */
export interface AddressRules {
  readonly protocols: readonly string[];
  readonly example: string;
  /** What it must have if it has half of a login, such as 'both user and password, …'; absent if half is enough. */
  readonly login?: string;
  /** The known parameters, each with a check of its value unless it is free text; absent if any are allowed. */
  readonly parameters?: Readonly<Record<string, ValueCheck>>;
}

/** The required form of a value, such as `one of …`; undefined if it is valid. */
type ValueCheck = (value: string) => string | undefined;

/** A URL that follows these rules. Refusals quote nothing that may be part of a password. */
export function address(rules: AddressRules) {
  return z.string().superRefine((text, context) => {
    const message = faultOf(text, rules);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

const UNENCODED =
  'an address in which the user and the password are encoded: write % as %25, / as %2F, # as %23, ? as %3F, @ as %40';

/** The requirement that a URL violates, as the end of a sentence; undefined if it is valid. */
export function faultOf(text: string, { protocols, example, login, parameters }: AddressRules): string | undefined {
  if (hasUnencodedUser(text)) return UNENCODED;
  if (hasSeveralHosts(text)) return `an address with one host, such as ${example}`;
  if (!URL.canParse(text)) return `an address such as ${example}`;
  const { protocol, host, username, password } = new URL(text);
  if (!protocols.includes(protocol) || (host === '' && !mayLackHost(text))) return `an address such as ${example}`;
  if (login !== undefined && (username === '') !== (password === ''))
    return `an address with ${login}, or with neither`;
  return parameters === undefined ? undefined : parameterFault(new URL(text), parameters);
}

/** The login in a bucket's URL; without one, the usual AWS environment is used. */
export const BUCKET_LOGIN = 'both key and secret, s3://key:secret@bucket/prefix';

/** The PostgreSQL socket is a parameter. */
function mayLackHost(text: string): boolean {
  return /^postgres/.test(text);
}

/** Whether a character in user or password ends them too early, or can't be decoded. */
function hasUnencodedUser(text: string): boolean {
  const [, authority = '', rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  const parts = authority.split('@');
  if (parts.length > 2 || rest.includes('#')) return true;
  const [user = ''] = parts;
  return parts.length === 2 ? !canDecode(user) : rest.includes('@');
}

/** libpq accepts several, separated by commas; we accept one. */
function hasSeveralHosts(text: string): boolean {
  const [, authority = ''] = /^[^/]+:\/\/([^/?#]*)/.exec(text) ?? [];
  return authority.slice(authority.indexOf('@') + 1).includes(',');
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function parameterFault({ searchParams }: URL, known: Readonly<Record<string, ValueCheck>>): string | undefined {
  for (const [name, value] of searchParams) {
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (check === undefined) {
      const meant = nearest(name, Object.keys(known));
      const hint = meant === undefined ? `known are ${Object.keys(known).join(', ')}` : `write ${meant}`;
      return `an address without the parameter ${name}, which nothing reads: ${hint}`;
    }
    const fault = check(value);
    if (fault !== undefined) return `an address whose ${name} is ${fault}`;
  }
  return undefined;
}

const anything: ValueCheck = () => undefined;

function oneOf(...values: readonly string[]): ValueCheck {
  return (value) => (values.includes(value) ? undefined : `one of ${values.join(', ')}`);
}

/** Parameters that node-postgres reads, and harmless ones of libpq: several tools often share one URL. */
export const databaseParameters: Readonly<Record<string, ValueCheck>> = {
  sslmode: oneOf('disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'),
  gssencmode: oneOf('disable', 'prefer'), // the driver has no GSS
  ...Object.fromEntries(
    [
      'host',
      'port',
      'user',
      'password',
      'application_name',
      'client_encoding',
      'options',
      'ssl',
      'sslcert',
      'sslkey',
      'sslrootcert',
      'sslnegotiation',
      'uselibpqcompat',
      'fallback_application_name',
      'statement_timeout',
      'lock_timeout',
      'query_timeout',
      'idle_in_transaction_session_timeout',
      'target_session_attrs',
      'connect_timeout',
      'channel_binding',
      'keepalives',
      'keepalives_idle',
      'keepalives_interval',
      'keepalives_count',
      'tcp_user_timeout',
      'load_balance_hosts',
      'passfile',
    ].map((name) => [name, anything]),
  ),
};

/** The parameters of a bucket's URL. */
export const bucketParameters: Readonly<Record<string, ValueCheck>> = {
  region: anything,
  endpoint: (value) =>
    URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
      ? undefined
      : 'an address too, such as https://s3.example.com',
};

/** The public address: the application is served at the root, so nothing follows the host. */
export const origin = z.string().superRefine((text, context) => {
  const example = 'https://kasente.example';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    context.addIssue({ code: 'custom', message: `an address such as ${example}` });
    return;
  }
  const { username, pathname, search, hash } = new URL(text);
  if (username !== '' || /[^/]/.test(pathname) || search !== '' || hash !== '' || /[?#]$/.test(text)) {
    context.addIssue({ code: 'custom', message: `the address alone, such as ${example}, with nothing after the host` });
  }
});
