import { createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigError } from '#server/config/config.ts';
import { providerAddress, type RailSetting, readRailSettings } from '#server/rails/rail-settings.ts';

/** The settings of Airtel Money (docs/decisions/0049-providers.md). */

const EXAMPLE = 'https://openapi.airtel.africa';

/** A UUID in Airtel's example, but no page promises that. */
const KEY = /^[\x21-\x7e]{16,200}$/;

export const settings = {
  AIRTEL_URL: { secret: false, must: `an address such as ${EXAMPLE}`, pattern: /^https?:\/\/\S+$/, fallback: EXAMPLE },
  AIRTEL_CLIENT_ID: {
    secret: false,
    must: "the client id under Keys of your application at Airtel's developer portal",
    pattern: KEY,
  },
  AIRTEL_CLIENT_SECRET: {
    secret: true,
    must: "the client secret under Keys of your application at Airtel's developer portal",
    pattern: KEY,
  },
  AIRTEL_PIN: { secret: true, must: "the 4 digits of your disbursement wallet's PIN", pattern: /^\d{4}$/ },
  AIRTEL_PUBLIC_KEY: {
    secret: false,
    must: "Airtel's RSA public key as the portal shows it: base64, of 1024 or 2048 bits",
    pattern: /^[A-Za-z0-9+/=\s]{100,2000}$/,
  },
} as const satisfies Record<string, RailSetting>;

/** The key lengths on Airtel's pages, each with its padding (`pin.ts`). */
export type KeyBits = 1024 | 2048;

export interface AirtelSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly pin: string;
  readonly publicKey: KeyObject;
  readonly keyBits: KeyBits;
}

/** Airtel's settings; undefined if none is set. */
export function readAirtelSettings(env: Readonly<Record<string, string | undefined>>): AirtelSettings | undefined {
  const value = readRailSettings(settings, env);
  if (value === undefined) return undefined;
  return {
    url: providerAddress('AIRTEL_URL', value('AIRTEL_URL'), env, {
      live: /(^|\.)airtel\.(africa|ug|co\.ug)$/,
      test: /^openapiuat\./,
      example: EXAMPLE,
    }),
    clientId: value('AIRTEL_CLIENT_ID'),
    clientSecret: value('AIRTEL_CLIENT_SECRET'),
    pin: value('AIRTEL_PIN'),
    ...readPublicKey(value('AIRTEL_PUBLIC_KEY')),
  };
}

function readPublicKey(base64: string): Pick<AirtelSettings, 'publicKey' | 'keyBits'> {
  const refusal = new ConfigError(`AIRTEL_PUBLIC_KEY must be ${settings.AIRTEL_PUBLIC_KEY.must}.`);
  try {
    const publicKey = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
    const keyBits = publicKey.asymmetricKeyDetails?.modulusLength;
    if (publicKey.asymmetricKeyType === 'rsa' && (keyBits === 1024 || keyBits === 2048)) return { publicKey, keyBits };
  } catch {
    throw refusal;
  }
  throw refusal;
}
