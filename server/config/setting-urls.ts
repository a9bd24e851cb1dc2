import { z } from 'zod';
import { nearest } from './near-names.ts';

/** What a setting that is an address may be, beside its protocol. */
export interface AddressRules {
  readonly protocols: readonly string[];
  readonly example: string;
  /** The addresses in it, where it may name several hosts. */
  readonly addressesIn?: (text: string) => readonly string[];
  /** The parameters that somebody reads, each with a check of its value where it is not free text; without the table, any. */
  readonly parameters?: Readonly<Record<string, ValueCheck>>;
}

/** What a value must be, such as `one of …`; undefined where it is right. */
type ValueCheck = (value: string) => string | undefined;

/** An address by these rules. Its refusals quote nothing that may be part of a password. */
export function address(rules: AddressRules) {
  return z.string().superRefine((text, context) => {
    const message = faultOf(text, rules);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

const UNENCODED =
  'an address in which the user and the password are encoded: write % as %25, / as %2F, # as %23, ? as %3F, @ as %40';

/** What an address must be that is none by these rules, to end a sentence; undefined where it is right. */
export function faultOf(
  text: string,
  { protocols, example, addressesIn, parameters }: AddressRules,
): string | undefined {
  if (hasUnencodedUser(text)) return UNENCODED;
  const isOne = (one: string): boolean => URL.canParse(one) && protocols.includes(new URL(one).protocol);
  const addresses = addressesIn?.(text) ?? [text];
  if (!addresses.every(isOne)) return `an address such as ${example}`;
  const [first = text] = addresses;
  return parameters === undefined ? undefined : parameterFault(new URL(first), parameters);
}

/** Whether a character of the user or the password ends them too early, or cannot be decoded. */
function hasUnencodedUser(text: string): boolean {
  const [, authority = '', rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  const parts = authority.split('@');
  if (parts.length > 2 || rest.includes('#')) return true;
  const [user = ''] = parts;
  return parts.length === 2 ? !canDecode(user) : rest.includes('@');
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

/** What node-postgres reads of an address, and libpq's that change nothing here: several tools often share one address. */
export const databaseParameters: Readonly<Record<string, ValueCheck>> = {
  sslmode: oneOf('disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'),
  gssencmode: oneOf('disable', 'prefer'), // the driver knows no GSS
  ...Object.fromEntries(
    [
      ...['host', 'port', 'user', 'password', 'application_name', 'client_encoding', 'options', 'ssl', 'sslcert'],
      ...['sslkey', 'sslrootcert', 'sslnegotiation', 'uselibpqcompat', 'fallback_application_name'],
      ...['statement_timeout', 'lock_timeout', 'query_timeout', 'idle_in_transaction_session_timeout'],
      ...['target_session_attrs', 'connect_timeout', 'channel_binding', 'keepalives', 'keepalives_idle'],
      ...['keepalives_interval', 'keepalives_count', 'tcp_user_timeout', 'load_balance_hosts', 'passfile'],
    ].map((name) => [name, anything]),
  ),
};

/** What an address of a bucket says beside its name and prefix. */
export const bucketParameters: Readonly<Record<string, ValueCheck>> = {
  region: anything,
  endpoint: (value) =>
    URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
      ? undefined
      : 'an address too, such as https://s3.example.com',
};

/** Where people come to: the application is served at the root, so that nothing follows the host. */
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
