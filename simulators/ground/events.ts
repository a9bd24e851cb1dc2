import { z } from 'zod';

/** The events of a simulator's book, one a line; append-only. */

export const accountNames = ['disbursement', 'collection'] as const;
export type AccountName = (typeof accountNames)[number];

/** Whole shillings. */
export const shillings = z.int().min(0).max(1_000_000_000_000);
const time = z.number();
const walletState = z.enum(['active', 'closed']);

/** The plan of a transaction, made when it was taken: by a fault, by its test number, or as usual. */
export const plan = z.strictObject({
  /** When it may settle; null where nothing but the phone or a person settles it. */
  dueAt: time.nullable(),
  /** How often it must be asked about first. */
  asks: z.int().min(0),
  /** Its status until then, in the provider's words. */
  pendingAs: z.string(),
  /** Why it will fail, in the provider's words. */
  refuse: z.string().nullable(),
  /** Whether it settles without the phone. */
  isScripted: z.boolean(),
  callback: z.enum(['once', 'twice', 'late', 'never']),
  callbackLateSeconds: z.number(),
  statement: z.enum(['as it was', 'twice', 'missing', 'amount']),
  /** How much the statement says too much. */
  statementDifference: z.int(),
});
export type Plan = z.output<typeof plan>;

const taken = z.strictObject({
  type: z.literal('taken'),
  at: time,
  kind: z.enum(['transfer', 'request', 'payment']),
  /** The caller's reference, which is taken once. */
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
    /** Money that the wallet gets from nowhere, or loses to it. */
    funded: z.int(),
  }),
  taken,
  z.strictObject({
    type: z.literal('settled'),
    at: time,
    id: z.string(),
    /** Null: it succeeded, and its money moved. */
    reason: z.string().nullable(),
    financialId: z.string(),
  }),
  z.strictObject({ type: z.literal('told'), at: time, msisdn: z.string(), text: z.string() }),
  z.strictObject({
    type: z.literal('called'),
    at: time,
    id: z.string(),
    url: z.string(),
    /** The deliberate fault, or null. */
    forged: z.string().nullable(),
    /** The status that it was answered with; null where nobody answered. */
    status: z.int().nullable(),
  }),
  /** Other data of a provider: users and keys. */
  z.strictObject({ type: z.literal('kept'), at: time, name: z.string(), value: z.string() }),
]);
export type BookEvent = z.output<typeof bookEvent>;

/** An event before it has its time. */
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
  /** How often its status was asked for. */
  readonly asked: number;
}

export type Message = Extract<BookEvent, { type: 'told' }>;
export type Call = Extract<BookEvent, { type: 'called' }>;
