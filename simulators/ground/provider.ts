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

/** What a provider's documented test number does, in the place of a wallet. */
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
  /** What the account gained, or less than 0: what it lost. */
  readonly amount: number;
  readonly balance: number;
}

/** What the two providers do differently. */
export interface Provider {
  readonly name: 'mtn' | 'airtel';
  readonly title: string;
  /** Its network's numbers, with the country's code. */
  readonly numbers: RegExp;
  readonly currency: string;
  /** What people type on their phone. */
  readonly pin: string;
  /** Why a request fails where the PIN is wrong; it stays open without. */
  readonly wrongPin?: string;
  readonly reasons: Readonly<Record<Cause, string>>;
  /** Every reason that it documents: what a fault may name. */
  readonly documentedReasons: readonly string[];
  /** What a transaction that has not settled is called: as a rule the first. */
  readonly pendingStates: readonly [string, ...string[]];
  readonly scripts: Readonly<Record<'transfer' | 'request', ReadonlyMap<string, Script>>>;
  /** How long it takes to settle, where the simulator is told a time: at once without. */
  readonly isSettledLater: boolean;
  financialId(nth: number, at: number, kind: Transaction['kind']): string;
  /** What is said to the caller's address once it has settled, or before, where that is forged; null: nothing. */
  callback(transaction: Transaction, faults: Faults): Outgoing | null;
  /** The statement's columns. */
  readonly statementHead: readonly string[];
  statementRow(line: StatementLine): readonly (string | number)[];
  /** What it says while it is down. */
  readonly unavailable: unknown;
  readonly unknownPath: unknown;
  /** What somebody must know to call it; nothing here opens anything but this simulator. */
  credentials(): unknown;
  routes(app: FastifyInstance, simulator: Simulator): void;
}
