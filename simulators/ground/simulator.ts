import { randomUUID } from 'node:crypto';
import { Book } from './book.ts';
import { Callbacks } from './callbacks.ts';
import { Clock } from './clock.ts';
import type { AccountName, Plan, Transaction } from './events.ts';
import { Faults, type Operation } from './faults.ts';
import type { Cause, Provider } from './provider.ts';
import { ANSWER_SECONDS, problemOfPayer, problemOfPayment, problemOfTransfer } from './rules.ts';

/** An order to move money, with the fields that both providers share. */
export type Order = Pick<
  Transaction,
  'id' | 'msisdn' | 'amount' | 'currency' | 'externalId' | 'payerMessage' | 'payeeNote' | 'callbackUrl'
>;

export interface SimulatorOptions {
  /** The book's file; undefined for a book in memory. */
  readonly bookFile: string | undefined;
  /** The default duration of a transaction, for providers that settle later. */
  readonly settleMs: number;
}

/** One provider: accepts orders, settles them, and notifies phones and callers. */
export class Simulator {
  readonly provider: Provider;
  readonly clock = new Clock();
  readonly faults = new Faults();
  readonly book: Book;
  readonly callbacks: Callbacks;
  readonly #settleMs: number;
  /** No pending transaction settles by itself before this time; unknown after a start. */
  #wakeAt = Number.NEGATIVE_INFINITY;

  constructor(provider: Provider, { bookFile, settleMs }: SimulatorOptions) {
    this.provider = provider;
    this.book = new Book(bookFile, this.clock);
    this.callbacks = new Callbacks(this.book);
    this.#settleMs = settleMs;
  }

  /** Accepts an order and writes it to the book, whether the caller gets an answer or not. */
  take(kind: 'transfer' | 'request', order: Order): void {
    const plan = this.#planFor(kind, order);
    this.book.record({ type: 'taken', kind, ...order, plan });
    const forged = this.faults.strike(['forged-callback'], kind, order.msisdn);
    const taken = this.book.transaction(order.id);
    if (forged !== undefined && taken !== undefined) this.#forge(taken, forged.wrong);
    const problem = kind === 'request' && !plan.isScripted ? problemOfPayer(this.book, order.msisdn) : null;
    if (problem !== null) this.settle(order.id, this.provider.reasons[problem]);
    const known = this.book.transaction(order.id);
    if (known?.state !== 'pending') return;
    // A provider that settles later answers first, even without a delay.
    this.#settleIfDue(known, this.provider.isSettledLater ? known.at - 1 : this.clock.now());
  }

  /** An order's status; counts the call. */
  ask(kind: 'transfer' | 'request', id: string): Transaction | undefined {
    if (this.book.transaction(id)?.kind !== kind) return undefined;
    this.book.countAsk(id);
    const asked = this.book.transaction(id);
    if (asked?.state === 'pending') this.#settleIfDue(asked, this.clock.now());
    return this.book.transaction(id);
  }

  /** Settles transactions and sends callbacks that are due. */
  tick(): void {
    const now = this.clock.now();
    if (now >= this.#wakeAt) {
      this.#wakeAt = Number.POSITIVE_INFINITY;
      for (const transaction of this.book.pending()) this.#settleIfDue(transaction, now);
    }
    this.callbacks.send(now);
  }

  #settleIfDue(transaction: Transaction, now: number): void {
    // A transaction pending for ever does not expire, as observed with MTN's test number.
    const expires = transaction.kind === 'request' && transaction.plan.dueAt !== null;
    const expiry = expires ? expiryOf(transaction) : Number.POSITIVE_INFINITY;
    const due = dueOf(transaction);
    if (now >= due) this.settleAsPlanned(transaction);
    else if (now >= expiry) this.settle(transaction.id, this.provider.reasons.expired);
    else this.#wakeAt = Math.min(this.#wakeAt, due, expiry);
  }

  /** Settles a transaction; moves the money unless there is a reason for failure. */
  settle(id: string, reason: string | null): void {
    const transaction = this.book.transaction(id);
    if (transaction === undefined) throw new Error(`there is no ${id}`);
    if (reason === null) this.#fillTestWallet(transaction);
    const financialId = this.provider.financialId(this.book.settled + 1, this.clock.now(), transaction.kind);
    this.book.record({ type: 'settled', id, reason, financialId });
    if (reason === null) this.#tellPhone(transaction, financialId);
    this.#callBack(id);
  }

  /** Records the payer's answer; returns why payment failed, or null. */
  answer(id: string, approved: boolean): Cause | null {
    const request = this.book.transaction(id);
    if (request === undefined || request.state !== 'pending') return 'expired';
    const problem = approved ? problemOfPayment(this.book, request.msisdn, request.amount) : 'rejected';
    this.settle(id, problem === null ? null : this.provider.reasons[problem]);
    return problem;
  }

  /** Pays the merchant without a request; returns why that failed, or null. */
  pay(msisdn: string, amount: number, reference: string): Cause | null {
    const problem = problemOfPayment(this.book, msisdn, amount);
    if (problem !== null) return problem;
    const id = randomUUID();
    const { currency } = this.provider;
    const order = { id, msisdn, amount, currency, externalId: '', payerMessage: reference, payeeNote: '' };
    const plan: Plan = {
      ...this.#usualPlan(),
      dueAt: null,
      callback: 'never',
      ...this.#statementFault('request', msisdn),
    };
    this.book.record({ type: 'taken', kind: 'payment', ...order, callbackUrl: null, plan });
    this.settle(id, null);
    return null;
  }

  /** Sets the balance of one of the provider's accounts. */
  fund(account: AccountName, balance: number): void {
    this.book.record({ type: 'funded', account, amount: balance - this.book.accounts[account] });
  }

  putWallet(wallet: { msisdn: string; name: string; state: 'active' | 'closed'; funded: number }): void {
    this.book.record({ type: 'wallet', ...wallet });
  }

  /** Settles a transaction as if its time had come; an unapproved request expires. */
  settleAsPlanned(transaction: Transaction): void {
    this.settle(transaction.id, transaction.plan.refuse ?? this.#reasonAgainst(transaction));
  }

  #reasonAgainst(transaction: Transaction): string | null {
    const { kind, amount, plan } = transaction;
    const { reasons } = this.provider;
    if (kind !== 'transfer') return plan.isScripted ? null : reasons.expired;
    if (plan.isScripted) return this.book.accounts.disbursement < amount ? reasons['no float'] : null;
    const problem = problemOfTransfer(this.book, transaction);
    return problem === null ? null : reasons[problem];
  }

  /** Creates and funds the wallet of a successful test number, on every call. */
  #fillTestWallet({ msisdn, kind, amount, plan }: Transaction): void {
    const wallet = this.book.wallet(msisdn);
    const isShort = kind !== 'transfer' && plan.isScripted && (wallet?.balance ?? 0) < amount;
    if (wallet !== undefined && !isShort) return;
    const funded = isShort ? amount - (wallet?.balance ?? 0) : 0;
    this.putWallet({ msisdn, name: wallet?.name ?? 'Test Number', state: wallet?.state ?? 'active', funded });
  }

  #usualPlan(): Plan {
    return {
      dueAt: this.clock.now() + (this.provider.isSettledLater ? this.#settleMs : 0),
      asks: 0,
      pendingAs: this.provider.pendingStates[0],
      refuse: null,
      isScripted: false,
      callback: 'once',
      callbackLateSeconds: 0,
      statement: 'as it was',
      statementDifference: 0,
    };
  }

  /** A test number takes precedence over a fault. */
  #planFor(kind: 'transfer' | 'request', { msisdn }: Order): Plan {
    const script = this.provider.scripts[kind].get(msisdn);
    const refused = this.faults.strike(['refuse'], kind, msisdn);
    const pending = this.faults.strike(['pending'], kind, msisdn);
    const callback = this.faults.strike(['callback'], kind, msisdn);
    const usual = this.#usualPlan();
    const wait = pending ?? script;
    const isForEver =
      pending === undefined
        ? script?.seconds === 'for ever'
        : pending.seconds === undefined && pending.asks === undefined;
    const seconds = wait?.seconds === 'for ever' ? undefined : wait?.seconds;
    return {
      ...usual,
      dueAt: isForEver ? null : seconds === undefined ? usual.dueAt : this.clock.now() + seconds * 1000,
      asks: pending?.asks ?? 0,
      pendingAs: pending?.as ?? script?.pendingAs ?? usual.pendingAs,
      refuse: refused?.reason ?? script?.refuse ?? null,
      isScripted: refused !== undefined || script !== undefined,
      callback: callback?.how ?? usual.callback,
      callbackLateSeconds: callback?.how === 'late' ? callback.seconds : 0,
      ...this.#statementFault(kind, msisdn),
    };
  }

  #statementFault(operation: Operation, msisdn: string): Pick<Plan, 'statement' | 'statementDifference'> {
    const struck = this.faults.strike(['statement'], operation, msisdn);
    return {
      statement: struck?.how ?? 'as it was',
      statementDifference: struck?.how === 'amount' ? struck.difference : 0,
    };
  }

  #callBack(id: string): void {
    const transaction = this.book.transaction(id);
    if (transaction === undefined || transaction.plan.callback === 'never') return;
    const outgoing = this.provider.callback(transaction, this.faults);
    if (outgoing === null) return;
    const { callback, callbackLateSeconds } = transaction.plan;
    const due = { at: this.clock.now() + callbackLateSeconds * 1000, id, outgoing, forged: null, host: undefined };
    for (let times = callback === 'twice' ? 2 : 1; times > 0; times--) this.callbacks.add(due);
  }

  /** Sends a false callback before the transaction settles. */
  #forge(taken: Transaction, wrong: 'reference' | 'amount' | 'status' | 'host'): void {
    const id = wrong === 'reference' ? randomUUID() : taken.id;
    const externalId = wrong === 'reference' ? randomUUID() : taken.externalId;
    const amount = wrong === 'amount' ? taken.amount * 10 : taken.amount;
    const financialId = this.provider.financialId(999_999, this.clock.now(), taken.kind);
    const said: Transaction = { ...taken, id, externalId, amount, financialId, state: 'succeeded' };
    const outgoing = this.provider.callback(said, this.faults);
    const host = wrong === 'host' ? 'forged.example' : undefined;
    if (outgoing !== null) this.callbacks.add({ at: this.clock.now(), id: taken.id, outgoing, forged: wrong, host });
  }

  #tellPhone({ kind, msisdn, amount, currency, payeeNote, payerMessage }: Transaction, financialId: string): void {
    const money = `${currency} ${amount.toLocaleString('en')}`;
    const note = kind === 'transfer' ? payeeNote : payerMessage;
    const text =
      (kind === 'transfer' ? `You have received ${money}.` : `You have paid ${money}.`) +
      (note === '' ? '' : ` ${note}.`) +
      ` Transaction ID ${financialId}.`;
    this.book.record({ type: 'told', msisdn, text });
  }
}

/** When a transaction settles by itself; never if it waits for the phone, a person or a status call. */
function dueOf({ kind, plan, asked }: Transaction): number {
  const waits = (kind === 'request' && !plan.isScripted) || asked < plan.asks;
  return waits ? Number.POSITIVE_INFINITY : (plan.dueAt ?? Number.POSITIVE_INFINITY);
}

/** When a request to pay expires. */
export function expiryOf({ at }: Transaction): number {
  return at + ANSWER_SECONDS * 1000;
}
