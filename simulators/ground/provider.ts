import type { FastifyInstance } from 'fastify';
import type { Transaction, Wallet } from './events.ts';
import type { Faults } from './faults.ts';
import type { Simulator } from './simulator.ts';

/** Why a transaction fails without a fault. Each provider has its own code. */
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

/** The behaviour of a documented test number, which has no wallet. */
export interface Script {
  /** The provider's reason; absent for success. */
  readonly refuse?: string;
  /** Duration; 'for ever' until somebody settles it. */
  readonly seconds?: number | 'for ever';
  readonly pendingAs?: string;
}

/** A callback to send. */
export interface Outgoing {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly body: unknown;
}

/** A transaction in the statement, and the account's balance after it. */
export interface StatementLine {
  readonly transaction: Transaction;
  readonly wallet: Wallet | undefined;
  /** The account's change; negative for a loss. */
  readonly amount: number;
  readonly balance: number;
}

/** The differences between the two providers. */
export interface Provider {
  readonly name: 'mtn' | 'airtel';
  readonly title: string;
  /** The network's numbers with the country code. */
  readonly numbers: RegExp;
  readonly currency: string;
  /** The PIN of every phone. */
  readonly pin: string;
  /** The reason after a wrong PIN; if absent, the request stays open. */
  readonly wrongPin?: string;
  readonly reasons: Readonly<Record<Cause, string>>;
  /** Every documented reason, for faults. */
  readonly documentedReasons: readonly string[];
  /** The codes of unsettled states; the first is the default. */
  readonly pendingStates: readonly [string, ...string[]];
  readonly scripts: Readonly<Record<'transfer' | 'request', ReadonlyMap<string, Script>>>;
  /** Whether a simulator's delay applies; otherwise it settles at once. */
  readonly isSettledLater: boolean;
  financialId(nth: number, at: number, kind: Transaction['kind']): string;
  /** The callback after settlement, or a forged one before; null for none. */
  callback(transaction: Transaction, faults: Faults): Outgoing | null;
  /** The statement's first line, as CSV. */
  readonly statementHead: string;
  statementRow(line: StatementLine): readonly (string | number)[];
  /** The answer during an outage. */
  readonly unavailable: unknown;
  readonly unknownPath: unknown;
  /** The keys for this simulator. */
  credentials(): unknown;
  routes(app: FastifyInstance, simulator: Simulator): void;
}
