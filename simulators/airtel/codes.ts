import type { Script } from '#simulators/ground/provider.ts';

/** Airtel's documented codes (docs/decisions/0048-simulators.md), by call. */

/** Text of each `response_code`. */
export const texts: Readonly<Record<string, string>> = {
  DP00800001000:
    'The transaction is still processing and is in ambiguous state. Please do the transaction enquiry to fetch the transaction status.',
  DP00800001001: 'Transaction is successful.',
  DP00800001002: 'Incorrect pin has been entered.',
  DP00800001003: 'The User has exceeded their wallet allowed transaction limit.',
  DP00800001004: 'The amount User is trying to transfer is less than the minimum amount allowed.',
  DP00800001005: "User didn't enter the pin.",
  DP00800001006: 'Transaction in pending state. Please check after sometime.',
  DP00800001007: 'User wallet does not have enough money to cover the payable amount.',
  DP00800001008: 'The transaction was refused.',
  DP00800001009: 'This is a generic refusal that has several possible causes.',
  DP00800001010: 'Payee is already initiated for churn or barred or not registered on Airtel Money platform.',
  DP00800001024: 'The transaction was timed out.',
  DP00800001025: 'The transaction was not found.',
  DP00800001026: 'X-signature and payload did not match.',
  DP00800001029: 'Transaction has been expired.',
  DP00900001000:
    'The transaction is still processing and is in ambiguous state. Please do the transaction enquiry to fetch the transaction status.',
  DP00900001001: 'Transaction is successful.',
  DP00900001003: 'Maximum transaction limit reached for the day.',
  DP00900001004: 'Amount entered is out of range with respect to defined limits.',
  DP00900001005: 'Transaction failed.',
  DP00900001006: 'Transaction is in process.',
  DP00900001007: 'Not enough funds in account to complete the transaction.',
  DP00900001009: 'Initiatee of the transaction is invalid.',
  DP00900001010: 'Payer is not an allowed user.',
  DP00900001011: 'Transaction with similar information already exists in this system.',
  DP00900001012: 'Mobile number entered is incorrect.',
  DP00900001013: 'The transaction was refused.',
  DP00900001014:
    'The transaction may be processed or failed due to time out. To know the exact status please do the transaction enquiry.',
  DP00900001015: 'The transaction was not found.',
  DP00900001016: 'X-signature and payload did not match.',
  DP00900001017:
    'Duplicate Transaction Id. To know the status of the actual transaction, please do transaction enquiry.',
};

/** The codes of one call, by outcome. */
interface Outcomes {
  readonly succeeded: string;
  readonly pending: string;
  readonly ambiguous: string;
  readonly notFound: string;
  readonly duplicate: string;
  readonly invalidAmount: string;
  readonly refused: string;
  readonly signature: string;
}

export const outcomes: Readonly<Record<'transfer' | 'request', Outcomes>> = {
  transfer: {
    succeeded: 'DP00900001001',
    pending: 'DP00900001006',
    ambiguous: 'DP00900001000',
    notFound: 'DP00900001015',
    duplicate: 'DP00900001011',
    invalidAmount: 'DP00900001004',
    refused: 'DP00900001013',
    signature: 'DP00900001016',
  },
  request: {
    succeeded: 'DP00800001001',
    pending: 'DP00800001006',
    ambiguous: 'DP00800001000',
    notFound: 'DP00800001025',
    duplicate: 'DP00800001008',
    invalidAmount: 'DP00800001004',
    refused: 'DP00800001008',
    signature: 'DP00800001026',
  },
};

/** Reasons for a failed transaction (TF). */
export const failureCodes: readonly string[] = [
  'DP00800001002',
  'DP00800001003',
  'DP00800001004',
  'DP00800001005',
  'DP00800001007',
  'DP00800001008',
  'DP00800001009',
  'DP00800001010',
  'DP00800001024',
  'DP00800001029',
  'DP00900001003',
  'DP00900001004',
  'DP00900001005',
  'DP00900001007',
  'DP00900001009',
  'DP00900001010',
  'DP00900001012',
  'DP00900001013',
];

/** Expired (TE) rather than failed. */
export const EXPIRED = 'DP00800001029';

/**
 * The simulator's own test numbers, because Airtel documents none. They are in a range that no network in Uganda uses, and end
 * in the code's last digits.
 */
function scriptsOf(family: '008' | '009'): ReadonlyMap<string, Script> {
  const codes = failureCodes.filter((code) => code.startsWith(`DP${family}`));
  const refused = codes.map((code): [string, Script] => [`256799000${code.slice(-3)}`, { refuse: code }]);
  return new Map([
    ...refused,
    ['256799000900', { seconds: 'for ever', pendingAs: 'TA' }],
    ['256799000901', { seconds: 25, pendingAs: 'TIP' }],
  ]);
}
export const scripts = { transfer: scriptsOf('009'), request: scriptsOf('008') } as const;
