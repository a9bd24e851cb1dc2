/**
 * Money is an integer number of minor units (1 UGX = 100), safe as a JavaScript number up to the wire's limit; rates
 * are basis points. All arithmetic with either is in this file and applications/quote.ts.
 */

/** 9,999,999,999,999.99 in minor units: the largest amount the wire takes (docs/decisions/0041-left-open.md). */
export const MAXIMUM_AMOUNT_MINOR = 999_999_999_999_999;

/** Two decimals, in every currency. */
export const MINOR_PER_UNIT = 100;

export const BPS_PER_WHOLE = 10_000;
export const BPS_PER_PERCENT = 100;
export const TENTHS_PER_WHOLE = 1000;
export const TENTHS_PER_PERCENT = 10;

/** Converts a wire amount to minor units; undefined if it has more than 2 decimals or is out of range (either sign). */
export function toMinor(amount: number): number | undefined {
  const minor = Math.round(amount * MINOR_PER_UNIT);
  // Division is correctly rounded, so equality holds exactly for numbers written with at most 2 decimals.
  const exact = minor / MINOR_PER_UNIT === amount && Math.abs(minor) <= MAXIMUM_AMOUNT_MINOR;
  return exact ? minor : undefined;
}

/** Converts minor units to the number on the wire; JSON writes it with at most 2 decimals. */
export function fromMinor(minor: number): number {
  return minor / MINOR_PER_UNIT;
}

/** Converts minor units to PostgreSQL's NUMERIC(15,2) text. */
export function minorToNumeric(minor: number | bigint): string {
  const digits = String(minor).replace('-', '').padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Converts PostgreSQL's NUMERIC text to minor units; throws on more than 2 decimals or beyond the safe range. */
export function numericToMinor(numeric: string): number {
  const match = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/.exec(numeric);
  const minor = match ? Number(`${match[2]}${(match[3] ?? '').padEnd(2, '0')}`) : Number.NaN;
  if (!Number.isSafeInteger(minor)) throw new RangeError(`not an amount of money: ${numeric}`);
  return match?.[1] === '-' ? -minor : minor;
}

/** The sum of decimal texts with two decimals each; it may exceed the safe range of a number. */
export function sumNumeric(numerics: readonly string[]): string {
  return minorToNumeric(numerics.reduce((sum, numeric) => sum + BigInt(numeric.replace('.', '')), 0n));
}

/**
 * `amount × numerator ÷ denominator` in whole units, for amounts of 0 or more. All rounding is done here: 'halfUp'
 * rounds half up, 'down' rounds down. BigInt inside, so nothing overflows.
 */
export function share(
  amount: number,
  numerator: number,
  denominator: number | bigint,
  rounding: 'halfUp' | 'down',
): number {
  const product = BigInt(amount) * BigInt(numerator);
  const divisor = BigInt(denominator);
  const half = rounding === 'halfUp' ? divisor / 2n + (divisor % 2n) : 0n;
  const quotient = product / divisor;
  return Number(half > 0n && product % divisor >= half ? quotient + 1n : quotient);
}

/**
 * An amount for people: comma thousands separator, up to 2 decimals, '-' when empty. `decimals: 2` always writes both
 * decimals, as forms do.
 */
export function formatAmount(minor: number | null | undefined, decimals: 'upTo2' | 2 = 'upTo2'): string {
  return minor === null || minor === undefined ? '-' : formatNumeric(minorToNumeric(minor), decimals);
}

/** Like {@link formatAmount}, for sums, which are decimal text. */
export function formatNumeric(numeric: string, decimals: 'upTo2' | 2 = 'upTo2'): string {
  const [whole = '0', cents = '00'] = numeric.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const shown = decimals === 2 ? cents : cents.replace(/0+$/, '');
  return shown === '' ? grouped : `${grouped}.${shown}`;
}
