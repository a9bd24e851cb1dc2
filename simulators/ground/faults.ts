import { z } from 'zod';

/** Deliberate faults: their parameters, and the calls and transactions that they affect. */

export const operations = [
  'token',
  'transfer',
  'transfer-status',
  'request',
  'request-status',
  'owner',
  'balance',
  'notification',
  'keys',
] as const;
export type Operation = (typeof operations)[number];

const seconds = z.number().min(0).max(10_000_000);
const strikes = {
  operation: z.enum(operations).optional(),
  /** With the country code, as in the book. */
  msisdn: z.string().optional(),
  /** Number of times; unlimited if absent. */
  count: z.int().min(1).optional(),
};
const failure = { status: z.int().min(400).max(599), body: z.unknown().optional() };

export const fault = z.discriminatedUnion('fault', [
  /** Accepts the call, then breaks the connection. */
  z.strictObject({ fault: z.literal('lose-answer'), ...strikes }),
  z.strictObject({ fault: z.literal('late-answer'), ms: z.int().min(1).max(600_000), ...strikes }),
  z.strictObject({ fault: z.literal('error-before'), ...failure, ...strikes }),
  z.strictObject({ fault: z.literal('error-after'), ...failure, ...strikes }),
  /** Does not answer, whether it accepted the call or not. */
  z.strictObject({ fault: z.literal('no-answer'), taken: z.boolean(), ...strikes }),
  /** Affects every call for some seconds; 'refused' closes the port. */
  z.strictObject({ fault: z.literal('down'), how: z.enum(['503', 'cut', 'refused']), seconds }),
  z.strictObject({ fault: z.literal('expire-tokens'), seconds }),
  /** Lasts until both limits are reached; without either, until somebody settles it. */
  z.strictObject({
    fault: z.literal('pending'),
    seconds: seconds.optional(),
    asks: z.int().min(1).optional(),
    as: z.string().optional(),
    ...strikes,
  }),
  z.strictObject({ fault: z.literal('refuse'), reason: z.string(), ...strikes }),
  z.strictObject({
    fault: z.literal('callback'),
    how: z.enum(['twice', 'late', 'never']),
    seconds: seconds.default(60),
    ...strikes,
  }),
  /** Claims success before the transaction is settled. */
  z.strictObject({
    fault: z.literal('forged-callback'),
    wrong: z.enum(['reference', 'amount', 'status', 'host']),
    ...strikes,
  }),
  z.strictObject({
    fault: z.literal('statement'),
    how: z.enum(['twice', 'missing', 'amount']),
    difference: z.int().default(1000),
    ...strikes,
  }),
  /** Sends `reason` as documented by MTN instead of as observed. */
  z.strictObject({ fault: z.literal('reason-as-object') }),
]);
export type Fault = z.output<typeof fault>;
export type FaultName = Fault['fault'];

/** The current faults, kept in memory only. */
export class Faults {
  #faults: readonly Fault[] = [];
  #since = 0;

  get all(): readonly Fault[] {
    return this.#faults;
  }

  /** Replaces all faults. */
  replace(faults: readonly Fault[], now: number): void {
    this.#faults = faults;
    this.#since = now;
  }

  /** The current fault of that name, without counting a use. */
  standing<Name extends FaultName>(name: Name): Extract<Fault, { fault: Name }> | undefined {
    return this.#faults.find((one): one is Extract<Fault, { fault: Name }> => one.fault === name);
  }

  /** The kind of outage at that time, if any. */
  downAt(now: number): '503' | 'cut' | 'refused' | undefined {
    const down = this.standing('down');
    return down !== undefined && now < this.#since + down.seconds * 1000 ? down.how : undefined;
  }

  /** The first of these faults that applies; counts one use. */
  strike<Name extends FaultName>(
    names: readonly Name[],
    operation: Operation,
    msisdn: string | undefined,
  ): Extract<Fault, { fault: Name }> | undefined {
    const isAsked = (one: Fault): one is Extract<Fault, { fault: Name }> => names.some((name) => name === one.fault);
    const found = this.#faults.find(
      (one) =>
        isAsked(one) &&
        (!('operation' in one) || one.operation === undefined || one.operation === operation) &&
        (!('msisdn' in one) || one.msisdn === undefined || one.msisdn === msisdn),
    );
    if (found === undefined || !isAsked(found)) return undefined;
    if ('count' in found && found.count !== undefined) this.#consume(found, found.count);
    return found;
  }

  #consume(used: Fault, count: number): void {
    this.#faults = this.#faults.flatMap((one) => {
      if (one !== used) return [one];
      return count === 1 ? [] : [{ ...one, count: count - 1 }];
    });
  }
}
