import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { isAccountNumber } from '#contract/payouts/account.ts';
import { demonstrationLogins } from '#server/config/demonstration-people.ts';
import type { Platform } from '#server/platform/platform.ts';
import { openRails } from '#server/rails/open-rails.ts';
import { demonstrationAccounts } from './payout-accounts.ts';

/**
 * Runs simulators of MTN and Airtel for the demonstration (docs/decisions/0048-simulators.md), as processes that end
 * with the server. Production never starts them, and refuses their addresses.
 */

const SIMULATORS = join(import.meta.dirname, '../../simulators');
/** A simulator writes this before its address. */
const READY = 'ready ';
/** The lender's float and each client's wallet, in shillings. */
const FLOAT = 900_000_000;
const IN_A_WALLET = 3_000_000;

/** The settings of each rail, from its simulator. */
const providers = {
  mtn: (url: string, said: unknown): Record<string, string> => {
    const { disbursement, collection } = mtnSaid.parse(said).credentials;
    return { MTN_URL: url, ...mtnKeys('DISBURSEMENT', disbursement), ...mtnKeys('COLLECTION', collection) };
  },
  airtel: (url: string, said: unknown): Record<string, string> => {
    const { clientId, clientSecret, pin, publicKey } = airtelSaid.parse(said).credentials;
    return {
      AIRTEL_URL: url,
      AIRTEL_CLIENT_ID: clientId,
      AIRTEL_CLIENT_SECRET: clientSecret,
      AIRTEL_PIN: pin,
      AIRTEL_PUBLIC_KEY: publicKey,
    };
  },
} as const;
type Provider = keyof typeof providers;

const product = z.object({
  subscriptionKeys: z.tuple([z.string()], z.string()),
  apiUser: z.string(),
  apiKey: z.string(),
});
const mtnSaid = z.object({ credentials: z.object({ disbursement: product, collection: product }) });
const airtelSaid = z.object({
  credentials: z.object({ clientId: z.string(), clientSecret: z.string(), pin: z.string(), publicKey: z.string() }),
});

function mtnKeys(name: string, { subscriptionKeys: [key], apiUser, apiKey }: z.output<typeof product>) {
  return {
    [`MTN_${name}_SUBSCRIPTION_KEY`]: key,
    [`MTN_${name}_API_USER`]: apiUser,
    [`MTN_${name}_API_KEY`]: apiKey,
  };
}

/** A server's platform with the simulated providers. */
interface Played<Whole> {
  readonly platform: Whole;
  /** The pages that simulate their phones. */
  readonly phones: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts both simulators, with their phones, for a demonstration without provider settings. Any other platform is
 * returned unchanged. Their earlier data stays in the data folder.
 */
export async function playProviders<Whole extends Pick<Platform, 'config' | 'clock' | 'rails'>>(
  platform: Whole,
): Promise<Played<Whole>> {
  const { config, clock } = platform;
  const { kinds, environment: given } = config.rails;
  // A bank by file is not called over the network, so a demonstration may have both.
  const called = kinds.filter(({ writeFile }) => writeFile === undefined);
  const isSet = called.some(({ settings }) => Object.keys(settings).some((name) => given[name] !== undefined));
  if (!config.seed || !config.rails.simulated || isSet) return { platform, phones: [], stop: () => Promise.resolve() };
  const folder = join(config.dataDir, 'simulators');
  // MTN only calls back the host for which its user was registered.
  const callbackHost = config.publicUrl === undefined ? undefined : new URL(config.publicUrl).hostname;
  const running = await Promise.all([start('mtn', folder, { callbackHost }), start('airtel', folder)]);
  const environment = Object.assign({}, given, ...running.map(({ settings }) => settings));
  const rails = openRails({ ...config, rails: { ...config.rails, environment } }, clock);
  return {
    platform: { ...platform, rails },
    phones: running.map(({ url }) => `${url}/phone`),
    stop: async () => {
      for (const { child } of running) await end(child);
    },
  };
}

async function start(provider: Provider, folder: string, settings: object = {}) {
  const options = ['--attached', '--folder', join(folder, provider), '--settings', JSON.stringify(settings)];
  const child = spawn(process.execPath, [join(SIMULATORS, provider, 'main.ts'), ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH ?? '' },
  });
  const url = await addressOf(child, provider);
  await furnish(provider, url);
  return { child, url, settings: await railSettings(provider, url) };
}

/** The settings of the rail for a simulator at that address. */
export async function railSettings(provider: Provider, url: string): Promise<Record<string, string>> {
  return providers[provider](url, await call(`${url}/simulator`));
}

async function addressOf(child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }, provider: Provider) {
  const ended = once(child, 'close').then(() => {
    throw new Error(`the simulator of ${provider} ended before it served`);
  });
  const lines = createInterface(child.stdout);
  const ready = new Promise<string>((resolve) => {
    lines.on('line', (line) => line.startsWith(READY) && resolve(line.slice(READY.length)));
  });
  const url = await Promise.race([ready, ended]);
  ended.catch(() => undefined); // it ends with the server
  return url;
}

/**
 * Gives the lender its float, and the demonstration's clients and people their phones, unless the simulator's book
 * already has them.
 */
async function furnish(provider: Provider, url: string): Promise<void> {
  const { wallets } = bookSaid.parse(await call(`${url}/simulator/book`));
  const logins = demonstrationLogins.map(({ username: number, firstName, lastName }) => ({
    number,
    holderName: `${firstName} ${lastName}`,
  }));
  const missing = [...demonstrationAccounts, ...logins]
    .filter(({ number }) => isAccountNumber(provider, number))
    .map(({ number, holderName: name }) => ({ msisdn: `256${number.slice(1)}`, name, balance: IN_A_WALLET }))
    .filter(({ msisdn }) => !wallets.some((wallet) => wallet.msisdn === msisdn));
  if (missing.length === 0) return;
  await call(`${url}/simulator/wallets`, missing);
  await call(`${url}/simulator/float`, { disbursement: FLOAT });
}

const bookSaid = z.object({ wallets: z.array(z.object({ msisdn: z.string() })) });

async function call(url: string, body?: unknown): Promise<unknown> {
  const sent = { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(url, body === undefined ? {} : sent);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}
