/** What providers received and what Kasente says it sent, compared: nothing doubled, nothing lost in silence, no dead code. */

/** A message as it stands in the outbox when all is over. */
export interface OutboxRow {
  readonly number: number;
  readonly state: string;
  readonly handedOverAt: Date | null;
  readonly expiresAt: Date | null;
}

/** Times at which a provider took a message over for good, by the message's number. */
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
  /** Not received, and not to be seen as failed or expired either. */
  readonly lost: number[];
  /** Received, though nobody queued them. */
  readonly unknown: number[];
  /** Handed over, or received, when the code in it was dead. */
  readonly late: number[];
}

/** From the hand-over to its last byte. */
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

/** The least value that 99 of 100 do not exceed. */
export function percentile99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? 0;
}
