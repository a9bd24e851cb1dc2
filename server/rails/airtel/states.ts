import { z } from 'zod';
import type { Refusal } from '#contract/transfers/refusals.ts';
import type { Answer, Holder } from '#server/rail-port/rail.ts';
import { isSilent, type Reply } from '#server/rails/provider-call.ts';
import type { Words } from '#server/rails/provider-session.ts';

/**
 * Maps Airtel's answers to ours (docs/decisions/0049-providers.md). An answer has a product's code and, once there is a
 * transaction, its state. We end a transfer only if both are in these tables and agree.
 */

export type ProductName = 'disbursement' | 'collection';

/** The meaning of a code: a refusal, or how far the transaction has got. */
type Meaning = Refusal | 'succeeded' | 'inProgress' | 'duplicate' | 'missing' | 'ambiguous';

type Codes = Readonly<Record<string, Meaning>>;

/** Codes of the gateway, in front of the products, and of the service bus behind it. */
const sharedCodes: Codes = {
  ROUTER001: 'misconfigured',
  ROUTER003: 'misconfigured',
  ROUTER005: 'misconfigured',
  ROUTER006: 'misconfigured',
  ROUTER007: 'misconfigured',
  ROUTER112: 'misconfigured',
  ROUTER114: 'misconfigured',
  ROUTER115: 'misconfigured',
  ROUTER116: 'misconfigured',
  ROUTER117: 'ambiguous',
  ROUTER119: 'misconfigured',
  ESB000001: 'ambiguous',
  ESB000004: 'ambiguous',
  ESB000008: 'ambiguous',
  ESB000010: 'inProgress',
  ESB000011: 'ambiguous',
  ESB000014: 'ambiguous',
  ESB000033: 'numberUnknown',
  ESB000034: 'misconfigured',
  ESB000035: 'misconfigured',
  ESB000036: 'numberUnknown',
  ESB000039: 'misconfigured',
  ESB000041: 'duplicate',
  ESB000045: 'missing',
};

export const codes: Readonly<Record<ProductName, Codes>> = {
  disbursement: {
    ...sharedCodes,
    DP00900001000: 'ambiguous',
    DP00900001001: 'succeeded',
    DP00900001003: 'walletLimit',
    DP00900001004: 'walletLimit',
    DP00900001005: 'other',
    DP00900001006: 'inProgress',
    DP00900001007: 'insufficientFloat',
    DP00900001009: 'other',
    DP00900001010: 'notAllowed',
    // 'A transaction with similar information already exists': it may be ours or another one. The enquiry shows which.
    DP00900001011: 'ambiguous',
    DP00900001012: 'numberUnknown',
    DP00900001013: 'rejected',
    DP00900001014: 'ambiguous',
    DP00900001015: 'missing',
    DP00900001016: 'misconfigured',
    DP00900001017: 'duplicate',
    DP00900001018: 'misconfigured',
    DP00900001019: 'notAllowed',
  },
  collection: {
    ...sharedCodes,
    DP00800001000: 'ambiguous',
    DP00800001001: 'succeeded',
    DP00800001002: 'other',
    DP00800001003: 'walletLimit',
    DP00800001004: 'other',
    DP00800001005: 'expired',
    DP00800001006: 'inProgress',
    DP00800001007: 'insufficientFloat',
    DP00800001008: 'rejected',
    DP00800001009: 'other',
    DP00800001010: 'walletClosed',
    DP00800001024: 'ambiguous',
    DP00800001025: 'missing',
    DP00800001026: 'misconfigured',
    DP00800001029: 'expired',
  },
};

/** States of a transaction. According to Airtel's pages, a payout never expires. */
const states = {
  disbursement: { TS: 'succeeded', TF: 'failed', TA: 'unknown', TIP: 'taken' },
  collection: { TS: 'succeeded', TF: 'failed', TA: 'unknown', TIP: 'taken', TE: 'expired' },
} as const satisfies Record<ProductName, Readonly<Record<string, string>>>;

/**
 * Codes that are a refusal only together with the state TF, and the refusal that they mean then. An ambiguous code
 * stays ambiguous.
 */
const failedWith: Readonly<Record<string, Refusal>> = {
  DP00800001001: 'other',
  DP00800001024: 'expired',
  DP00900001001: 'other',
  ESB000010: 'other',
  ESB000011: 'other',
};

const text = z.string().max(300);
const wordsSchema = z.union([text, z.boolean(), z.number(), z.null()]).optional();

/** In the answer to a request to pay, `id` and `status` may be false or 'SUCCESS', which carry no information. */
const envelopeSchema = z.object({
  data: z
    .object({
      transaction: z
        .object({ id: wordsSchema, status: wordsSchema, airtel_money_id: wordsSchema, message: z.string().nullish() })
        .nullish(),
    })
    .nullish(),
  status: z.object({ response_code: text.nullish(), result_code: text.nullish(), message: z.string().nullish() }),
});

interface Said {
  readonly code: string | undefined;
  /** The service bus's code, beside the product's. */
  readonly resultCode: string | undefined;
  readonly state: string | undefined;
  /** The transaction's id, repeated by Airtel, and Airtel's own number. */
  readonly id: string | undefined;
  readonly airtelMoneyId: string | undefined;
  readonly said: string;
}

/** Whether an answer can describe a transaction, unlike a server error, a redirect or a refused login. */
function mayTell(status: number): boolean {
  return (status >= 200 && status < 300) || (status >= 400 && status < 500 && status !== 401);
}

/** Parses an answer; undefined if it says nothing about a transaction, or does not have Airtel's form. */
function read(reply: Reply, words: Words): Said | undefined {
  const isOne = reply.answered && mayTell(reply.status);
  const { data } = envelopeSchema.safeParse(isOne ? reply.json : undefined);
  if (data === undefined) return undefined;
  const { response_code, result_code, message } = data.status;
  const transaction = data.data?.transaction;
  const code = response_code || result_code || undefined;
  const state = plain(transaction?.status);
  return {
    code,
    resultCode: result_code || undefined,
    state,
    id: plain(transaction?.id),
    airtelMoneyId: plain(transaction?.airtel_money_id),
    said: words(state, code, transaction?.message ?? message ?? undefined),
  };
}

function plain(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}

function noAnswer(reply: Reply, words: Words) {
  const said = reply.answered ? words('answered', reply.status) : words(reply.why);
  return { state: 'unknown', said, isSilent: isSilent(reply) } as const;
}

/** How a transaction ended, by its state; undefined if the state is missing or unlisted. */
function endOf(product: ProductName, answer: Said, id: string): Answer | undefined {
  const { code, said } = answer;
  const state = lookUp<string>(states[product], answer.state);
  const meaning = lookUp(codes[product], code);
  if (state === undefined) return undefined;
  // Another transaction's state tells nothing about ours.
  if (answer.id !== undefined && answer.id !== id) return { state: 'unknown', said };
  if (state === 'taken') return { state, said };
  if (state === 'expired') return { state: 'failed', refusal: 'expired', said };
  if (state === 'succeeded' && (code === undefined || meaning === 'succeeded' || code === 'ESB000010')) {
    const providerReference = answer.airtelMoneyId;
    return providerReference === undefined ? { state: 'unknown', said } : { state, said, providerReference };
  }
  const refusal = state === 'failed' ? (lookUp(failedWith, code) ?? refusalOf(meaning, code)) : undefined;
  return refusal === undefined ? { state: 'unknown', said } : { state: 'failed', refusal, said };
}

const noRefusals: readonly Meaning[] = ['succeeded', 'inProgress', 'duplicate', 'missing', 'ambiguous'];

function isRefusal(meaning: Meaning | undefined): meaning is Refusal {
  return meaning !== undefined && !noRefusals.includes(meaning);
}

function refusalOf(meaning: Meaning | undefined, code: string | undefined): Refusal | undefined {
  if (code === undefined) return 'other';
  return isRefusal(meaning) ? meaning : undefined;
}

/**
 * The result of a POST. A code alone never means paid: without a state, we ask about the transaction. One code may say
 * that the id is already taken while the other looks like a refusal.
 */
export function sentAnswer(product: ProductName, reply: Reply, id: string, words: Words): Answer {
  const answer = read(reply, words);
  if (answer === undefined) return noAnswer(reply, words);
  const { code, resultCode, said } = answer;
  const meanings = [code, resultCode].map((one) => lookUp(codes[product], one));
  if (meanings.includes('duplicate')) return { state: 'taken', said };
  const end = endOf(product, answer, id);
  if (end !== undefined) return end;
  const [meaning] = meanings;
  if (isRefusal(meaning)) return { state: 'failed', refusal: meaning, said };
  const isTaken = meaning === 'succeeded' || meaning === 'inProgress';
  return isTaken ? { state: 'taken', said } : { state: 'unknown', said, isSilent: isSilent(reply) };
}

/**
 * The result of the enquiry. A refusal without a state refuses the enquiry itself, and says nothing about the
 * transaction.
 */
export function askedAnswer(product: ProductName, reply: Reply, id: string, words: Words): Answer {
  const answer = read(reply, words);
  if (answer === undefined) return noAnswer(reply, words);
  const end = endOf(product, answer, id);
  if (end !== undefined) return end;
  const isMissing = answer.state === undefined && lookUp(codes[product], answer.code) === 'missing';
  if (isMissing) return { state: 'notFound', said: answer.said };
  return { state: 'unknown', said: answer.said, isSilent: isSilent(reply) };
}

const holderSchema = z.object({
  data: z
    .object({ first_name: z.string().nullish(), last_name: z.string().nullish(), is_barred: z.boolean() })
    .nullish(),
  status: z.object({ response_code: text.nullish(), result_code: text.nullish(), message: z.string().nullish() }),
});

const USER_FOUND = 'DP02200000001';
const USER_MISSING = 'DP02200000002';
const LONGEST_NAME = 200;

/** The holder of a number, by the user enquiry. */
export function holderAnswer(reply: Reply, words: Words): Holder {
  const { data: answer } = holderSchema.safeParse(reply.answered && mayTell(reply.status) ? reply.json : undefined);
  if (answer === undefined) return noAnswer(reply, words);
  const { response_code, result_code, message } = answer.status;
  const seen = [response_code, result_code];
  const said = words(response_code ?? result_code ?? undefined, message ?? undefined);
  if (seen.includes(USER_MISSING)) return { state: 'none', said };
  const person = answer.data;
  if (!seen.includes(USER_FOUND) || !person) return { state: 'unknown', said };
  if (person.is_barred) return { state: 'closed', said };
  const name = `${person.first_name ?? ''} ${person.last_name ?? ''}`.trim().slice(0, LONGEST_NAME);
  return { state: 'active', name: name === '' ? null : name };
}
