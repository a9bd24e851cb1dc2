import { z } from 'zod';
import { toMinor } from '#contract/money.ts';
import type { Refusal } from '#contract/transfers/refusals.ts';
import type { Answer, Holder } from '#server/rail-port/rail.ts';
import { isSilent, type Reply } from '#server/rails/provider-call.ts';
import type { Words } from '#server/rails/provider-session.ts';
import type { ProductName } from './settings.ts';

/**
 * Maps MTN's answers to ours (docs/decisions/0049-providers.md). Only a state or code in these tables ends a transfer;
 * anything else is unknown, and we ask again.
 */

type Refusals = Readonly<Record<string, Refusal>>;

/** Values of a FAILED transaction's `reason` that mean the same in both directions. */
const sharedReasons: Refusals = {
  NOT_ENOUGH_FUNDS: 'insufficientFloat',
  APPROVAL_REJECTED: 'rejected',
  PAYMENT_NOT_APPROVED: 'rejected',
  EXPIRED: 'expired',
  TRANSACTION_CANCELED: 'cancelled',
  NOT_ALLOWED: 'notAllowed',
  NOT_ALLOWED_TARGET_ENVIRONMENT: 'misconfigured',
  INVALID_CALLBACK_URL_HOST: 'misconfigured',
  INVALID_CURRENCY: 'misconfigured',
  INTERNAL_PROCESSING_ERROR: 'other',
  SERVICE_UNAVAILABLE: 'other',
};

/** In a payout we are the payer; in a collection, the payee. */
export const reasons: Readonly<Record<ProductName, Refusals>> = {
  disbursement: {
    ...sharedReasons,
    PAYER_LIMIT_REACHED: 'ourLimit',
    PAYEE_LIMIT_REACHED: 'walletLimit',
    PAYEE_NOT_FOUND: 'numberUnknown',
    PAYEE_NOT_ALLOWED_TO_RECEIVE: 'walletClosed',
    PAYER_NOT_FOUND: 'misconfigured',
    SENDER_ACCOUNT_NOT_ACTIVE: 'notAllowed',
    COULD_NOT_PERFORM_TRANSACTION: 'other',
  },
  collection: {
    ...sharedReasons,
    PAYER_LIMIT_REACHED: 'walletLimit',
    PAYEE_LIMIT_REACHED: 'ourLimit',
    PAYER_NOT_FOUND: 'numberUnknown',
    SENDER_ACCOUNT_NOT_ACTIVE: 'walletClosed',
    PAYEE_NOT_FOUND: 'misconfigured',
    PAYEE_NOT_ALLOWED_TO_RECEIVE: 'notAllowed',
    // Documented for both directions; here it means that the payer did not approve within five minutes.
    COULD_NOT_PERFORM_TRANSACTION: 'expired',
  },
};

const reasonSchema = z.union([z.string(), z.object({ code: z.string() }).transform(({ code }) => code)]);

const transactionSchema = z.object({
  status: z.string(),
  /** In whole units. MTN returns '12.5' for '12.50'. */
  amount: z
    .string()
    .regex(/^\d{1,13}(?:\.\d{1,2})?$/)
    .optional()
    .catch(undefined),
  reason: reasonSchema.optional(),
  financialTransactionId: z.union([z.string().min(1), z.number().transform(String)]).optional(),
});

const errorSchema = z.object({ code: z.string(), message: z.string().optional() });

/** MTN's pages write some codes with spaces, but its answers use underscores. */
function plainCode(code: string): string {
  return code.trim().toUpperCase().replaceAll(/\s+/g, '_');
}

function errorOf(json: unknown): { readonly code: string; readonly message: string | undefined } | undefined {
  const { data } = errorSchema.safeParse(json);
  return data === undefined ? undefined : { code: plainCode(data.code), message: data.message };
}

function unknown(reply: Reply, words: Words): Answer {
  if (!reply.answered) return { state: 'unknown', said: words(reply.why), isSilent: true };
  const error = errorOf(reply.json);
  const said = words('answered', reply.status, error?.code, error?.message);
  return { state: 'unknown', said, isSilent: isSilent(reply) };
}

/**
 * The result of a POST. 409: MTN already has the order. 400: the request lacks MTN's form, so the same order would be
 * refused every time. A refused login (401, 403) and a 5xx are not failures: once the keys are right, or MTN is back,
 * the same order goes out under the same reference.
 */
export function sentAnswer(reply: Reply, words: Words): Answer {
  if (!reply.answered) return unknown(reply, words);
  if (reply.status === 202) return { state: 'taken', said: words('answered 202') };
  const error = errorOf(reply.json);
  const said = words('answered', reply.status, error?.code, error?.message);
  if (reply.status === 409) return { state: 'taken', said };
  if (reply.status === 400 && error !== undefined) return { state: 'failed', refusal: 'misconfigured', said };
  return unknown(reply, words);
}

/**
 * The result of the status call. A 404 without MTN's own code comes from a gateway, and says nothing about the
 * reference.
 */
export function askedAnswer(product: ProductName, reply: Reply, words: Words): Answer {
  if (!reply.answered) return unknown(reply, words);
  if (reply.status === 404 && errorOf(reply.json)?.code === 'RESOURCE_NOT_FOUND') {
    return { state: 'notFound', said: words('answered 404 RESOURCE_NOT_FOUND') };
  }
  const { data } = transactionSchema.safeParse(reply.json);
  if (reply.status !== 200 || data === undefined) return unknown(reply, words);
  const reason = data.reason === undefined ? undefined : plainCode(data.reason);
  const said = words(data.status, reason, data.financialTransactionId);
  if (data.status === 'PENDING') return { state: 'taken', said };
  if (data.status === 'SUCCESSFUL' && data.financialTransactionId !== undefined) {
    const amount = data.amount === undefined ? undefined : toMinor(Number(data.amount));
    const paid = { state: 'succeeded', said, providerReference: data.financialTransactionId } as const;
    return amount === undefined ? paid : { ...paid, amount };
  }
  const refusal = data.status === 'FAILED' ? refusalOf(product, reason) : undefined;
  return refusal === undefined ? { state: 'unknown', said } : { state: 'failed', refusal, said };
}

/**
 * The refusal of a FAILED transaction. Without a reason, it simply failed; with an unlisted reason, it waits for a
 * person.
 */
function refusalOf(product: ProductName, reason: string | undefined): Refusal | undefined {
  if (reason === undefined) return 'other';
  return Object.hasOwn(reasons[product], reason) ? reasons[product][reason] : undefined;
}

const activeSchema = z.object({ result: z.boolean() });

/** The answer for a number without an active wallet; undefined if it has one, so that we ask for the name next. */
export function inactiveHolder(reply: Reply, words: Words): Holder | undefined {
  const { data } = activeSchema.safeParse(reply.answered && reply.status === 200 ? reply.json : undefined);
  if (data?.result === true) return undefined;
  if (data?.result === false) return { state: 'closed', said: words('result false') };
  const { said } = unknown(reply, words);
  const isMissing = reply.answered && reply.status === 404 && errorOf(reply.json) !== undefined;
  return { state: isMissing ? 'none' : 'unknown', said };
}

const personSchema = z.object({
  name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
});

const LONGEST_NAME = 200;

/** The holder's name; null if MTN does not give it. */
export function holderName(reply: Reply): string | null {
  const { data } = personSchema.safeParse(reply.answered && reply.status === 200 ? reply.json : undefined);
  if (data === undefined) return null;
  const parts = [data.given_name, data.family_name].filter((part) => part !== undefined && part.trim() !== '');
  const name = (parts.length === 2 ? parts.join(' ') : (data.name ?? parts.join(' '))).trim();
  return name === '' ? null : name.slice(0, LONGEST_NAME);
}
