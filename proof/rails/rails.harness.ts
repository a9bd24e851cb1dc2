import type { AccountCode } from '#contract/journal/accounts.ts';
import { railSettings } from '#server/demonstration/providers.ts';
import { uniquePhone } from '#server/testing/builders.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildOfficer,
  type PayableCase,
  type Someone,
} from '#server/testing/case-builders.ts';
import { freePort } from '#server/testing/free-port.ts';
import { buildPayoutAccount } from '#server/testing/payout-builders.ts';
import { remoteCaller, type ServerProcess, startServerProcess } from '#server/testing/servers/server-process.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { TEST_SECRET } from '#server/testing/test-platform.ts';
import { OWN_ACCOUNT } from '#server/transfers/batches/batches.harness.ts';
import { switchesOf } from '#simulators/ground/calls.harness.ts';
import { type RunningSimulator, startSimulator } from '#simulators/start.ts';
import { Bank } from './bank.harness.ts';

/** Servers as processes on a test's database, between MTN and Airtel as processes of their own, and a bank. */

interface RailRow {
  /** How its numbers begin. */
  readonly prefix: string;
  /** The journal's account of its money. */
  readonly cash: AccountCode;
  /** What the provider's book calls an order of ours. */
  idOf(reference: string): string;
  /** A documented reason to refuse, by direction. */
  readonly refusals: Readonly<Record<'out' | 'in', string>>;
  /** Of each phone. */
  readonly pin: string;
  /** A callback's body that names an order. */
  callback(reference: string): object;
}

export const rails = {
  mtn: {
    ...{ prefix: '077', cash: 'cashMtn', pin: '12345' },
    refusals: { out: 'NOT_ENOUGH_FUNDS', in: 'NOT_ENOUGH_FUNDS' },
    idOf: (reference) => reference,
    callback: (externalId) => ({ externalId, status: 'SUCCESSFUL' }),
  },
  airtel: {
    ...{ prefix: '070', cash: 'cashAirtel', pin: '1234' },
    refusals: { out: 'DP00900001007', in: 'DP00800001007' },
    idOf: (reference) => reference.replaceAll('-', ''),
    callback: (reference) => ({ transaction: { id: reference.replaceAll('-', ''), status_code: 'TS' } }),
  },
} as const satisfies Record<string, RailRow>;
export type RailId = keyof typeof rails;
export const railIds = Object.keys(rails).filter((id): id is RailId => id in rails);

/** What the lender can pay out at the beginning, in shillings. */
export const FLOAT = 900_000_000_000;

/** A switch of a simulator's (docs/decisions/0048-simulators.md). */
export type Fault = Readonly<Record<string, unknown>>;
/** That many faults of cases on their way stand at once. */
const STANDING = 20;

interface Provider extends ReturnType<typeof switchesOf> {
  readonly process: RunningSimulator;
}

/** A payout in the making: its application, with a number of its client's, to which it goes unless that is a bank account. */
export interface PaidCase extends PayableCase {
  readonly rail: RailId;
  /** As the provider has it, 256… */
  readonly msisdn: string;
  /** Then the client's phone has no money. */
  readonly isAtBank: boolean;
}

/** What is special about a case: its account is at the bank, or it is paid in parts. */
export interface Special {
  readonly isAtBank?: boolean;
  /** Minor units. */
  readonly advance?: number;
}

/** A database with its people, and the providers; servers come and go. */
export class RailsWorld {
  readonly app: TestApp;
  readonly providers: Readonly<Record<RailId, Provider>>;
  readonly bank: Bank;
  /** Where each server of this world serves, one after the other. */
  readonly address: string;
  /** What goes wrong with cases that are on their way. */
  readonly noise: Record<RailId, readonly Fault[]> = { mtn: [], airtel: [] };
  /** Of its servers. */
  readonly settings: Readonly<Record<string, string>>;
  /** An officer who has nothing to do with any payment. */
  readonly auditor: Someone;
  readonly #officer: Someone;
  readonly #payer: Someone;

  private constructor(
    app: TestApp,
    providers: RailsWorld['providers'],
    address: string,
    settings: Readonly<Record<string, string>>,
    [officer, payer, auditor]: readonly [Someone, Someone, Someone],
  ) {
    this.app = app;
    this.providers = providers;
    this.address = address;
    this.settings = settings;
    this.bank = new Bank(app.clock.now());
    this.#officer = officer;
    this.#payer = payer;
    this.auditor = this.#remote(auditor);
  }

  static async open(settleMs = 0): Promise<RailsWorld> {
    const now = () => new Date();
    const given = await createTestApp({ SESSION_IDLE_MINUTES: '720' }, { clock: { now } });
    const advance = (): never => {
      throw new Error('servers of their own have the time of the machine');
    };
    const app = { ...given, clock: { now, advance } };
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const callbackUrl = `${address}/api/v1/rails/airtel/callback`;
    const [mtn, airtel] = await Promise.all([
      startSimulator('mtn', { settleMs, settings: { callbackHost: '127.0.0.1' } }),
      startSimulator('airtel', { settleMs, settings: { callbackUrl, callsBackForDisbursements: true } }),
    ]);
    const providers = {
      mtn: { process: mtn, ...switchesOf(mtn.url) },
      airtel: { process: airtel, ...switchesOf(airtel.url) },
    };
    const settings = {
      ...{ PORT: String(port), PUBLIC_URL: address, SECRET_KEY: TEST_SECRET, DATA_DIR: app.platform.config.dataDir },
      ...{ RAIL_TIMEOUT_SECONDS: '2', SESSION_IDLE_MINUTES: '720', LOG_LEVEL: 'fatal' },
      BANK_FILE_UGX: OWN_ACCOUNT,
      ...(await railSettings('mtn', mtn.url)),
      ...(await railSettings('airtel', airtel.url)),
    };
    for (const id of railIds) await providers[id].float(FLOAT);
    const officers = [await buildOfficer(app), await buildOfficer(app), await buildOfficer(app)] as const;
    return new RailsWorld(app, providers, address, settings, officers);
  }

  /** Turns these faults on at a provider, before what goes wrong with the newest cases. */
  async faults(rail: RailId, ...faults: readonly Fault[]): Promise<void> {
    this.noise[rail] = this.noise[rail].slice(-STANDING);
    await this.providers[rail].faults(...faults, ...this.noise[rail]);
  }

  /** A server; `program` is what runs in its place. */
  start(program?: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    return startServerProcess(this.app.database, { env: { ...this.settings, ...env }, program });
  }

  /** An approved application of a client with a wallet of their own; its officers call the server in turn. */
  async approved(rail: RailId, { isAtBank = false, advance }: Special = {}): Promise<PaidCase> {
    const client = await buildCaseClient(this.app);
    const number = uniquePhone().replace(/^07./, rails[rail].prefix);
    const account = isAtBank ? { bankName: 'Stanbic Bank', number: '0030001234567' } : { provider: rail, number };
    await buildPayoutAccount(this.app, client, this.#officer, account);
    const msisdn = `256${number.slice(1)}`;
    await this.providers[rail].wallets({ msisdn, name: 'Sarah Nabirye', balance: 0 });
    const built = await buildApprovedCase(this.app, {
      ...{ client, officer: this.#officer, payer: this.#payer },
      ...(advance === undefined ? {} : { advance }),
    });
    const [officer, payer] = [this.#remote(built.officer), this.#remote(built.payer)];
    return { ...built, officer, payer, client: { ...client, ...this.#remote(client) }, rail, msisdn, isAtBank };
  }

  /** The same person, who calls the server's process. */
  #remote<Person extends Someone>({ person, caller }: Person): Pick<Person, 'person'> & Someone {
    const remote = remoteCaller(() => this.address);
    for (const [name, value] of caller.cookies) remote.cookies.set(name, value);
    return { person, caller: remote };
  }

  async close(): Promise<void> {
    await Promise.all(railIds.map((id) => this.providers[id].process.stop('SIGKILL')));
    await this.app.close();
  }
}
