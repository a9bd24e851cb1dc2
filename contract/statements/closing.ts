/** The state of an account's days, and who may close one (docs/decisions/0050-money-that-comes.md). */

export const dayStateCodes = ['closed', 'agrees', 'noStatement', 'differs'] as const;
export type DayState = (typeof dayStateCodes)[number];

interface DayFacts {
  /** The number of differences that are neither corrected nor explained. */
  readonly open: number;
  readonly isClosed: boolean;
  /** Whether a statement that was not withdrawn covers the day. */
  readonly hasStatement: boolean;
}

/** A closed day differs again if something is recorded on it afterwards. */
export function dayStateOf({ open, isClosed, hasStatement }: DayFacts): DayState {
  if (open > 0) return 'differs';
  if (isClosed) return 'closed';
  return hasStatement ? 'agrees' : 'noStatement';
}

/** The earliest of the days on which something is left to do, if there is one. */
export function firstToDo(days: readonly { readonly day: string; readonly state: DayState }[]): string | undefined {
  const left = days.filter(({ state }) => state === 'differs' || state === 'agrees').map(({ day }) => day);
  return left.sort()[0];
}

export const closingRefusalCodes = ['DAY_CLOSED', 'DIFFERENCES_OPEN', 'OWN_EXPLANATION'] as const;
export type ClosingRefusal = (typeof closingRefusalCodes)[number];

interface ClosingFacts extends Pick<DayFacts, 'open' | 'isClosed'> {
  /** Whether the officer explained one of the day's differences. */
  readonly hasExplained: boolean;
}

/** Why an officer may not close a day that is over; null if they may. */
export function closingRefusalOf({ open, isClosed, hasExplained }: ClosingFacts): ClosingRefusal | null {
  if (isClosed) return 'DAY_CLOSED';
  if (open > 0) return 'DIFFERENCES_OPEN';
  return hasExplained ? 'OWN_EXPLANATION' : null;
}
