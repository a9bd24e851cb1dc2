import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { type Clock, ugandanDate } from './clock.ts';
import {
  type AccountName,
  type BookEvent,
  bookEvent,
  type Call,
  type Message,
  type NewEvent,
  type Transaction,
  type Wallet,
} from './events.ts';

/**
 * A provider's book: accounts, wallets and transactions. Every change is written to a file before it takes effect, so that a
 * simulator can be killed at any time; without a file, the book is in memory.
 */
export class Book {
  readonly #file: string | undefined;
  readonly #clock: Clock;
  readonly #accounts: Record<AccountName, number> = { disbursement: 0, collection: 0 };
  readonly #wallets = new Map<string, Wallet>();
  readonly #transactions = new Map<string, Transaction>();
  readonly #pending = new Set<string>();
  readonly #messages: Message[] = [];
  readonly #calls: Call[] = [];
  readonly #kept = new Map<string, string>();
  /** By day, wallet and direction. */
  readonly #moved = new Map<string, number>();
  #funded = 0;
  #settled = 0;

  constructor(file: string | undefined, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
    if (file === undefined || !existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    // An incomplete line belongs to a call without an answer.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole !== text) truncateSync(file, Buffer.byteLength(whole));
    for (const line of whole.split('\n').slice(0, -1)) this.#apply(bookEvent.parse(JSON.parse(line)));
  }

  get accounts(): Readonly<Record<AccountName, number>> {
    return this.#accounts;
  }
  get wallets(): readonly Wallet[] {
    return [...this.#wallets.values()];
  }
  get transactions(): readonly Transaction[] {
    return [...this.#transactions.values()];
  }
  get calls(): readonly Call[] {
    return this.#calls;
  }
  /** The number of settled transactions. */
  get settled(): number {
    return this.#settled;
  }

  wallet(msisdn: string): Wallet | undefined {
    return this.#wallets.get(msisdn);
  }
  transaction(id: string): Transaction | undefined {
    return this.#transactions.get(id);
  }
  /** The unsettled transactions. */
  pending(): readonly Transaction[] {
    return [...this.#pending].flatMap((id) => this.#transactions.get(id) ?? []);
  }
  messagesOf(msisdn: string): readonly Message[] {
    return this.#messages.filter((message) => message.msisdn === msisdn);
  }
  /** Other data of a provider, by name. */
  kept(name: string): string | undefined {
    return this.#kept.get(name);
  }

  /** All money held and all money from outside, which must be equal. */
  sums(): { readonly held: number; readonly funded: number } {
    const inWallets = this.wallets.reduce((sum, { balance }) => sum + balance, 0);
    return { held: this.#accounts.disbursement + this.#accounts.collection + inWallets, funded: this.#funded };
  }

  /** The amount that a wallet received or sent today. */
  movedToday(msisdn: string, direction: 'received' | 'sent'): number {
    return this.#moved.get(dayKey(msisdn, direction, this.#clock.now())) ?? 0;
  }

  /** Writes an event to the file, then applies it. */
  record(change: NewEvent): void {
    const event = bookEvent.parse({ ...change, at: this.#clock.now() });
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(event)}\n`);
    this.#apply(event);
  }

  /** Counts a status call for a transaction, in memory only. */
  countAsk(id: string): void {
    const found = this.#transactions.get(id);
    if (found !== undefined) this.#transactions.set(id, { ...found, asked: found.asked + 1 });
  }

  #apply(event: BookEvent): void {
    this.#clock.notBefore(event.at);
    switch (event.type) {
      case 'funded':
        this.#accounts[event.account] += event.amount;
        this.#funded += event.amount;
        return;
      case 'wallet': {
        const { msisdn, name, state, funded } = event;
        const balance = (this.#wallets.get(msisdn)?.balance ?? 0) + funded;
        this.#wallets.set(msisdn, { msisdn, name, state, balance });
        this.#funded += funded;
        return;
      }
      case 'taken':
        this.#pending.add(event.id);
        this.#transactions.set(event.id, {
          ...event,
          state: 'pending',
          reason: null,
          financialId: null,
          settledAt: null,
          asked: 0,
        });
        return;
      case 'settled':
        this.#settle(event);
        return;
      case 'told':
        this.#messages.push(event);
        return;
      case 'called':
        this.#calls.push(event);
        return;
      case 'kept':
        this.#kept.set(event.name, event.value);
        return;
    }
  }

  #settle({ id, at, reason, financialId }: Extract<BookEvent, { type: 'settled' }>): void {
    const found = this.#transactions.get(id);
    if (found === undefined || found.state !== 'pending') throw new Error(`${id} settles a second time`);
    this.#pending.delete(id);
    this.#settled += 1;
    const state = reason === null ? 'succeeded' : 'failed';
    this.#transactions.set(id, { ...found, state, reason, financialId, settledAt: at });
    if (reason === null) this.#move(found, at);
  }

  #move({ kind, msisdn, amount }: Transaction, at: number): void {
    const wallet = this.#wallets.get(msisdn);
    if (wallet === undefined) throw new Error(`money moves, and ${msisdn} has no wallet`);
    const received = kind === 'transfer' ? amount : -amount;
    this.#accounts[kind === 'transfer' ? 'disbursement' : 'collection'] -= received;
    this.#wallets.set(msisdn, { ...wallet, balance: wallet.balance + received });
    const day = dayKey(msisdn, received > 0 ? 'received' : 'sent', at);
    this.#moved.set(day, (this.#moved.get(day) ?? 0) + amount);
  }
}

function dayKey(msisdn: string, direction: 'received' | 'sent', at: number): string {
  return `${ugandanDate(at)} ${direction} ${msisdn}`;
}
