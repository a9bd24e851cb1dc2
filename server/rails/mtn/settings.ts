import { ConfigError } from '#server/config/config.ts';
import { providerAddress, type RailSetting, readRailSettings } from '#server/rails/rail-settings.ts';

/** The settings of MTN MoMo (docs/decisions/0049-providers.md). Each product has its own keys. */

/** Currently 32 letters and digits, but none of MTN's pages promises that. */
const KEY = /^[\x21-\x7e]{16,200}$/;

const subscriptionKey: RailSetting = {
  secret: true,
  must: "the product's primary or secondary key as your profile at MTN's developer portal shows it",
  pattern: KEY,
};
const apiUser: RailSetting = {
  secret: false,
  must: "the product's API user, such as c72025f5-5cd1-4630-99e4-8ba4722fad56",
  pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};
const apiKey: RailSetting = {
  secret: true,
  must: 'the key of that API user as the partner portal shows it',
  pattern: KEY,
};

const EXAMPLE = 'https://proxy.momoapi.mtn.com';

export const settings = {
  MTN_URL: { secret: false, must: `an address such as ${EXAMPLE}`, pattern: /^https?:\/\/\S+$/, fallback: EXAMPLE },
  MTN_TARGET_ENVIRONMENT: {
    secret: false,
    must: "mtnuganda, another country's such as mtnghana, or sandbox",
    pattern: /^(sandbox|mtn[a-z]{4,20})$/,
    fallback: 'mtnuganda',
  },
  MTN_DISBURSEMENT_SUBSCRIPTION_KEY: subscriptionKey,
  MTN_DISBURSEMENT_API_USER: apiUser,
  MTN_DISBURSEMENT_API_KEY: apiKey,
  MTN_COLLECTION_SUBSCRIPTION_KEY: subscriptionKey,
  MTN_COLLECTION_API_USER: apiUser,
  MTN_COLLECTION_API_KEY: apiKey,
} as const satisfies Record<string, RailSetting>;

export type ProductName = 'disbursement' | 'collection';

export interface ProductKeys {
  readonly subscriptionKey: string;
  readonly apiUser: string;
  readonly apiKey: string;
}

export interface MtnSettings {
  readonly url: string;
  /** The value of X-Target-Environment. */
  readonly environment: string;
  readonly keys: Readonly<Record<ProductName, ProductKeys>>;
}

/** MTN's settings; undefined if none is set. */
export function readMtnSettings(env: Readonly<Record<string, string | undefined>>): MtnSettings | undefined {
  const value = readRailSettings(settings, env);
  if (value === undefined) return undefined;
  const environment = value('MTN_TARGET_ENVIRONMENT');
  if (env.NODE_ENV === 'production' && environment === 'sandbox') {
    throw new ConfigError("MTN_TARGET_ENVIRONMENT must be a country's in production, such as mtnuganda.");
  }
  return {
    url: providerAddress('MTN_URL', value('MTN_URL'), env, {
      live: /(^|\.)mtn\.com$/,
      test: /^(sandbox|ericsson)|(^|\.)momodeveloper\./,
      example: EXAMPLE,
    }),
    environment,
    keys: {
      disbursement: {
        subscriptionKey: value('MTN_DISBURSEMENT_SUBSCRIPTION_KEY'),
        apiUser: value('MTN_DISBURSEMENT_API_USER'),
        apiKey: value('MTN_DISBURSEMENT_API_KEY'),
      },
      collection: {
        subscriptionKey: value('MTN_COLLECTION_SUBSCRIPTION_KEY'),
        apiUser: value('MTN_COLLECTION_API_USER'),
        apiKey: value('MTN_COLLECTION_API_KEY'),
      },
    },
  };
}
