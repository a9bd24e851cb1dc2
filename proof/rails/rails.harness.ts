import type { AccountCode } from '#contract/journal/accounts.ts';
import { railSettings } from '#server/demonstration/providers.ts';
import { OWN_ACCOUNT } from '#server/transfers/batches/batches.harness.ts';
import { switchesOf } from '#simulators/ground/calls.harness.ts';
import { type RunningSimulator, startSimulator } from '#simulators/start.ts';
import { uniquePhone } from '#testing/builders.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildOfficer,
  type PayableCase,
  type Someone,
} from '#testing/case-builders.ts';
import { freePort } from '#testing/free-port.ts';
import { buildPayoutAccount } from '#testing/payout-builders.ts';
import { remoteCaller, type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { TEST_SECRET } from '#testing/test-platform.ts';
import { Bank } from './bank.harness.ts';

/** Server processes on a test's database, simulators of MTN and Airtel, and a bank. */

interface RailRow {
  /** The prefix of its numbers. */
  readonly prefix: string;
  /** Its cash account in the journal. */
  readonly cash: AccountCode;
  /** An order's id in the provider's book. */
  idOf(reference: string): string;
  /** A documented reason for a refusal, by direction. */
  readonly refusals: Readonly<Record<'out' | 'in', string>>;
  /** The body of a refused send, with status 400. */
  readonly refusedSend: object;
  /** The PIN of every phone. */
  readonly pin: string;
  /** A callback's body that names an order. */
  callback(reference: string): object;
}

export const rails = {
  mtn: {
    prefix: '077',
    cash: 'cashMtn',
    pin: '12345',
    refusals: { out: 'NOT_ENOUGH_FUNDS', in: 'NOT_ENOUGH_FUNDS' },
    refusedSend: { code: 'REQUEST_REJECTED', message: 'Request does not follow the specification' },
    idOf: (reference) => reference,
    callback: (externalId) => ({ externalId, status: 'SUCCESSFUL' }),
  },
  airtel: {
    prefix: '070',
    cash: 'cashAirtel',
    pin: '1234',
    refusals: { out: 'DP00900001007', in: 'DP00800001007' },
    refusedSend: { status: { response_code: 'ROUTER115', message: 'Incorrect Pin', success: false } },
    idOf: (reference) => reference.replaceAll('-', ''),
    callback: (reference) => ({ transaction: { id: reference.replaceAll('-', ''), status_code: 'TS' } }),
  },
} as const satisfies Record<string, RailRow>;
export type RailId = keyof typeof rails;
export const railIds = Object.keys(rails).filter((id): id is RailId => id in rails);

/** The lender's float at the start, in shillings. */
export const FLOAT = 900_000_000_000;

/** A fault of a simulator (docs/decisions/0048-simulators.md). */
export type Fault = Readonly<Record<string, unknown>>;

/** The provider refuses the next order but executes it all the same. */
export function untrueRefusal(rail: RailId, operation: 'transfer' | 'request'): Fault {
  return { fault: 'error-after', status: 400, body: rails[rail].refusedSend, operation, count: 1 };
}
/** The number of faults that stay set at once. */
const STANDING = 20;

interface Provider extends ReturnType<typeof switchesOf> {
  readonly process: RunningSimulator;
}

/** An application to be paid out, to its client's number or to a bank account. */
export interface PaidCase extends PayableCase {
  readonly rail: RailId;
  /** The number in international form, 256… */
  readonly msisdn: string;
  /** Whether payments go to the bank and none to the phone. */
  readonly isAtBank: boolean;
}

/** A variant of a case: a bank account, or an advance that is paid in parts. */
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
  /** The address of each server, one after the other. */
  readonly address: string;
  /** The faults for cases in progress. */
  readonly noise: Record<RailId, readonly Fault[]> = { mtn: [], airtel: [] };
  /** The servers' settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** An officer who takes no part in any payment. */
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
      throw new Error('server processes use the time of the machine');
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
      PORT: String(port),
      PUBLIC_URL: address,
      SECRET_KEY: TEST_SECRET,
      DATA_DIR: app.platform.config.dataDir,
      RAIL_TIMEOUT_SECONDS: '2',
      SESSION_IDLE_MINUTES: '720',
      LOG_LEVEL: 'fatal',
      BANK_FILE_UGX: OWN_ACCOUNT,
      ...(await railSettings('mtn', mtn.url)),
      ...(await railSettings('airtel', airtel.url)),
    };
    for (const id of railIds) await providers[id].float(FLOAT);
    const officers = [await buildOfficer(app), await buildOfficer(app), await buildOfficer(app)] as const;
    return new RailsWorld(app, providers, address, settings, officers);
  }

  /** Sets these faults at a provider, ahead of the faults of the newest cases. */
  async faults(rail: RailId, ...faults: readonly Fault[]): Promise<void> {
    this.noise[rail] = this.noise[rail].slice(-STANDING);
    await this.providers[rail].faults(...faults, ...this.noise[rail]);
  }

  /** Starts a server, or another program in its place. */
  start(program?: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    return startServerProcess(this.app.database, { env: { ...this.settings, ...env }, program });
  }

  /** An approved application of a new client; its people call the server process. */
  async approved(rail: RailId, { isAtBank = false, advance }: Special = {}): Promise<PaidCase> {
    const client = await buildCaseClient(this.app);
    const number = uniquePhone().replace(/^07./, rails[rail].prefix);
    const account = isAtBank ? { bankName: 'Stanbic Bank', number: '0030001234567' } : { provider: rail, number };
    await buildPayoutAccount(this.app, client, this.#officer, account);
    const msisdn = `256${number.slice(1)}`;
    await this.providers[rail].wallets({ msisdn, name: 'Sarah Nabirye', balance: 0 });
    const built = await buildApprovedCase(this.app, {
      client,
      officer: this.#officer,
      payer: this.#payer,
      ...(advance === undefined ? {} : { advance }),
    });
    const [officer, payer] = [this.#remote(built.officer), this.#remote(built.payer)];
    return { ...built, officer, payer, client: { ...client, ...this.#remote(client) }, rail, msisdn, isAtBank };
  }

  /** The same person, calling the server process. */
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
