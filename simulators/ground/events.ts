import { z } from 'zod';

/** The events of a simulator's book, one per line; append-only. */

export const accountNames = ['disbursement', 'collection'] as const;
export type AccountName = (typeof accountNames)[number];

/** Whole shillings. */
export const shillings = z.int().min(0).max(1_000_000_000_000);
const time = z.number();
const walletState = z.enum(['active', 'closed']);

/** A transaction's plan, fixed on acceptance by a fault, a test number or the default. */
export const plan = z.strictObject({
  /** The earliest time to settle; null if only the phone or a person settles it. */
  dueAt: time.nullable(),
  /** The number of status calls required first. */
  asks: z.int().min(0),
  /** The provider's status until then. */
  pendingAs: z.string(),
  /** The provider's reason for the later failure, if any. */
  refuse: z.string().nullable(),
  /** Whether it settles without the phone. */
  isScripted: z.boolean(),
  callback: z.enum(['once', 'twice', 'late', 'never']),
  callbackLateSeconds: z.number(),
  statement: z.enum(['as it was', 'twice', 'missing', 'amount']),
  /** The error of the statement's amount. */
  statementDifference: z.int(),
});
export type Plan = z.output<typeof plan>;

const taken = z.strictObject({
  type: z.literal('taken'),
  at: time,
  kind: z.enum(['transfer', 'request', 'payment']),
  /** The caller's unique reference. */
  id: z.string(),
  msisdn: z.string(),
  amount: shillings,
  currency: z.string(),
  externalId: z.string(),
  payerMessage: z.string(),
  payeeNote: z.string(),
  callbackUrl: z.string().nullable(),
  plan,
});

export const bookEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('funded'), at: time, account: z.enum(accountNames), amount: z.int() }),
  z.strictObject({
    type: z.literal('wallet'),
    at: time,
    msisdn: z.string(),
    name: z.string(),
    state: walletState,
    /** The wallet's gain or loss from outside the book. */
    funded: z.int(),
  }),
  taken,
  z.strictObject({
    type: z.literal('settled'),
    at: time,
    id: z.string(),
    /** Null for success, which moves the money. */
    reason: z.string().nullable(),
    financialId: z.string(),
  }),
  z.strictObject({ type: z.literal('told'), at: time, msisdn: z.string(), text: z.string() }),
  z.strictObject({
    type: z.literal('called'),
    at: time,
    id: z.string(),
    url: z.string(),
    /** The deliberate fault, if any. */
    forged: z.string().nullable(),
    /** The status of the answer; null without an answer. */
    status: z.int().nullable(),
  }),
  /** Other data of a provider: users and keys. */
  z.strictObject({ type: z.literal('kept'), at: time, name: z.string(), value: z.string() }),
]);
export type BookEvent = z.output<typeof bookEvent>;

/** An event without its time. */
export type NewEvent = BookEvent extends infer Each ? (Each extends BookEvent ? Omit<Each, 'at'> : never) : never;

export interface Wallet {
  readonly msisdn: string;
  readonly name: string;
  readonly state: z.output<typeof walletState>;
  readonly balance: number;
}

export interface Transaction extends z.output<typeof taken> {
  readonly state: 'pending' | 'succeeded' | 'failed';
  readonly reason: string | null;
  readonly financialId: string | null;
  readonly settledAt: number | null;
  /** The number of status calls. */
  readonly asked: number;
}

export type Message = Extract<BookEvent, { type: 'told' }>;
export type Call = Extract<BookEvent, { type: 'called' }>;
