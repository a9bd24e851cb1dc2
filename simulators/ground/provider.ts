import type { FastifyInstance } from 'fastify';
import type { Transaction, Wallet } from './events.ts';
import type { Faults } from './faults.ts';
import type { Simulator } from './simulator.ts';

/** Why a transaction fails by itself. A provider has its own word for each. */
export type Cause =
  | 'payee not found'
  | 'payer not found'
  | 'payee closed'
  | 'payer closed'
  | 'no float'
  | 'no funds'
  | 'over the limit of a transaction'
  | 'over the limit of a wallet'
  | 'rejected'
  | 'expired';

/** The behaviour of a provider's documented test number, in place of a wallet. */
export interface Script {
  /** Why it fails, in the provider's words; it succeeds without. */
  readonly refuse?: string;
  /** How long it takes; 'for ever' until it is settled by hand. */
  readonly seconds?: number | 'for ever';
  readonly pendingAs?: string;
}

/** A callback as it goes out. */
export interface Outgoing {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly body: unknown;
}

/** A line of the statement: a transaction, and the account's balance after it. */
export interface StatementLine {
  readonly transaction: Transaction;
  readonly wallet: Wallet | undefined;
  /** The account's change: above 0 gained, below 0 lost. */
  readonly amount: number;
  readonly balance: number;
}

/** The differences between the two providers. */
export interface Provider {
  readonly name: 'mtn' | 'airtel';
  readonly title: string;
  /** Its network's numbers, with the country's code. */
  readonly numbers: RegExp;
  readonly currency: string;
  /** The PIN that people type on their phone. */
  readonly pin: string;
  /** Why a request fails where the PIN is wrong; it stays open without. */
  readonly wrongPin?: string;
  readonly reasons: Readonly<Record<Cause, string>>;
  /** Every reason that it documents: what a fault may name. */
  readonly documentedReasons: readonly string[];
  /** The names of unsettled states; usually the first. */
  readonly pendingStates: readonly [string, ...string[]];
  readonly scripts: Readonly<Record<'transfer' | 'request', ReadonlyMap<string, Script>>>;
  /** Whether it settles later, if the simulator has a delay; otherwise at once. */
  readonly isSettledLater: boolean;
  financialId(nth: number, at: number, kind: Transaction['kind']): string;
  /** The callback after it has settled, or a forged one before; null for none. */
  callback(transaction: Transaction, faults: Faults): Outgoing | null;
  /** The statement's columns. */
  readonly statementHead: readonly string[];
  statementRow(line: StatementLine): readonly (string | number)[];
  /** The answer while it is down. */
  readonly unavailable: unknown;
  readonly unknownPath: unknown;
  /** The keys for calling it; they open nothing but this simulator. */
  credentials(): unknown;
  routes(app: FastifyInstance, simulator: Simulator): void;
}
