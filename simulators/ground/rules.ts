import type { Book } from './book.ts';
import type { Transaction } from './events.ts';
import type { Cause } from './provider.ts';

/** A wallet's limits in Uganda, in whole shillings: balance, daily total received or sent, and transaction. */
export const LIMITS = { balance: 20_000_000, day: 20_000_000, transaction: 5_000_000 } as const;

/** The time to answer a request to pay. */
export const ANSWER_SECONDS = 300;

/** Why a transfer cannot be paid now, or null. */
export function problemOfTransfer(book: Book, { msisdn, amount }: Transaction): Cause | null {
  const wallet = book.wallet(msisdn);
  if (wallet === undefined) return 'payee not found';
  if (wallet.state === 'closed') return 'payee closed';
  if (amount > LIMITS.transaction) return 'over the limit of a transaction';
  const received = book.movedToday(msisdn, 'received') + amount;
  if (wallet.balance + amount > LIMITS.balance || received > LIMITS.day) return 'over the limit of a wallet';
  return book.accounts.disbursement < amount ? 'no float' : null;
}

/** Why a wallet cannot receive a request to pay, or null. */
export function problemOfPayer(book: Book, msisdn: string): Cause | null {
  const wallet = book.wallet(msisdn);
  if (wallet === undefined) return 'payer not found';
  return wallet.state === 'closed' ? 'payer closed' : null;
}

/** Why a wallet cannot pay that amount now, or null. */
export function problemOfPayment(book: Book, msisdn: string, amount: number): Cause | null {
  const problem = problemOfPayer(book, msisdn);
  if (problem !== null) return problem;
  if (amount > LIMITS.transaction) return 'over the limit of a transaction';
  if (book.movedToday(msisdn, 'sent') + amount > LIMITS.day) return 'over the limit of a wallet';
  return (book.wallet(msisdn)?.balance ?? 0) < amount ? 'no funds' : null;
}
