import type { Script } from '#simulators/ground/provider.ts';

/**
 * MTN's documented test numbers (docs/decisions/0048-simulators.md). A number's behaviour depends on the call: transfers,
 * requests and account look-ups differ.
 */

const number = (nth: number): string => `467331234${nth}`;

/** The documented 'delayed' was observed to take about 25 seconds, and to be CREATED first. */
const DELAYED: Script = { seconds: 25, pendingAs: 'CREATED' };

export const transferScripts: ReadonlyMap<string, Script> = new Map([
  [number(50), { refuse: 'INTERNAL_PROCESSING_ERROR' }],
  [number(51), { refuse: 'APPROVAL_REJECTED' }],
  [number(52), { refuse: 'EXPIRED' }],
  [number(53), { seconds: 'for ever' }],
  [number(54), DELAYED],
  [number(55), { refuse: 'NOT_ENOUGH_FUNDS' }],
  [number(56), { refuse: 'PAYER_LIMIT_REACHED' }],
  [number(57), { refuse: 'PAYEE_NOT_FOUND' }],
  [number(58), { refuse: 'NOT_ALLOWED' }],
  [number(59), { refuse: 'NOT_ALLOWED_TARGET_ENVIRONMENT' }],
  [number(60), { refuse: 'INVALID_CALLBACK_URL_HOST' }],
  [number(61), { refuse: 'INVALID_CURRENCY' }],
  [number(62), { refuse: 'INTERNAL_PROCESSING_ERROR' }],
  [number(63), { refuse: 'SERVICE_UNAVAILABLE' }],
  [number(64), { refuse: 'COULD_NOT_PERFORM_TRANSACTION' }],
]);

export const requestScripts: ReadonlyMap<string, Script> = new Map([
  [number(50), { refuse: 'INTERNAL_PROCESSING_ERROR' }],
  [number(51), { refuse: 'APPROVAL_REJECTED' }],
  [number(52), { refuse: 'EXPIRED' }],
  [number(53), { seconds: 'for ever' }],
  [number(54), DELAYED],
  [number(55), { refuse: 'PAYER_NOT_FOUND' }],
  [number(56), { refuse: 'PAYEE_NOT_ALLOWED_TO_RECEIVE' }],
  [number(57), { refuse: 'NOT_ALLOWED' }],
  [number(58), { refuse: 'NOT_ALLOWED_TARGET_ENVIRONMENT' }],
  [number(59), { refuse: 'INVALID_CALLBACK_URL_HOST' }],
  [number(60), { refuse: 'INVALID_CURRENCY' }],
  [number(61), { refuse: 'INTERNAL_PROCESSING_ERROR' }],
  [number(62), { refuse: 'SERVICE_UNAVAILABLE' }],
  [number(63), { refuse: 'COULD_NOT_PERFORM_TRANSACTION' }],
  [number(64), { refuse: 'COULD_NOT_PERFORM_TRANSACTION' }],
]);

/** The results of account look-ups. */
export const activeScripts: ReadonlyMap<string, 'closed' | RefusalName> = new Map([
  [number(50), 'RESOURCE_NOT_FOUND'],
  [number(51), 'closed'],
  [number(52), 'NOT_ALLOWED'],
  [number(53), 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
  [number(54), 'INTERNAL_PROCESSING_ERROR'],
  [number(55), 'SERVICE_UNAVAILABLE'],
]);

/** Refusals with an MTN code; status and text as observed. */
export const refusals = {
  RESOURCE_NOT_FOUND: [404, 'Requested resource was not found.'],
  RESOURCE_ALREADY_EXIST: [409, 'Duplicated reference id. Creation of resource failed.'],
  NOT_ALLOWED: [500, 'Authorization failed. Insufficient permissions.'],
  NOT_ALLOWED_TARGET_ENVIRONMENT: [500, 'Access to target environment is forbidden.'],
  INVALID_CALLBACK_URL_HOST: [500, 'Callback URL does not match the configured value.'],
  INVALID_CURRENCY: [500, 'Currency not supported.'],
  INTERNAL_PROCESSING_ERROR: [500, 'An internal error occurred while processing.'],
  SERVICE_UNAVAILABLE: [503, 'Service temporarily unavailable, try again later.'],
} as const satisfies Record<string, readonly [number, string]>;
export type RefusalName = keyof typeof refusals;

/** Every reason for a failed transaction. */
export const reasons: readonly string[] = [
  'PAYEE_NOT_FOUND',
  'PAYER_NOT_FOUND',
  'NOT_ALLOWED',
  'NOT_ALLOWED_TARGET_ENVIRONMENT',
  'INVALID_CALLBACK_URL_HOST',
  'INVALID_CURRENCY',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_PROCESSING_ERROR',
  'NOT_ENOUGH_FUNDS',
  'PAYER_LIMIT_REACHED',
  'PAYEE_LIMIT_REACHED',
  'SENDER_ACCOUNT_NOT_ACTIVE',
  'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  'PAYMENT_NOT_APPROVED',
  'RESOURCE_NOT_FOUND',
  'APPROVAL_REJECTED',
  'EXPIRED',
  'TRANSACTION_CANCELED',
  'RESOURCE_ALREADY_EXIST',
  'COULD_NOT_PERFORM_TRANSACTION',
];
