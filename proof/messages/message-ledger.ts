/** Compares the providers' receipts with the outbox: nothing doubled, nothing silently lost, no expired code. */

/** A message in the outbox at the end. */
export interface OutboxRow {
  readonly number: number;
  readonly state: string;
  readonly handedOverAt: Date | null;
  readonly expiresAt: Date | null;
}

/** The times at which a provider accepted a message, by the message's number. */
export class ProviderLedger {
  readonly receipts = new Map<number, number[]>();

  receive(number: number, at: number): void {
    this.receipts.set(number, [...(this.receipts.get(number) ?? []), at]);
  }

  copy(): ProviderLedger {
    const copied = new ProviderLedger();
    for (const [number, times] of this.receipts) copied.receipts.set(number, [...times]);
    return copied;
  }
}

export interface Comparison {
  /** Received more than once. */
  readonly doubled: number[];
  /** Not received, and not marked as failed or expired. */
  readonly lost: number[];
  /** Received but never queued. */
  readonly unknown: number[];
  /** Handed over or received after the code in it had expired. */
  readonly late: number[];
}

/** The longest time from the hand-over to the last byte. */
const ON_THE_WAY_MS = 2_000;

export function compare(rows: readonly OutboxRow[], { receipts }: ProviderLedger): Comparison {
  const queued = new Set(rows.map(({ number }) => number));
  const timesOf = (number: number): readonly number[] => receipts.get(number) ?? [];
  const isVisible = (state: string): boolean => state === 'failed' || state === 'expired';
  const isLate = ({ number, expiresAt, handedOverAt }: OutboxRow): boolean => {
    if (expiresAt === null) return false;
    const dead = expiresAt.getTime();
    const received = timesOf(number).some((at) => at > dead + ON_THE_WAY_MS);
    return received || (handedOverAt !== null && handedOverAt.getTime() >= dead);
  };
  const numbers = (which: (row: OutboxRow) => boolean): number[] => rows.filter(which).map(({ number }) => number);
  return {
    doubled: numbers(({ number }) => timesOf(number).length > 1),
    lost: numbers(({ number, state }) => timesOf(number).length === 0 && !isVisible(state)),
    unknown: [...receipts.keys()].filter((number) => !queued.has(number)),
    late: numbers(isLate),
  };
}

/** The smallest value that 99 of 100 values do not exceed. */
export function percentile99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? 0;
}
